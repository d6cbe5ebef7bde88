//! The guard against crossings in random scenes, with every solver that is stable in them. `TAFFETA_THROWN=500` has so many
//! (`make soak`), `TAFFETA_FUZZ_SEED` another seed.

use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use glam::Vec3;
use taffeta::contact::Report;
use taffeta::measure::crossings::Checker;
use taffeta::model::{Body, Layer, Model, ModelBuilder};
use taffeta::settings::{CONTACT, GRAVITY, SolverKind};
use taffeta::shape::{Damping, Disc, EdgeStiffness, Flexion, Sphere, Surface, SurfaceMass};
use taffeta::{Settings, Simulation, State};

use crate::common::thrown::{settings, state, tetrahedron};
use crate::common::{Random, gpu, raw_cloth, two_at_a_time};

/// Scenes, where nothing else is asked for.
const SCENES: usize = 18;
const MOST_NODES: usize = 2000;
const FRAMES: usize = 30;

/// A sheet, a disc or a ball of at most so many nodes, 13 or more.
fn body(nodes: f32, random: &mut Random) -> Body {
    let size = 0.2 + 0.2 * random.unit();
    let surface = Surface {
        mass: SurfaceMass::PerNode(2e-3),
        stiffness: EdgeStiffness::PerSpring(20.0),
        flexion: Flexion::Ratio(0.1),
        bending: 0.0,
        damping: Damping::Dashpot(1e-3),
    };
    let body = match (4.0 * random.unit()) as u32 {
        0 | 1 => {
            let columns = (nodes * (0.5 + random.unit())).sqrt().floor();
            let rows = (nodes / columns).floor();
            let longest = size / columns.max(rows);
            let sides = [Vec3::X * (longest * columns), Vec3::Z * (longest * rows)];
            raw_cloth([columns as u32, rows as u32], sides, [20.0, 10.0, 2.0], 2e-3, 1e-3)
        }
        2 => {
            // 1 + 3 r (r + 1) nodes.
            let rings = ((nodes / 3.0).sqrt() - 0.5).floor();
            let (center, normal, radius) = (Vec3::ZERO, Vec3::Y, 0.5 * size);
            Disc { center, normal, radius, spacing: radius / rings, surface }.build().unwrap()
        }
        _ => {
            // 10 p^2 + 2 nodes; each has an area of sqrt(3)/2 spacings squared.
            let parts = ((nodes - 2.0) / 10.0).sqrt().floor();
            let radius = 0.35 * size;
            let per_node = 4.0 * std::f32::consts::PI / (10.0 * parts * parts + 2.0);
            let spacing = radius * (per_node * 2.0 / 3f32.sqrt()).sqrt();
            Sphere { center: Vec3::ZERO, radius, spacing, surface }.build().unwrap()
        }
    };
    Body { layer: Layer { friction: random.unit(), ..Layer::default() }, ..body }
}

/// A scene of two to four bodies, how it begins, and what it is simulated with.
fn scene(number: usize, seed: u64) -> (Model, State, Settings) {
    let mut random = Random((seed << 32) + 0x9e37_79b9 * (number as u64 + 1));
    // Numbers from seeds that are alike begin alike.
    (0..20).for_each(|_| _ = random.unit());
    let count = 2 + (3.0 * random.unit()) as usize;
    let most = (MOST_NODES / count) as f32;
    let mut builder = ModelBuilder::new();
    for _ in 0..count {
        // Small bodies are frequent.
        let nodes = 13.0 * (most / 13.0).powf(random.unit().powi(2));
        builder.add(if random.unit() < 0.1 { tetrahedron(0.1) } else { body(nodes, &mut random) });
    }
    let model = builder.build().unwrap();
    let solvers: Vec<SolverKind> =
        SolverKind::ALL.into_iter().filter(|solver| *solver != SolverKind::ExplicitEuler).collect();
    let gravity = if random.unit() < 0.5 { Vec3::ZERO } else { Vec3::NEG_Y * 9.81 };
    let state = state(&model, 0.25, &mut random);
    let settings = settings(solvers[number % solvers.len()], true).with(GRAVITY, gravity);
    (model, state, settings)
}

/// What was seen of a scene.
struct Run {
    what: String,
    time: Duration,
    /// The most at the end of a frame.
    crossings: usize,
    is_finite: bool,
    contact: Option<Report>,
}

fn run(number: usize, seed: u64, contact: bool) -> Run {
    let begin = Instant::now();
    let (model, start, settings) = scene(number, seed);
    let settings = settings.with(CONTACT, contact);
    assert!(model.node_count() <= MOST_NODES, "{} nodes", model.node_count());
    let checker = Checker::new(&model);
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    simulation.set_state(&start).unwrap();
    let (mut crossings, mut is_finite) = (0, true);
    for _ in 0..FRAMES {
        simulation.step().unwrap();
        let state = simulation.state().unwrap();
        is_finite &= state.position.iter().chain(&state.velocity).all(|v| v.is_finite());
        crossings = checker.count(&state.position).count.max(crossings);
    }
    let contact = simulation.ask_contact().wait().unwrap();
    let time = begin.elapsed();
    let found = format!("{crossings} crossings, finite: {is_finite}, {contact:?}, {time:.1?}");
    let what = format!("{number}, {} with {} nodes: {found}", settings.solver, model.node_count());
    Run { what, time, crossings, is_finite, contact }
}

fn setting<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_is_thrown_at_each_other_in_random_scenes_never_crosses() {
    let count = setting("TAFFETA_THROWN").unwrap_or(SCENES);
    let seed = setting("TAFFETA_FUZZ_SEED").unwrap_or(17);
    let (runs, free) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    two_at_a_time(0..count, |number| {
        runs.lock().unwrap().push(run(number, seed, true));
        if number % 4 == 0 {
            free.lock().unwrap().push(run(number, seed, false));
        }
    });
    let (runs, free) = (runs.into_inner().unwrap(), free.into_inner().unwrap());
    let longest = runs.iter().max_by_key(|run| run.time).unwrap();
    let held_back = runs.iter().filter(|run| run.contact.unwrap().cut > 0).count();
    let crossed = free.iter().filter(|run| run.crossings > 0).count();
    println!(
        "seed {seed}: nodes are held back in {held_back} of {count} scenes; the longest is {}",
        longest.what
    );
    println!("without the guard surfaces cross in {crossed} of {}", free.len());
    let is_wrong = |run: &&Run| {
        let Report { forced, tangled, .. } = run.contact.unwrap();
        run.crossings > 0 || !run.is_finite || forced > 0 || tangled > 0
    };
    let wrong: Vec<&str> = runs.iter().filter(is_wrong).map(|run| run.what.as_str()).collect();
    assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    assert!(2 * held_back > count && 2 * crossed > free.len(), "scenes in which too little meets");
}
