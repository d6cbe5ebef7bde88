//! Newton-multigrid on general networks: the GPU against the f64 twin on the same levels, and against stored
//! minimisers.

mod common;

use std::path::PathBuf;

use common::{Random, disc, gpu, model, raw_sheet, rope, strain, tangle};
use glam::{DVec3, Vec3};
use taffeta::gpu::Gpu;
use taffeta::hierarchy::{Hierarchy, Level, Rows};
use taffeta::model::{Body, Family, Model, ModelBuilder, Spring};
use taffeta::reference::newton_multigrid::{self, Options};
use taffeta::reference::{Forces, State64, minimiser};
use taffeta::settings::{Air, Form, Settings, SolverKind, Substeps};
use taffeta::{Simulation, State, io};

/// Step [s].
const H: f32 = 1.0 / 60.0;
/// Unit roundoff of f32.
const U: f64 = 1.0 / (1u64 << 24) as f64;

fn settings(iterations: u32) -> Settings {
    Settings {
        solver: SolverKind::NewtonMultigrid,
        frame_time: H,
        substeps: Substeps::Fixed(1),
        iterations: Some(iterations),
        form: Form::Mesh,
        largest_stretch: 1e9,
        ..Settings::default()
    }
}

fn with_forces(settings: Settings) -> Settings {
    Settings {
        wind: Vec3::new(2.0, 0.5, -1.0),
        air: Air { density: 1.2, normal: 1.3, tangential: 0.05 },
        damping: 3.0,
        node_damping: 1e-4,
        drag: 2.0,
        ..settings
    }
}

fn on_the_gpu(gpu: &Gpu, model: &Model, settings: &Settings) -> State {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    simulation.step().unwrap();
    simulation.state().unwrap()
}

/// The same step in f64 on levels of the twin's own, visited alike.
fn in_f64(model: &Model, settings: &Settings, hierarchy: &Hierarchy) -> State64 {
    let options = Options::on_gpu(hierarchy, settings.iterations());
    let forces = Forces { model, settings, pulls: &[], reach: 1.0 };
    let mut state = State64::from(model.initial_state());
    newton_multigrid::step(&forces, hierarchy, &options, f64::from(H), &mut state);
    state
}

/// Largest distance [m] in units of what rounding may do: sixteen roundings of the coordinates and of the
/// way that the step goes.
fn worst(model: &Model, found: &State, expected: &State64) -> f64 {
    let largest = |a: &mut dyn Iterator<Item = f64>| a.fold(0.0, f64::max);
    let size = largest(&mut expected.position.iter().map(|x| x.length()));
    let start = &model.initial_state().position;
    let way = largest(&mut start.iter().zip(&expected.position).map(|(a, b)| (a.as_dvec3() - *b).length()));
    let apart = found.position.iter().zip(&expected.position).map(|(a, b)| {
        let distance = (a.as_dvec3() - *b).length();
        if distance.is_finite() { distance } else { f64::INFINITY }
    });
    largest(&mut { apart }) / (16.0 * U * (size + way))
}

fn bodies() -> Vec<(&'static str, Body)> {
    let mut random = Random(7);
    let sheet = |dashpot| raw_sheet(40, 51, [400.0, 200.0, 40.0], 0.0002, dashpot);
    let held: Vec<u32> = (0..40 * 51).filter(|i| i * 7 % 10 < 3).collect();
    let disc = disc(300.0, 0.002, &mut random);
    let tangle = tangle(200.0, 0.002, &mut random);
    let mut strain = |body, spacing| strain(body, spacing, &mut random);
    vec![
        ("rope", strain(rope(1500, 500.0, 0.0002), 0.0007)),
        ("short rope", strain(rope(20, 50.0, 0.002), 0.05)),
        ("sheet", strain(sheet(0.0), 0.02)),
        ("damped sheet", strain(sheet(0.02), 0.02)),
        ("sheet, 30 % pinned", Body { pinned: held, ..strain(sheet(0.0), 0.02) }),
        ("free sheet", Body { pinned: Vec::new(), ..strain(sheet(0.0), 0.02) }),
        ("disc", strain(disc, 0.05)),
        ("tangle", strain(tangle, 0.2)),
    ]
}

fn assert_equal(gpu: &Gpu, name: &str, model: &Model, settings: &Settings) {
    let found = on_the_gpu(gpu, model, settings);
    let quotient = worst(model, &found, &in_f64(model, settings, &Hierarchy::galerkin(model)));
    assert!(quotient <= 1.0, "{name}, {} iterations: {quotient}", settings.iterations());
    assert!(quotient >= 1e-4, "{name}: the bound is too loose to mean anything: {quotient}");
}

#[test]
fn a_step_equals_the_reference_on_the_same_levels() {
    let gpu = gpu();
    for (name, body) in bodies() {
        let model = model(body);
        for iterations in [1, 5] {
            assert_equal(&gpu, name, &model, &settings(iterations));
            assert_equal(&gpu, name, &model, &with_forces(settings(iterations)));
        }
    }
}

#[test]
fn many_bodies_of_one_model_are_solved_side_by_side() {
    // Enough that the coarsest level has more nodes than the tail's matrix has room for.
    let gpu = gpu();
    let mut random = Random(3);
    let mut builder = ModelBuilder::new();
    for _ in 0..900 {
        builder.add(strain(rope(5, 50.0, 0.002), 0.1, &mut random));
    }
    builder.add(strain(raw_sheet(30, 30, [400.0, 200.0, 40.0], 0.0005, 0.0), 0.03, &mut random));
    assert_equal(&gpu, "many bodies", &builder.build().unwrap(), &settings(4));
}

