//! With substeps = "auto", frames take more substeps where surfaces come near each other fast.

use glam::{DVec3, Vec3};
use taffeta::contact::Surface;
use taffeta::method::contact::{largest_reach, spacing};
use taffeta::method::{Rubbing, Stability, keeps_moves};
use taffeta::model::{Body, Collider, ColliderShape, Layer, Model, ModelBuilder, Path};
use taffeta::reference::State64;
use taffeta::reference::contact::closing::{Look, Part, closing};
use taffeta::settings::{
    CHEBYSHEV, CONTACT, Chebyshev, GRAVITY, ITERATIONS, Iterations, LINEAR_SOLVER, LinearSolver, START,
    SUBSTEPS, SWEEPS, SolverKind, Start, Substeps,
};
use taffeta::{Settings, Simulation, State};

use crate::common::{Random, gpu, raw_cloth, thrown};

/// Length of a frame \[s\], and distance of a sheet's nodes \[m\].
const FRAME: f32 = 1.0 / 60.0;
const S: f32 = 0.02;
/// As in `src/simulation/pace.rs`: frames that a look goes ahead, spacings of a frame that count at least, substeps of a frame at most.
const AHEAD: f64 = 4.0;
const LEAST: f64 = 2.5;
/// What hits a collider counts at most, as in `shaders/contact/closing.wgsl`.
const CRUMPLES: f64 = 7.5;
const MOST: u32 = 64;
/// Frames for which a number holds, as there; it counts from three frames later.
const HOLDS: u32 = 24;
/// Triangles of a part: its leaves, as in `shaders/contact/parts.wgsl`, times those of a leaf, as in `bindings.wgsl` there.
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

/// A node of the tetrahedron, a pin that moves.
const PIN: u32 = 25 * 21 + 17 * 9;

/// Two sheets, a tetrahedron, perhaps with a pin that moves, a ball that moves and turns, and a floor.
fn scene(has_pin: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.add(sheet([25, 21], Vec3::ZERO));
    builder.add(sheet([17, 9], Vec3::Y));
    builder.add(thrown::tetrahedron(0.1));
    let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::new(0.5, 0.0, -2.0))]).unwrap();
    let ball = ColliderShape::Sphere { center: Vec3::new(0.6, -0.4, 0.9), radius: 0.1 };
    builder.collide(Collider { path, spin: Vec3::new(1.0, 5.0, 2.0), ..Collider::new(ball) });
    let floor = ColliderShape::Plane { point: -2.0 * Vec3::Y, normal: Vec3::Y };
    builder.collide(Collider::new(floor));
    if has_pin {
        builder.pin_along(vec![PIN], Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::X)]).unwrap());
    }
    builder.build().unwrap()
}

/// The parts that the kernel looks at, in the order of memory; `place`: that of the pin.
fn parts(model: &Model, place: Option<u32>) -> Vec<Part> {
    let surface = Surface::new(model).unwrap();
    surface.elements.chunks(PART).flat_map(|elements| parts_of(model, place, elements)).collect()
}

/// Those of a subtree: halves where there are several bodies.
fn parts_of(model: &Model, place: Option<u32>, elements: &[[u32; 4]]) -> Vec<Part> {
    let nodes: Vec<u32> =
        elements.iter().filter(|e| e[0] != u32::MAX).flat_map(|&[a, b, c, _]| [a, b, c]).collect();
    let Some(first) = nodes.first() else { return Vec::new() };
    let body = model.bodies().iter().position(|body| body.nodes.contains(first)).unwrap();
    let range = &model.bodies()[body];
    if !nodes.iter().all(|i| range.nodes.contains(i)) {
        let halves = elements.split_at(elements.len() / 2);
        return [halves.0, halves.1].into_iter().flat_map(|half| parts_of(model, place, half)).collect();
    }
    vec![Part {
        nodes: nodes.iter().map(|i| *i as usize).collect(),
        body,
        spacing: spacing(model, range).into(),
        is_driven: nodes.iter().any(|i| place == Some(*i)),
    }]
}

fn expected(model: &Model, state: &State, rubbing: f64) -> f64 {
    let in_memory = model.in_memory();
    let state = State64::from(&model.order().state_by_place(state));
    let rest: Vec<DVec3> = in_memory.rest_position().iter().map(|x| x.as_dvec3()).collect();
    let reach = largest_reach(in_memory)[0].into();
    let look = Look { frame: FRAME.into(), ahead: AHEAD, least: LEAST, rubbing, reach };
    let place = (!model.moving_pins().is_empty()).then(|| model.order().place(PIN));
    closing(&parts(in_memory, place), &rest, &state, model.colliders(), look)
}

