//! With substeps = "auto", frames take more substeps where surfaces come near each other fast.

use glam::{DVec3, Vec3};
use taffeta::contact::Surface;
use taffeta::method::contact::{largest_reach, spacing};
use taffeta::model::{Body, Collider, ColliderShape, Model, ModelBuilder, Path};
use taffeta::reference::State64;
use taffeta::reference::contact::closing::{Look, Part, closing};
use taffeta::settings::{CONTACT, GRAVITY, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps};
use taffeta::{Settings, Simulation, State};

use crate::common::{Random, gpu, raw_cloth, thrown};

/// Length of a frame \[s\], and distance of a sheet's nodes \[m\].
const FRAME: f32 = 1.0 / 60.0;
const S: f32 = 0.02;
/// As in `src/simulation/pace.rs`: frames that a look goes ahead, spacings of a frame that count at least, substeps of a frame at most.
const AHEAD: f64 = 4.0;
const LEAST: f64 = 2.5;
const MOST: u32 = 64;
/// Leaves of a part, and triangles of a leaf, as in `shaders/contact/closing.wgsl`.
const PART: usize = 8 * 4;

fn settings(solver: SolverKind) -> Settings {
    let settings = Settings::of(solver).with(CONTACT, true).with(GRAVITY, Vec3::ZERO);
    settings.with(SUBSTEPS, Substeps::Auto).with(ITERATIONS, Iterations::Fixed(2))
}

fn sheet([columns, rows]: [u32; 2], at: Vec3) -> Body {
    let sides = [Vec3::X * S * (columns - 1) as f32, Vec3::Z * S * (rows - 1) as f32];
    let body = raw_cloth([columns, rows], sides, [20.0, 10.0, 2.0], 1e-4, 1e-4);
    Body { rest_position: body.rest_position.iter().map(|x| *x + at).collect(), ..body }
}

/// Two sheets, a ball that moves and turns, and a floor.
fn scene() -> Model {
    let mut builder = ModelBuilder::new();
    builder.add(sheet([25, 21], Vec3::ZERO));
    builder.add(sheet([17, 9], Vec3::Y));
    let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::new(0.5, 0.0, -2.0))]).unwrap();
    let ball = ColliderShape::Sphere { center: Vec3::new(0.6, -0.4, 0.9), radius: 0.1 };
    builder.collide(Collider { path, spin: Vec3::new(1.0, 5.0, 2.0), ..Collider::new(ball) });
    let floor = ColliderShape::Plane { point: -1.2 * Vec3::Y, normal: Vec3::Y };
    builder.collide(Collider::new(floor));
    builder.build().unwrap()
}

/// The parts that the kernel looks at, in the order of memory.
fn parts(model: &Model) -> Vec<Part> {
    let body_of = |i: u32| model.bodies().iter().position(|body| body.nodes.contains(&i)).unwrap();
    let spacings: Vec<f64> = model.bodies().iter().map(|body| spacing(model, body).into()).collect();
    let part = |elements: &[[u32; 4]]| {
        let corners = elements.iter().filter(|e| e[0] != u32::MAX).flat_map(|&[a, b, c, _]| [a, b, c]);
        let mut bodies: Vec<usize> = corners.clone().map(body_of).collect();
        bodies.sort_unstable();
        bodies.dedup();
        Part {
            nodes: corners.map(|i| i as usize).collect(),
            spacing: bodies.iter().map(|&b| spacings[b]).fold(f64::INFINITY, f64::min),
            body: if let [only] = bodies[..] { Some(only) } else { None },
        }
    };
    Surface::new(model)
        .unwrap()
        .elements
        .chunks(PART)
        .map(part)
        .filter(|part| !part.nodes.is_empty())
        .collect()
}

fn expected(model: &Model, state: &State) -> f64 {
    let in_memory = model.in_memory();
    let state = State64::from(&model.order().state_by_place(state));
    let rest: Vec<DVec3> = in_memory.rest_position().iter().map(|x| x.as_dvec3()).collect();
    let look =
        Look { frame: FRAME.into(), ahead: AHEAD, least: LEAST, reach: largest_reach(in_memory)[0].into() };
    closing(&parts(in_memory), &rest, &state, model.colliders(), look)
}

