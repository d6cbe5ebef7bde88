//! Soft contact between surfaces: what it adds to the velocity in one substep equals an f64 computation, which looks at all
//! triangles, within a bound from rounding; and a surface that is 1 % off does not. So do forces in a linear system,
//! where that is solved. Contact keeps momentum. `guard.rs` says that what
//! meets nothing moves as without contact, and that copies and checkpoints make no difference.

mod reference;

use crate::common::crossing::{Folds, crossing, crossing_at};
use crate::common::{Random, gpu, one_step_settings, raw_cloth, thrown::report};
use glam::{DVec3, Vec3};
use taffeta::model::{Body, Layer, Model, ModelBuilder};
use taffeta::reference::contact::search::Slot;
use taffeta::settings::{
    CONTACT, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, LINEAR_SOLVER, LinearSolver, SUBSTEPS, SWEEPS,
    SolverKind, Substeps, TOLERANCE,
};
use taffeta::{Settings, Simulation, State};

use reference::{Fabric, Reference};

/// Thickness of both sheets \[m\].
const THICKNESS: [f32; 2] = [0.02, 0.024];
/// Their friction \[1\].
const FRICTION: [f32; 2] = [0.3, 0.5];

/// A sheet, moved and turned a little, rough and without tension.
fn rough(mut body: Body, by: Vec3, turn: f32, layer: usize, random: &mut Random) -> Body {
    let turn = glam::Quat::from_rotation_y(turn);
    let rough = |x: &Vec3| turn * *x + by + 0.0007 * random.vector();
    body.rest_position = body.rest_position.iter().map(rough).collect();
    let at = |i: u32| body.rest_position[i as usize];
    body.springs.iter_mut().for_each(|s| s.rest_length = at(s.nodes[0]).distance(at(s.nodes[1])));
    (body.layer.thickness, body.layer.friction) = (Some(THICKNESS[layer]), FRICTION[layer]);
    Body { grid: None, ..body }
}

/// Two sheets on each other, closer than their thickness, which move at random with speeds up to `speed`.
fn lying(seed: u64, speed: f32) -> Model {
    lying_on(seed, speed, false, 1.0)
}

/// The same; whether the lower one is held, and a factor on friction.
fn lying_on(seed: u64, speed: f32, is_held: bool, roughness: f32) -> Model {
    let mut random = Random(seed);
    let springs = [20.0, 10.0, 2.0];
    let mut builder = ModelBuilder::new();
    let low = raw_cloth([7, 6], [Vec3::X * 0.3, Vec3::Z * 0.25], springs, 2e-3, 0.0);
    let high = raw_cloth([5, 5], [Vec3::X * 0.18, Vec3::Z * 0.19], springs, 3e-3, 0.0);
    let offset = Vec3::new(0.03, 0.012, 0.05) + 0.01 * Vec3::new(1.0, 0.3, 1.0) * random.vector();
    for (layer, (body, by)) in [(low, Vec3::ZERO), (high, offset)].into_iter().enumerate() {
        let turn = 0.2 * random.vector().x * layer as f32;
        let mut body = rough(body, by, turn, layer, &mut random);
        body.layer.friction *= roughness;
        let is_held = is_held && layer == 0;
        let speed = if is_held { 0.0 } else { speed };
        let velocity = body.rest_position.iter().map(|_| speed * random.vector()).collect();
        let pinned = if is_held { (0..body.rest_position.len() as u32).collect() } else { Vec::new() };
        builder.add(Body { velocity: Some(velocity), pinned, ..body });
    }
    builder.build().unwrap()
}

/// Five sheets on each other, so near that nodes of the middle one touch all others.
fn stacked(seed: u64, speed: f32) -> Model {
    let mut random = Random(seed);
    let mut builder = ModelBuilder::new();
    for layer in 0..5 {
        let body = raw_cloth([3, 3], [Vec3::X * 0.1, Vec3::Z * 0.1], [20.0, 10.0, 2.0], 2e-3, 0.0);
        let by =
            Vec3::new(0.0, 0.0095 * layer as f32, 0.0) + 0.012 * random.vector() * Vec3::new(1.0, 0.0, 1.0);
        let body = rough(body, by, 0.2 * random.vector().x, layer % 2, &mut random);
        let velocity = body.rest_position.iter().map(|_| speed * random.vector()).collect();
        builder.add(Body { velocity: Some(velocity), ..body });
    }
    builder.build().unwrap()
}