#[test]
fn the_look_ahead_is_that_of_the_reference() {
    let gpu = gpu();
    let models = [false, true].map(scene);
    // With a pin the solver is one whose friction takes five substeps.
    let few = settings(SolverKind::Vbd).with(ITERATIONS, Iterations::Fixed(2));
    let all = [settings(SolverKind::NewtonMultigrid), few];
    let rubbing = |has_pin: bool| {
        let (model, settings) = (&models[usize::from(has_pin)], &all[usize::from(has_pin)]);
        Rubbing::substeps(model, settings, &Stability::of(model, settings), 16)
            .map_or(0.0, |n| f64::from(n) - 0.5)
    };
    assert_eq!([false, true].map(rubbing), [0.0, 4.5]);
    let mut simulations =
        [0, 1].map(|index: usize| Simulation::new(&gpu, &models[index], &all[index]).unwrap());
    let mut random = Random(5);
    let mut kinds = [0; 4];
    // Speeds of a fall [m/s], and what they come to: where the way to the floor counts for what crumples, where it is so long that parts
    // that stop apart count more, where it is short, and where it is as long as counts.
    let falls = [
        (0.9, 1.1 * LEAST..=0.9 * CRUMPLES),
        (5.5, 1.1 * CRUMPLES..=f64::MAX),
        (0.2, LEAST..=LEAST),
        (2.0, CRUMPLES..=CRUMPLES),
    ];
    for trial in 0..32 {
        let has_pin = trial < 12 && trial % 3 == 2;
        let (model, simulation) = (&models[usize::from(has_pin)], &mut simulations[usize::from(has_pin)]);
        // Near and fast at first; later far apart and slow, so that neighbors alone decide, or nothing; last they fall on the floor
        // together.
        let (is_far, is_falling) = ((12..24).contains(&trial), trial >= 24);
        let (speed_of_fall, counts) = &falls[trial % 4];
        let apart = trial % if is_falling { 4 } else { 12 };
        let mut state = thrown::state(model, 0.4 + 0.05 * apart as f32, &mut random);
        let speed = if is_far { 0.1 } else { 1.0 };
        for (body, away) in model.bodies().iter().zip(0..).filter(|_| is_far) {
            let nodes = body.nodes.start as usize..body.nodes.end as usize;
            state.position[nodes].iter_mut().for_each(|x| *x += Vec3::new(3.0 * away as f32, 0.0, 3.0));
        }
        state.velocity.iter_mut().for_each(|v| *v = speed * (*v + 0.5 * random.vector()));
        if is_falling {
            let lowest = state.position.iter().map(|x| x.y).fold(f32::MAX, f32::min);
            state.position.iter_mut().for_each(|x| x.y -= lowest + 1.9);
            state.velocity.iter_mut().for_each(|v| *v = 0.02 * *v - *speed_of_fall * Vec3::Y);
        }
        if has_pin {
            // As its path has it.
            state.position[PIN as usize] = model.initial_state().position[PIN as usize];
            state.velocity[PIN as usize] = Vec3::X;
        }
        let at = |state: &State, simulation: &mut Simulation| {
            simulation.set_state(state).unwrap();
            simulation.step().unwrap();
            f64::from(simulation.ask_closing().wait().unwrap().unwrap())
        };
        let (found, wanted) = (at(&state, simulation), expected(model, &state, rubbing(has_pin)));
        // Boxes are rounded to f32, as a part of the coordinates; the way between two of them by as much.
        let bound = 64.0 * f64::from(f32::EPSILON) * (1.0 + 1.0 / f64::from(S)) * wanted.max(1e-3);
        assert!((found - wanted).abs() <= bound, "{trial}: {found} instead of {wanted}");
        assert!(!is_falling || counts.contains(&wanted), "{trial}: {wanted}");
        let is_least = [LEAST, 2.0 * LEAST, rubbing(true)].contains(&wanted);
        let is_most = wanted == CRUMPLES;
        let kind = if is_least { 0 } else { 1 + usize::from(wanted < LEAST) };
        kinds[if is_most { 3 } else { kind }] += 1;
        // A hundredth is noticed.
        if !is_least && !is_most {
            (0..)
                .zip(&mut state.velocity)
                .filter(|(i, _)| !has_pin || *i != PIN)
                .for_each(|(_, v)| *v *= 1.01);
            let off = (at(&state, simulation) - wanted).abs();
            assert!(off > bound, "{trial}: a change went unnoticed: {off}");
        }
    }
    assert!(kinds.iter().all(|n| *n > 0), "trials of one kind only: {kinds:?}");
}

/// Two sheets, one `apart` \[m\] above the other, which comes down with `speed` [m/s].
fn falling(apart: f32, speed: f32) -> (Model, State) {
    falling_on(ModelBuilder::new(), Layer::default(), apart, speed)
}

