//! Soft contact between surfaces: what it adds to the velocity in one substep equals an f64 computation, which looks at all
//! triangles, within a bound from rounding; and a surface that is 1 % off does not. So do forces in a linear system,
//! where that is solved (`in_a_system.rs`). Contact keeps momentum (`motion.rs`). `guard.rs` says that what
//! meets nothing moves as without contact, and that copies and checkpoints make no difference.

mod in_a_system;
mod motion;
mod reference;

use crate::common::crossing::{Folds, crossing, crossing_at};
use crate::common::{Random, gpu, one_step_settings, raw_cloth, thrown::report};
use glam::Vec3;
use taffeta::model::{Body, Layer, Model, ModelBuilder};
use taffeta::reference::contact::search::Slot;
use taffeta::settings::{CONTACT, FRAME_TIME, SolverKind};
use taffeta::{Settings, Simulation, State};

use in_a_system::{check_forces_in_a_system, in_a_system};
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

/// What finds the pairs of a reference.
type Find = fn(&Reference) -> Option<Vec<Slot>>;

/// Forces that are constant in a substep, and what is 1 % off. Returns the simulations, and the state of the second where the substep ends.
fn check_forces(
    settings: &Settings,
    slides: bool,
    reference: &mut Reference,
    slots: &[Slot],
) -> ([Simulation; 2], State) {
    let mut simulations = simulations(reference.model, settings);
    let states = advance(&mut simulations, settings);
    check_substep(settings, slides, reference, slots, &states);
    check_changes(settings, slides, reference, slots, &states);
    let [_, end] = states;
    (simulations, end)
}

/// The same for a second substep, to which the first one, with the pairs `slots`, leaves what friction has kept. `find` finds its pairs. Returns
/// whether it was compared.
fn check_forces_twice(
    settings: &Settings,
    slides: bool,
    reference: &mut Reference,
    slots: &[Slot],
    find: Find,
) -> bool {
    let (mut simulations, state) = check_forces(settings, slides, reference, slots);
    let mut next = reference.after_forces(slots, &state);
    let Some(slots) = find(&next) else { return false };
    let states = advance(&mut simulations, settings);
    check_substep(settings, slides, &next, &slots, &states);
    next.kept.values_mut().for_each(|kept| *kept *= 1.05);
    let found = worst(&next, &slots, &states);
    // What slides has its limit, whatever was kept.
    let solver = settings.solver;
    assert!(found > 1.0 || slides, "{solver}: 5 % of what friction has kept went unnoticed: {found}");
    true
}

fn check_substep(
    settings: &Settings,
    slides: bool,
    reference: &Reference,
    slots: &[Slot],
    states: &[State; 2],
) {
    let found = worst(reference, slots, states);
    let solver = settings.solver;
    assert!((1e-3..=1.0).contains(&found), "{solver}, slides: {slides}: {found}");
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
            let (mut compared, mut second, mut pairs, mut beyond) = (0, 0, 0, 0);
            for seed in 1.. {
                let model = lying(seed, speed);
                let settings = one_step_settings(solver).with(CONTACT, true);
                let h = f64::from(settings.step.frame_time);
                let mut reference = Reference::new(&model, h);
                let Some(slots) = reference.touching() else { continue };
                let find: Find = |next| next.touching();
                second += u32::from(check_forces_twice(&settings, speed > 0.1, &mut reference, &slots, find));
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
            assert!(
                pairs > 100 && beyond > 4 && second > 0,
                "{pairs} pairs, {beyond} beyond a face, {second}"
            );
        }
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
    // Slow pairs are stopped by friction, fast ones slide. In short substeps they touch in the next one, too.
    let long = one_step_settings(SolverKind::SymplecticEuler).step.frame_time;
    for (seed, speed, h, slides) in
        [(1, 1.0, long, true), (2, 1.0, long, true), (3, 0.2, 1e-3, false), (4, 0.2, 1e-3, false)]
    {
        let model = crossing(5, seed, layers(if slides { 1.0 } else { 10.0 }), speed, false);
        for solver in [SolverKind::SymplecticEuler, SolverKind::ExplicitEuler] {
            let settings = one_step_settings(solver).with(CONTACT, true).with(FRAME_TIME, h);
            let mut reference = Reference::new(&model, h.into());
            let slots = reference.edges();
            if slides {
                check_forces(&settings, slides, &mut reference, &slots);
                continue;
            }
            let find: Find = |next| Some(next.edges());
            assert!(check_forces_twice(&settings, slides, &mut reference, &slots, find));
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