/// The largest quotient of error and bound.
fn worst(reference: &Reference, slots: &[Slot], [off, on]: &[State; 2]) -> f64 {
    let change = reference.change(slots);
    let each = change.iter().enumerate().map(|(i, (expected, bound))| {
        let found = on.velocity[i].as_dvec3() - off.velocity[i].as_dvec3();
        (found - *expected).length() / bound
    });
    each.fold(0.0, f64::max)
}

type Change = fn(&mut Fabric);

/// What decides over a force, 1 % off.
fn changes(slides: bool) -> [(&'static str, Change); 3] {
    let along: (&str, Change) = match slides {
        true => ("friction", |f| f.friction *= 1.01),
        false => ("what friction stops", |f| f.stopped *= 1.01),
    };
    [("thickness", |f| f.thickness *= 1.01), ("stiffness", |f| f.stiffness *= 1.01), along]
}

/// A substep without contact and with it.
fn states(model: &Model, settings: &Settings) -> [State; 2] {
    let mut simulations = simulations(model, settings);
    advance(&mut simulations, settings)
}

/// Without contact and with it.
fn simulations(model: &Model, settings: &Settings) -> [Simulation; 2] {
    let of = |contact| Simulation::new(&gpu(), model, &settings.clone().with(CONTACT, contact)).unwrap();
    [false, true].map(of)
}

/// A substep of both from the state of the second.
fn advance(simulations: &mut [Simulation; 2], settings: &Settings) -> [State; 2] {
    let start = simulations[1].state().unwrap();
    simulations[0].set_state(&start).unwrap();
    [false, true].map(|contact| {
        let simulation = &mut simulations[usize::from(contact)];
        simulation.step().unwrap();
        if contact {
            assert_eq!(report(simulation).cut, 0);
            let effort = simulation.effort().unwrap();
            assert!(effort.is_none_or(|effort| effort.most < settings.iterations()), "{effort:?}");
        }
        simulation.state().unwrap()
    })
}

/// Forces that are constant in a substep, and what is 1 % off.
fn check_forces(settings: &Settings, slides: bool, reference: &mut Reference, slots: &[Slot]) {
    let states = states(reference.model, settings);
    let found = worst(reference, slots, &states);
    let solver = settings.solver;
    assert!((1e-3..=1.0).contains(&found), "{solver}, slides: {slides}: {found}");
    check_changes(settings, slides, reference, slots, &states);
}

/// What is 1 % off is noticed.
fn check_changes(
    settings: &Settings,
    slides: bool,
    reference: &mut Reference,
    slots: &[Slot],
    states: &[State; 2],
) {
    let solver = settings.solver;
    for (what, change) in changes(slides) {
        let right = reference.fabrics.clone();
        reference.fabrics.iter_mut().for_each(change);
        let found = worst(reference, slots, states);
        assert!(found > 1.0, "{solver}, slides: {slides}: 1 % of {what} went unnoticed: {found}");
        reference.fabrics = right;
    }
}

#[test]
fn forces_of_sheets_on_each_other_equal_the_reference() {
    for solver in [SolverKind::SymplecticEuler, SolverKind::ExplicitEuler] {
        // Slow pairs are stopped by friction, fast ones slide.
        for speed in [0.3, 3e-3] {
            let (mut compared, mut pairs, mut beyond) = (0, 0, 0);
            for seed in 1.. {
                let model = lying(seed, speed);
                let settings = one_step_settings(solver).with(CONTACT, true);
                let h = f64::from(settings.step.frame_time);
                let mut reference = Reference::new(&model, h);
                let Some(slots) = reference.touching() else { continue };
                check_forces(&settings, speed > 0.1, &mut reference, &slots);
                compared += 1;
                pairs += slots.len();
                beyond += slots.iter().filter(|slot| slot.side == 0.0).count();
                if compared == 4 {
                    println!(
                        "{solver}, {speed} m/s: {pairs} pairs, {beyond} of them beyond a face, in seeds to {seed}"
                    );
                    break;
                }
            }
            assert!(pairs > 100 && beyond > 4, "{pairs} pairs, {beyond} beyond a face");
        }
    }
}

/// The error of all nodes together and its bound. A's smallest eigenvalue is above the least m / h^2: what forces are off
/// by is passed on to velocities by h / m at most.
fn error_of_all(reference: &Reference, settings: &Settings, slots: &[Slot], [off, on]: &[State; 2]) -> f64 {
    let expected = reference.implicit_change(settings, slots);
    let (mut error, mut bound) = (0.0, 0.0);
    for (i, (expected, (_, rounding))) in expected.iter().zip(reference.change(slots)).enumerate() {
        error += (on.velocity[i].as_dvec3() - off.velocity[i].as_dvec3()).distance_squared(*expected);
        bound += rounding * rounding;
    }
    let masses = (0..expected.len()).map(|i| f64::from(reference.model.inverse_mass(i))).filter(|w| *w > 0.0);
    let (least, most) = masses.fold((f64::MAX, 0f64), |(least, most), w| (least.min(w), most.max(w)));
    (error / bound).sqrt() / (most / least)
}

/// Methods with forces of contact in a linear system.
fn in_a_system(h: f32, gravity: Vec3) -> [Settings; 5] {
    let of = |solver, linear_solver, iterations| {
        one_step_settings(solver)
            .with(FRAME_TIME, h)
            .with(CONTACT, true)
            .with(GRAVITY, gravity)
            .with(LINEAR_SOLVER, linear_solver)
            .with(ITERATIONS, Iterations::Fixed(iterations))
    };
    [
        of(SolverKind::ImplicitEuler, None, 40),
        of(SolverKind::ImplicitEuler, Some(LinearSolver::Jacobi), 400),
        of(SolverKind::ImplicitEuler, Some(LinearSolver::GaussSeidel), 400),
        of(SolverKind::SoftConstraint, None, 40),
        of(SolverKind::SoftConstraint, None, 400).with(TOLERANCE, 1e-5),
    ]
}

/// What finds the pairs of a reference in a linear system.
type Find = fn(&Reference) -> Option<Vec<Slot>>;

/// The pairs of the first of two substeps are `slots`, and `find` finds those of the second. `percent`: how much is noticed in the first; twice
/// as much in the second, where sheets have pushed each other off. Returns whether the second was compared.
fn check_forces_in_a_system(
    settings: &Settings,
    percent: u32,
    reference: &mut Reference,
    slots: &[Slot],
    find: Find,
) -> bool {
    let mut simulations = simulations(reference.model, settings);
    let states = advance(&mut simulations, settings);
    check_substep_in_a_system(settings, percent, reference, slots, &states);
    let pushing = reference.pushing(slots);
    if pushing.len() < slots.len() {
        let found = error_of_all(reference, settings, &pushing, &states);
        assert!(found > 1.0, "{settings:?}: pairs that pull went unnoticed: {found}");
    }
    // The next one knows what the guess of the normal force has lacked.
    let mut next = reference.after(slots, &states[1]);
    let Some(slots) = find(&next) else { return false };
    let states = advance(&mut simulations, settings);
    check_substep_in_a_system(settings, 2 * percent, &mut next, &slots, &states);
    let lack = std::mem::take(&mut next.lack);
    let found = error_of_all(&next, settings, &slots, &states);
    // In short substeps pairs hardly give way, and guesses are right.
    let is_long = settings.step.frame_time > 0.005;
    assert!(
        found > 1.0 || !is_long,
        "{settings:?}: {lack:?}, which guesses have lacked, went unnoticed: {found}"
    );
    next.lack = lack;
    let kept = std::mem::take(&mut next.kept);
    let found = error_of_all(&next, settings, &slots, &states);
    assert!(
        found > 1.0 || !sticks(reference),
        "{settings:?}: {kept:?}, which pairs have kept, went unnoticed: {found}"
    );
    true
}

/// Only what is at rest at the start sticks in two substeps.
fn sticks(reference: &Reference) -> bool {
    reference.model.initial_state().velocity.iter().all(|v| *v == Vec3::ZERO)
}

fn check_substep_in_a_system(
    settings: &Settings,
    percent: u32,
    reference: &mut Reference,
    slots: &[Slot],
    states: &[State; 2],
) {
    let found = error_of_all(reference, settings, slots, states);
    assert!((1e-5..=1.0).contains(&found), "{settings:?}: {found}");
    let sticks = sticks(reference);
    let foreseen = changes(false).into_iter().filter(|_| settings.world.gravity != Vec3::ZERO);
    // What sticks hardly shows a limit.
    let decisive =
        |(what, _): &(&str, Change)| !(sticks && ["friction", "what friction stops"].contains(what));
    for (what, change) in changes(true).into_iter().chain(foreseen).filter(decisive) {
        let right = reference.fabrics.clone();
        (0..percent).for_each(|_| reference.fabrics.iter_mut().for_each(change));
        let found = error_of_all(reference, settings, slots, states);
        assert!(found > 1.0, "{settings:?}: {percent} % of {what} went unnoticed: {found}");
        reference.fabrics = right;
    }
}

#[test]
fn forces_of_nodes_that_touch_four_layers_equal_the_reference() {
    let settings = one_step_settings(SolverKind::SymplecticEuler).with(CONTACT, true);
    let (mut compared, mut full) = (0, 0);
    for seed in 1..8000 {
        let model = stacked(seed, 0.3);
        let mut reference = Reference::new(&model, f64::from(settings.step.frame_time));
        let Some(slots) = reference.touching() else { continue };
        let mut pairs = vec![0; model.node_count()];
        slots.iter().for_each(|slot| pairs[slot.vertex] += 1);
        let is_full = pairs.iter().filter(|pairs| **pairs == 4).count();
        if is_full == 0 {
            continue;
        }
        check_forces(&settings, true, &mut reference, &slots);
        (compared, full) = (compared + 1, full + is_full);
        println!("seed {seed}: {} pairs, {is_full} nodes in four", slots.len());
        if compared == 3 {
            break;
        }
    }
    assert!(compared == 3 && full > 5, "{compared}, {full} nodes");
}

#[test]
fn forces_of_edges_equal_the_reference() {
    let layers = |rough: f32| {
        [0, 1].map(|k| Layer {
            thickness: Some(0.0199 + 0.0002 * k as f32),
            friction: rough * FRICTION[k],
            ..Layer::default()
        })
    };
    // Slow pairs are stopped by friction, fast ones slide.
    for (seed, speed, slides) in [(1, 1.0, true), (2, 1.0, true), (3, 0.1, false), (4, 0.1, false)] {
        let model = crossing(5, seed, layers(3.0), speed, false);
        for solver in [SolverKind::SymplecticEuler, SolverKind::ExplicitEuler] {
            let settings = one_step_settings(solver).with(CONTACT, true);
            let mut reference = Reference::new(&model, f64::from(settings.step.frame_time));
            let slots = reference.edges();
            check_forces(&settings, slides, &mut reference, &slots);
        }
    }
    // Shallow folds keep the less of their thickness the shallower they are, and the shallowest are none.
    let mut parts = Vec::new();
    for slope in [0.13, 0.1, 0.075, 0.055, 0.045] {
        // What is kept reaches a tenth of a millimeter beyond the gap of 1.5 mm.
        let kept = 1.0 - 0.15 * (0.15 - slope) / 0.1;
        let layer = Layer { thickness: Some(1.6e-3 / kept), friction: 0.9, ..Layer::default() };
        let model = crossing_at(5, layer, 1.0, Folds { slope, gap: 1.5e-3, roughness: 1e-5 });
        let settings = one_step_settings(SolverKind::SymplecticEuler).with(CONTACT, true);
        let states = states(&model, &settings);
        if slope < 0.05 {
            assert_eq!(states[0].velocity, states[1].velocity);
            continue;
        }
        let mut reference = Reference::new(&model, f64::from(settings.step.frame_time));
        let slots = reference.shallow_edges();
        let found = worst(&reference, &slots, &states);
        assert!(found <= 1.0, "{slope}: {found}");
        check_changes(&settings, true, &mut reference, &slots, &states);
        parts.push(reference.part_kept);
    }
    assert!(parts.is_sorted_by(|a, b| a > b) && parts[0] < 0.98 && parts[3] < 0.87, "{parts:?}");
    for seed in [1, 3] {
        let model = crossing(5, seed, layers(5.0), 1.0, false);
        for settings in in_a_system(2e-3, Vec3::ZERO) {
            let mut reference = Reference::new(&model, f64::from(settings.step.frame_time));
            let slots = reference.edges();
            let find: Find = |next| Some(next.edges());
            assert!(check_forces_in_a_system(&settings, 2, &mut reference, &slots, find));
        }
    }
}

#[test]
fn forces_in_a_linear_system_equal_the_reference() {
    // Slow pairs are stopped, by a least slip that the step decides in the longer one; fast ones slide; and some in yet longer substeps, in
    // which pairs give way. Then a sheet begins to slide on one that is held, which has to be foreseen. At last it sticks there.
    for (speed, h, percent, pull, roughness) in [
        (0.3, 2e-3, 1, 0.0, 1.0),
        (3e-3, 2e-3, 1, 0.0, 1.0),
        (3e-3, 4e-3, 1, 0.0, 1.0),
        (0.2, 0.01f32, 2, 0.0, 1.0),
        (3e-3, 2e-3, 2, 150.0, 1.0),
        (0.0, 4e-3, 2, 3.0, 5.0),
    ] {
        let gravity = pull * Vec3::X;
        // How often the second substep was compared, with each of the settings.
        let all = in_a_system(h, gravity);
        // What sticks takes many iterations.
        let all = if roughness == 1.0 { all.to_vec() } else { vec![all[0].clone(), all[4].clone()] };
        let (mut second, mut pulling) = (vec![0; all.len()], 0);
        for seed in 1.. {
            let model = lying_on(seed, speed, pull > 0.0, roughness);
            let begun = || Reference::new(&model, h.into()).falling(gravity);
            let Some(slots) = begun().in_a_system() else { continue };
            pulling += slots.len() - begun().pushing(&slots).len();
            for (settings, second) in all.iter().zip(&mut second) {
                let mut reference = begun();
                *second +=
                    u32::from(check_forces_in_a_system(settings, percent, &mut reference, &slots, |next| {
                        next.in_a_system()
                    }));
            }
            if second.iter().all(|times| *times > 1) {
                println!("{speed} m/s: {pulling} pairs pull, in seeds to {seed}");
                break;
            }
        }
        assert!(speed < 0.3 || pulling > 0);
    }
}

/// Linear momentum of the nodes of a body \[kg m/s\].
fn momentum(model: &Model, body: usize, velocity: &[Vec3]) -> DVec3 {
    let nodes = model.bodies()[body].nodes.clone();
    nodes.map(|i| velocity[i as usize].as_dvec3() / f64::from(model.inverse_mass(i as usize))).sum()
}

#[test]
fn sheets_that_collide_keep_their_momentum() {
    const FRAMES: u32 = 30;
    let mut model = lying(1, 0.02);
    let upper = model.bodies()[1].nodes.clone();
    // The upper one falls on the lower one and slides.
    model.disturb(|i| [Vec3::ZERO, if upper.contains(&i) { Vec3::new(0.2, -0.2, 0.0) } else { Vec3::ZERO }]);
    let solvers = [
        SolverKind::SymplecticEuler,
        SolverKind::Verlet,
        SolverKind::Rk4,
        SolverKind::Xpbd,
        SolverKind::NewtonMultigrid,
    ];
    for solver in solvers {
        let settings = one_step_settings(solver).with(CONTACT, true).with(GRAVITY, Vec3::ZERO);
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        let mut bound = 0.0;
        let start = model.initial_state().velocity.clone();
        let of = |velocity: &[Vec3]| [0, 1].map(|body| momentum(&model, body, velocity));
        let mut before = start.clone();
        for _ in 0..FRAMES {
            simulation.step().unwrap();
            let velocity = simulation.state().unwrap().velocity;
            // Each substep rounds a velocity once or twice, and the forces that change it, which are a few times their sum.
            for (i, (v, u)) in velocity.iter().zip(&before).enumerate() {
                let size = v.length().max(u.length()) + 8.0 * v.distance(*u);
                bound += 2.0 * f64::from(f32::EPSILON * size / model.inverse_mass(i));
            }
            before = velocity;
        }
        let (from, to) = (of(&start), of(&before));
        let lost = ((from[0] + from[1]) - (to[0] + to[1])).length();
        let given = (to[0] - from[0]).length();
        println!("{solver}: {lost:.1e} of {given:.1e} kg m/s are lost, at most {bound:.1e}");
        assert_eq!(report(&simulation).cut, 0);
        assert!(lost <= bound, "{solver}: {lost} kg m/s, not {bound}");
        // What one percent of a reaction would be.
        assert!(0.01 * given > bound, "{solver}: {given} kg m/s changed bodies, bound {bound}");
    }
}

/// Two flat sheets in zero gravity, the upper one within the thickness of the lower one: they push each other off.
fn pressed() -> Model {
    let mut builder = ModelBuilder::new();
    for above in [0.0, 0.016] {
        let mut body = raw_cloth([9, 9], [Vec3::X * 0.1, Vec3::Z * 0.1], [20.0, 10.0, 2.0], 2e-3, 0.0);
        body.rest_position.iter_mut().for_each(|x| *x += above * Vec3::new(0.2, 1.0, 0.3));
        body.layer.thickness = Some(0.02);
        builder.add(body);
    }
    builder.build().unwrap()
}

fn pressed_settings(solver: SolverKind) -> Settings {
    Settings::of(solver).with(CONTACT, true).with(GRAVITY, Vec3::ZERO)
}

/// What pairs leave in rows of nodes must not outlast them.
#[test]
fn sheets_that_have_parted_fly_freely() {
    let model = pressed();
    let solved = pressed_settings(SolverKind::LocalGlobal)
        .with(LINEAR_SOLVER, LinearSolver::ConjugateGradients)
        .with(SWEEPS, 3)
        .with(ITERATIONS, Iterations::Fixed(4));
    let others = [
        SolverKind::SymplecticEuler,
        SolverKind::ImplicitEuler,
        SolverKind::SoftConstraint,
        SolverKind::NewtonMultigrid,
        SolverKind::LocalGlobal,
        SolverKind::Vbd,
        SolverKind::Xpbd,
    ];
    for settings in others.map(pressed_settings).into_iter().chain([solved]) {
        let settings = settings.with(FRAME_TIME, 1.0 / 240.0).with(SUBSTEPS, Substeps::Fixed(1));
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        let speed = |simulation: &mut Simulation, frames: u32| {
            (0..frames).for_each(|_| simulation.step().unwrap());
            momentum(&model, 1, &simulation.state().unwrap().velocity).length() / (81.0 * 2e-3)
        };
        let [parted, later] = [80, 20].map(|frames| speed(&mut simulation, frames));
        assert!(parted > 0.05, "{settings:?}: {parted} m/s");
        assert!((later - parted).abs() < 0.01 * parted, "{settings:?}: {parted} m/s, then {later} m/s");
        // Torn apart in the midst of contact.
        simulation.reset().unwrap();
        let pushed = speed(&mut simulation, 1);
        let touches = |simulation: &Simulation| simulation.ask_touches().wait().unwrap();
        assert!(touches(&simulation), "{settings:?}");
        let mut apart = model.initial_state().clone();
        apart.position[81..].iter_mut().for_each(|x| x.y += 1.0);
        simulation.set_state(&apart).unwrap();
        let left = speed(&mut simulation, 3);
        assert!(left < 1e-3 * pushed, "{settings:?}: {left} m/s after {pushed} m/s");
        assert!(!touches(&simulation), "{settings:?}");
    }
}

/// Velocity Verlet: v_n = (x_(n+1) - x_(n-1)) / 2 h.
#[test]
fn velocities_of_verlet_know_the_forces_of_contact() {
    let model = pressed();
    let settings =
        pressed_settings(SolverKind::Verlet).with(FRAME_TIME, 1e-3).with(SUBSTEPS, Substeps::Fixed(1));
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    let mean = |all: &[Vec3]| momentum(&model, 1, all) / (81.0 * 2e-3);
    let states: Vec<[DVec3; 2]> = (0..8)
        .map(|_| {
            simulation.step().unwrap();
            let state = simulation.state().unwrap();
            [mean(&state.position), mean(&state.velocity)]
        })
        .collect();
    for three in states.windows(3) {
        let [[before, _], [now, velocity], [after, _]] = three else { unreachable!() };
        let contact = (*after - 2.0 * *now + *before).length() / 2e-3;
        let error = (*velocity - (*after - *before) / 2e-3).length();
        assert!(contact > 1e-3 && error < 0.2 * contact, "{error} m/s, forces give {contact} m/s");
    }
}