fn falling_on(mut builder: ModelBuilder, layer: Layer, apart: f32, speed: f32) -> (Model, State) {
    builder.add(Body { layer, ..sheet([13, 13], Vec3::ZERO) });
    let above = builder.add(Body { layer, ..sheet([13, 13], apart * Vec3::Y) });
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
            // Enough of them for friction in three substeps.
            let settings = settings(solver).with(ITERATIONS, Iterations::Fixed(6));
            let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
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

/// A sheet and a floor that come at each other, in spacings a frame; `is_driven`: by a pin, too.
fn landing([down, up]: [f32; 2], is_driven: bool) -> (Model, State) {
    let velocity = |spacings: f32| spacings * S / FRAME * Vec3::Y;
    let along = |velocity: Vec3| Path::new(vec![(0.0, Vec3::ZERO), (1.0, velocity)]).unwrap();
    let mut builder = ModelBuilder::new();
    builder.add(sheet([13, 13], 0.1 * Vec3::Y));
    let floor = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { path: along(velocity(up)), ..Collider::new(floor) });
    if is_driven {
        builder.pin_along(vec![0], along(-velocity(down)));
    }
    let model = builder.build().unwrap();
    let mut state = model.initial_state().clone();
    state.velocity.fill(-velocity(down));
    (model, state)
}

#[test]
fn what_hits_a_collider_takes_up_to_eight_substeps() {
    let gpu = gpu();
    let cases = [
        ([-1.0, 0.0], false, 1), // away
        ([0.5, 0.0], false, 1),  // not yet
        ([1.2, -1.2], false, 1), // as fast as the floor goes away
        ([0.9, 0.0], false, 5),
        ([0.0, -0.9], false, 1),
        ([0.0, 0.9], false, 5),
        ([3.0, 0.0], false, 8),
        ([0.9, 0.0], true, 5), // not twice
    ];
    for (spacings, is_driven, substeps) in cases {
        let (model, state) = landing(spacings, is_driven);
        let mut simulation = Simulation::new(&gpu, &model, &settings(SolverKind::NewtonMultigrid)).unwrap();
        simulation.set_state(&state).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.substeps(), substeps, "{spacings:?} spacings a frame, driven: {is_driven}");
    }
}

/// Sheets that part are near each other in the first frame alone.
#[test]
fn a_number_holds_for_some_frames() {
    let (model, state) = falling(0.03, -5.0 * S / FRAME);
    let mut simulation = Simulation::new(&gpu(), &model, &settings(SolverKind::NewtonMultigrid)).unwrap();
    simulation.set_state(&state).unwrap();
    for frame in 0..HOLDS + 6 {
        simulation.step().unwrap();
        assert_eq!(simulation.substeps(), if frame < HOLDS + 3 { 5 } else { 1 }, "frame {frame}");
    }
}

/// With shorter substeps than these f32 would not hold what gravity does.
#[test]
fn gravity_limits_how_many_substeps_a_frame_takes() {
    let (model, state) = falling(0.9, 80.0 * S / FRAME);
    let settings = settings(SolverKind::NewtonMultigrid).with(GRAVITY, Vec3::new(0.0, -9.81, 0.0));
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    simulation.set_state(&state).unwrap();
    simulation.step().unwrap();
    let step = simulation.step_length();
    assert!(!keeps_moves(&model, &settings, step), "{step}");
    assert!(keeps_moves(&model, &settings, FRAME / (simulation.substeps() + 1) as f32), "{step}");
    assert_eq!(simulation.substeps_taken().unwrap().short, 1);
}

/// A sheet that is bent by more than a half turn, alone: it may touch itself soon.
#[test]
fn what_is_folded_takes_three_substeps() {
    let mut builder = ModelBuilder::new();
    builder.add(sheet([33, 9], Vec3::ZERO));
    let model = builder.build().unwrap();
    let mut simulation = Simulation::new(&gpu(), &model, &settings(SolverKind::NewtonMultigrid)).unwrap();
    for (turn, substeps) in [(0.5, 1), (5.0, 3)] {
        let mut state = model.initial_state().clone();
        let radius = 32.0 * S / turn;
        for x in &mut state.position {
            let (sin, cos) = (x.x / radius).sin_cos();
            *x = Vec3::new(radius * sin, radius * (1.0 - cos), x.z);
        }
        simulation.set_state(&state).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.substeps(), substeps, "bent by {turn}");
    }
}