fn scaled(rows: &Rows) -> Rows {
    Rows { weights: rows.weights.iter().map(|w| 1.01 * w).collect(), ..rows.clone() }
}

#[test]
fn weights_that_are_one_percent_off_are_noticed() {
    let gpu = gpu();
    let mut random = Random(5);
    let body = strain(raw_sheet(40, 51, [400.0, 200.0, 40.0], 0.0002, 0.0), 0.02, &mut random);
    let model = model(body);
    let found = on_the_gpu(&gpu, &model, &settings(1));
    let right = Hierarchy::galerkin(&model);
    let spoilers: [fn(&mut Level); 3] = [
        |level| level.gather = scaled(&level.gather),
        |level| level.restriction = scaled(&level.restriction),
        |level| level.interpolation = scaled(&level.interpolation),
    ];
    for l in 0..right.levels.len() {
        for (what, spoil) in spoilers.iter().enumerate() {
            let mut wrong = right.clone();
            spoil(&mut wrong.levels[l]);
            let quotient = worst(&model, &found, &in_f64(&model, &settings(1), &wrong));
            assert!(quotient > 1.0, "spoiling {what} of level {l} went unnoticed: {quotient}");
        }
    }
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Root mean square distance from the stored minimiser [mm].
fn rms(found: &State, minimiser: &[Vec3]) -> f64 {
    let squared = |(a, b): (&Vec3, &Vec3)| (a.as_dvec3() - b.as_dvec3()).length_squared();
    let sum: f64 = found.position.iter().zip(minimiser).map(squared).sum();
    1e3 * (sum / minimiser.len() as f64).sqrt()
}

/// Frame A's motion on a triangulated sheet.
fn swung_sheet() -> Body {
    let mut body = io::read_network(&data("frame-f-sheet.npz")).unwrap();
    let swing = |x: &Vec3| {
        let (u, w) = (f64::from(x.x), f64::from(x.z));
        let (angle, first) = (0.3 + 0.8 * w, 0.3f64);
        DVec3::new(u, (angle.cos() - first.cos()) / 0.8, (angle.sin() - first.sin()) / 0.8)
    };
    let position: Vec<DVec3> = body.rest_position.iter().map(swing).collect();
    body.velocity =
        Some(position.iter().map(|x| Vec3::new(0.0, -3.0 * x.z as f32, 3.0 * x.y as f32)).collect());
    body.position = Some(position.iter().map(|x| x.as_vec3()).collect());
    body
}

/// 1,000 nodes, one metre, swung about its pinned end.
fn swung_rope() -> Body {
    let spacing = 1.0 / 999.0;
    let mut body = Body { mass: vec![5e-5; 1000], pinned: vec![0], ..Body::default() };
    let (mut position, mut velocity) = (Vec::new(), Vec::new());
    for i in 0..1000u32 {
        let s = 2.0 * f64::from(i) * spacing;
        let x = 0.5 * DVec3::new(s.sin(), s.cos() - 1.0, 0.0);
        body.rest_position.push(Vec3::X * (f64::from(i) * spacing) as f32);
        position.push(x.as_vec3());
        velocity.push((3.0 * DVec3::new(x.y, -x.x, 0.0)).as_vec3());
        for (step, ea) in [(1, 500.0), (2, 25.0)].into_iter().filter(|s| i + s.0 < 1000) {
            body.springs.push(Spring {
                nodes: [i, i + step],
                rest_length: (f64::from(step) * spacing) as f32,
                stiffness: (ea / spacing) as f32,
                dashpot: 0.0,
                family: Family::Raw,
            });
        }
    }
    Body { position: Some(position), velocity: Some(velocity), ..body }
}

/// One iteration a frame leaves what hangs at rest where it is.
#[test]
fn what_is_at_rest_stays_at_rest() {
    let gpu = gpu();
    let body = Body { position: None, velocity: None, ..swung_rope() };
    let down = |x: &Vec3| Vec3::NEG_Y * x.x;
    let body = Body { rest_position: body.rest_position.iter().map(down).collect(), ..body };
    let model = model(body);
    let forces = Forces { model: &model, settings: &settings(1), pulls: &[], reach: 1.0 };
    let start = model.rest_position().iter().map(|x| x.as_dvec3()).collect();
    let rest = minimiser::equilibrium(&forces, start, 1e-9);
    assert!(rest.converged);
    let velocity = vec![DVec3::ZERO; rest.position.len()];
    let rest = State::from(&State64 { position: rest.position, velocity, time: 0.0 });
    let mut simulation = Simulation::new(&gpu, &model, &settings(1)).unwrap();
    simulation.set_state(&rest).unwrap();
    for _ in 0..60 {
        simulation.step().unwrap();
    }
    let moved = rms(&simulation.state().unwrap(), &rest.position);
    assert!(moved < 1e-2, "{moved} mm in a second");
}

/// Frame F of the study, with momentum: within 1.25 times its table.
#[test]
fn general_networks_converge_as_published() {
    let gpu = gpu();
    let frames = [
        ("sheet", swung_sheet(), [(1, 0.261), (3, 0.120), (7, 0.040), (14, 0.022)]),
        ("rope", swung_rope(), [(1, 0.586), (3, 0.295), (7, 0.108), (14, 0.017)]),
    ];
    for (name, body, published) in frames {
        let minimiser = io::read_points(&data(&format!("frame-f-{name}.npy"))).unwrap();
        let model = model(body);
        for (iterations, expected) in published {
            let found = rms(&on_the_gpu(&gpu, &model, &settings(iterations)), &minimiser);
            assert!(found <= 1.25 * expected, "{name} after {iterations}: {found} instead of {expected}");
            println!("{name} after {iterations}: {found:.3}");
        }
    }
}