#[test]
fn the_look_ahead_is_that_of_the_reference() {
    let gpu = gpu();
    let model = scene();
    let mut simulation = Simulation::new(&gpu, &model, &settings(SolverKind::NewtonMultigrid)).unwrap();
    let mut random = Random(5);
    let mut kinds = [0; 3];
    for trial in 0..24 {
        // Far apart at first, and slow at last, so that neighbors alone decide, or nothing.
        let mut state = thrown::state(&model, 0.4 + 0.05 * (trial % 12) as f32, &mut random);
        let speed = if trial < 12 { 1.0 } else { 0.1 };
        state.velocity.iter_mut().for_each(|v| *v = speed * (*v + 0.5 * random.vector()));
        let at = |state: &State, simulation: &mut Simulation| {
            simulation.set_state(state).unwrap();
            simulation.step().unwrap();
            f64::from(simulation.ask_closing().wait().unwrap().unwrap())
        };
        let (found, wanted) = (at(&state, &mut simulation), expected(&model, &state));
        // Boxes are rounded to f32, as a part of the coordinates; the way between two of them by as much.
        let bound = 64.0 * f64::from(f32::EPSILON) * (1.0 + 1.0 / f64::from(S)) * wanted.max(1e-3);
        assert!((found - wanted).abs() <= bound, "{trial}: {found} instead of {wanted}");
        kinds[if wanted == LEAST { 0 } else { 1 + usize::from(wanted < LEAST) }] += 1;
        // A thousandth is noticed.
        if wanted != LEAST {
            state.velocity.iter_mut().for_each(|v| *v *= 1.001);
            let off = (at(&state, &mut simulation) - wanted).abs();
            assert!(off > bound, "{trial}: a change went unnoticed: {off}");
        }
    }
    assert!(kinds.iter().all(|n| *n > 1), "trials of one kind only: {kinds:?}");
}

/// Two sheets, one `apart` \[m\] above the other, which comes down with `speed` [m/s].
fn falling(apart: f32, speed: f32) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.add(sheet([13, 13], Vec3::ZERO));
    let above = builder.add(sheet([13, 13], apart * Vec3::Y));
    let model = builder.build().unwrap();
    let mut state = model.initial_state().clone();
    above.for_each(|i| state.velocity[i as usize] = -speed * Vec3::Y);
    (model, state)
}

#[test]
fn a_frame_takes_as_many_substeps_as_surfaces_come_nearer_by_spacings() {
    let gpu = gpu();
    let way = |spacings: f32| spacings * S / FRAME;
    let cases = [
        (1.0, 1.0, 1),  // far away
        (0.1, -5.0, 1), // on its way out
        (0.03, 0.0, 3), // near, at rest
        (0.1, 3.5, 4),
        (0.3, 6.5, 7),
        (0.9, 80.0, MOST),
    ];
    for solver in [SolverKind::NewtonMultigrid, SolverKind::Vbd] {
        for (apart, spacings, substeps) in cases {
            let (model, state) = falling(apart, way(spacings));
            let mut simulation = Simulation::new(&gpu, &model, &settings(solver)).unwrap();
            simulation.set_state(&state).unwrap();
            simulation.step().unwrap();
            assert_eq!(
                simulation.substeps(),
                substeps,
                "{solver}: {apart} m apart, {spacings} spacings a frame"
            );
            let taken = simulation.substeps_taken().unwrap();
            assert_eq!((taken.least, taken.most, taken.mean), (substeps, substeps, f64::from(substeps)));
            assert_eq!(taken.short, u64::from(spacings > MOST as f32));
        }
    }
}

#[test]
fn the_number_is_the_same_in_every_run_and_goes_on_from_a_checkpoint() {
    let gpu = gpu();
    let (model, state) = falling(0.7, 5.0 * S / FRAME);
    let settings = settings(SolverKind::NewtonMultigrid);
    let run = |simulation: &mut Simulation, frames: u32| -> Vec<u32> {
        let step = |_| {
            simulation.step().unwrap();
            simulation.substeps()
        };
        (0..frames).map(step).collect()
    };
    let begin = || {
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        simulation.set_state(&state).unwrap();
        simulation
    };
    let mut whole = begin();
    let taken = run(&mut whole, 24);
    assert!(taken.contains(&1) && taken.iter().any(|n| *n > 3), "{taken:?}");
    // The first frames are over before the number rises; others are under way.
    for stop in [1, 4, 9] {
        let mut first = begin();
        assert_eq!(run(&mut first, stop), taken[..stop as usize]);
        let checkpoint = first.checkpoint().unwrap();
        let mut second = Simulation::new(&gpu, &model, &settings).unwrap();
        assert_eq!(second.resume(&checkpoint).unwrap(), []);
        assert_eq!(run(&mut second, 24 - stop), taken[stop as usize..], "after {stop} frames");
        assert_eq!(second.state().unwrap(), whole.state().unwrap(), "after {stop} frames");
    }
    whole.reset().unwrap();
    whole.set_state(&state).unwrap();
    assert_eq!(run(&mut whole, 24), taken);
}

/// What meets nothing moves as without contact, and takes no more substeps.
#[test]
fn what_swings_and_touches_nothing_takes_no_more_substeps() {
    let gpu = gpu();
    let body = sheet([25, 25], Vec3::ZERO);
    let mut builder = ModelBuilder::new();
    builder.add(Body { pinned: (0..25).collect(), ..body });
    let model = builder.build().unwrap();
    let settings = settings(SolverKind::NewtonMultigrid).with(GRAVITY, Vec3::new(0.0, -9.81, 0.0));
    let run = |contact: bool| {
        let mut simulation = Simulation::new(&gpu, &model, &settings.clone().with(CONTACT, contact)).unwrap();
        (0..40).for_each(|_| simulation.step().unwrap());
        (simulation.state().unwrap(), simulation.substeps_done())
    };
    let [(with, taken), (without, frames)] = [run(true), run(false)];
    assert_eq!(taken, frames);
    assert_eq!(with, without);
}