/// In one substep the springs of a sheet are 356 times stiffer than what holds a node to its place. 60 iterations are enough where they are 480 times stiffer
/// with `vbd`, 576 with `local-global`, and 30 with it from `start = "inertial"`; where sixteen substeps do not come to that, there are three, and a
/// warning.
#[test]
fn friction_takes_more_substeps_where_iterations_are_few() {
    let gpu = gpu();
    let swept = settings(SolverKind::LocalGlobal);
    for (of, times, substeps, warns) in [
        (settings(SolverKind::Vbd), 1.0, 3, false),
        (settings(SolverKind::Vbd), 30.0, 5, false),
        (settings(SolverKind::Vbd), 100.0, 9, false),
        (settings(SolverKind::Vbd), 1000.0, 3, true),
        (swept.clone(), 1.0, 3, false),
        (swept.clone(), 100.0, 8, false),
        (swept.clone(), 1000.0, 3, true),
        (swept.clone().with(SWEEPS, 2), 100.0, 4, false),
        (swept.clone().with(START, Start::Inertial), 1.0, 4, false),
        (swept.clone().with(CHEBYSHEV, Chebyshev::Off), 1.0, 4, false),
        (swept.with(LINEAR_SOLVER, LinearSolver::ConjugateGradients), 100.0, 6, false),
        (settings(SolverKind::NewtonMultigrid), 100.0, 3, false),
    ] {
        let mut builder = ModelBuilder::new();
        for height in [0.0, 0.009] {
            let mut body = sheet([13, 13], height * Vec3::Y);
            body.springs.iter_mut().for_each(|spring| spring.stiffness *= times);
            builder.add(body);
        }
        let model = builder.build().unwrap();
        let settings = of.with(ITERATIONS, Iterations::Fixed(60));
        let solver = settings.solver;
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.substeps(), substeps, "{solver}, {times} times the stiffness");
        let report = simulation.ask_contact().wait().unwrap().unwrap();
        let found = simulation.warnings_of_contact(&report, true);
        assert_eq!(!found.is_empty(), warns, "{solver}, {times} times the stiffness");
    }
}

/// Springs that yield to a pin would let it force surfaces through each other. It stops after a twentieth of a second.
#[test]
fn pins_that_move_take_as_many_substeps_as_friction() {
    let mut body = sheet([13, 13], Vec3::ZERO);
    body.springs.iter_mut().for_each(|spring| spring.stiffness *= 100.0);
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.pin_along(vec![0], Path::new(vec![(0.0, Vec3::ZERO), (0.05, 1e-3 * Vec3::X)]).unwrap());
    let model = builder.build().unwrap();
    for (solver, substeps) in
        [(SolverKind::Vbd, 9), (SolverKind::LocalGlobal, 8), (SolverKind::NewtonMultigrid, 1)]
    {
        let settings = settings(solver).with(GRAVITY, Vec3::ZERO).with(ITERATIONS, Iterations::Fixed(60));
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        let found: Vec<u32> = (0..5)
            .map(|_| {
                simulation.step().unwrap();
                simulation.substeps()
            })
            .collect();
        assert_eq!(found[..3], [substeps; 3], "{solver}");
        assert_eq!(found[4], 1, "{solver}");
    }
}

/// Without forces between surfaces all is left to the guard.
#[test]
fn where_nodes_are_held_back_frames_take_more_substeps() {
    let (model, state) = falling_on(ModelBuilder::new(), thrown::NO_FORCE, 0.1, 3.5 * S / FRAME);
    let mut simulation = Simulation::new(&gpu(), &model, &settings(SolverKind::SoftConstraint)).unwrap();
    simulation.set_state(&state).unwrap();
    let held = |simulation: &Simulation| simulation.ask_contact().wait().unwrap().unwrap().cut;
    let mut frames = 0;
    while held(&simulation) == 0 {
        simulation.step().unwrap();
        assert_eq!(simulation.substeps(), 4);
        frames += 1;
        assert!(frames < 30, "nothing is held back");
    }
    // The next frame begins with what was held back, and its answer counts three frames later.
    (0..4).for_each(|_| simulation.step().unwrap());
    assert_eq!(simulation.substeps(), 8, "after {frames} frames");
}

#[test]
fn the_number_is_the_same_in_every_run_and_goes_on_from_a_checkpoint() {
    let gpu = gpu();
    // The first node of the sheet below moves.
    let mut builder = ModelBuilder::new();
    builder.pin_along(vec![0], Path::new(vec![(0.0, Vec3::ZERO), (1.0, 0.5 * Vec3::X)]).unwrap());
    let (model, state) = falling_on(builder, Layer::default(), 0.7, 5.0 * S / FRAME);
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
    // Before the first frame; before the number rises; when it has; and one of a run that has begun anew.
    for stop in [0, 1, 4, 9] {
        let mut first = begin();
        if stop == 0 {
            run(&mut first, 9);
            first.set_state(&state).unwrap();
        }
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
