//! One step on the GPU against the f64 reference, with a bound for what rounding may do.
//!
//! The bound is beside each reference ([`crate::reference::bound`]).

use glam::{DQuat, DVec3, Vec3};

use crate::Error;
use crate::gpu::Gpu;
use crate::model::{Model, Turn};
use crate::reference::bound::Bounds;
use crate::reference::colliders::FrictionHistory;
use crate::reference::{self, Forces, Instant, Pull, State64};
use crate::settings::{CONTACT, FORCE, Settings, SolverKind, Substeps, TOLERANCE};
use crate::simulation::Simulation;
use crate::state::State;

/// How far the GPU's step is from the reference's. Field names are keys of JSON objects.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Comparison {
    /// The solver.
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_name"))]
    pub solver: SolverKind,
    /// Length of the step \[s\].
    pub step: f64,
    /// Largest quotient of error and bound; at most one where the kernel computes its method.
    pub worst: f64,
    /// The node where it is reached.
    pub node: u32,
    /// "position" or "velocity".
    pub quantity: &'static str,
    /// The error there \[m\] or [m/s].
    pub error: f64,
    /// The bound there \[m\] or [m/s].
    pub bound: f64,
    /// Largest error of any position \[m\].
    pub position_error: f64,
    /// Largest error of any velocity [m/s].
    pub velocity_error: f64,
}

#[cfg(feature = "serde")]
fn by_name<S: serde::Serializer>(solver: &SolverKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(solver.name())
}

/// Takes one substep from `state` on the GPU and with the reference, and compares. Where an iterative solver
/// would take many sweeps it takes the first few: beyond, rounding alone could explain too much. Contact between surfaces is left out
/// on both sides.
pub fn one_step(gpu: &Gpu, model: &Model, settings: &Settings, state: &State) -> Result<Comparison, Error> {
    one_step_of(gpu, model, model, settings, state)
}

/// [`one_step`] with a model of its own for the GPU: how tests show that a wrong one is noticed.
pub fn one_step_of(
    gpu: &Gpu,
    on_gpu: &Model,
    model: &Model,
    settings: &Settings,
    state: &State,
) -> Result<Comparison, Error> {
    if model.copies() > 1 {
        return Err(Error::Argument("a batch is not compared as one; compare its copies".into()));
    }
    if settings.user_force.is_some() {
        let message = "a scene with user-force cannot be checked: the reference does not know what it does; to check \
                       the rest, take user-force (or user-force-file) out of a copy of the scene";
        return Err(Error::Argument(message.into()));
    }
    if on_gpu.order() != model.order() {
        return Err(Error::Argument(
            "two models whose nodes stand in different orders are not compared".into(),
        ));
    }
    crate::method::check_held(model, settings.solver)?;
    let single = shortened(model, settings)?;
    let mut simulation = Simulation::new(gpu, on_gpu, &single.clone().with(FORCE, true))?;
    simulation.set_state(state)?;
    step_of(simulation, model, single, state, &[])
}

/// Settings for a step that is compared.
fn shortened(model: &Model, settings: &Settings) -> Result<Settings, Error> {
    let mut single = settings.clone().with(CONTACT, false);
    let chosen = crate::method::Stability::of(model, &single).substeps(&single)?;
    single.step.frame_time = (f64::from(settings.step.frame_time) / f64::from(chosen)) as f32;
    single.step.substeps = Substeps::Fixed(1);
    reference::of(settings.solver).shorten(&mut single);
    Ok(single)
}

/// Compares the step of a simulation that is in `state`, with `friction_history` from the step before.
fn step_of(
    mut simulation: Simulation,
    model: &Model,
    mut single: Settings,
    state: &State,
    friction_history: &[Option<FrictionHistory>],
) -> Result<Comparison, Error> {
    let reference = reference::of(single.solver);
    let h = f64::from(simulation.step_length());

    let (pulls, reach) = simulation.pulls();
    let reach = f64::from(reach);
    simulation.step()?;
    let result = simulation.state()?;
    if let Some(effort) = simulation.effort()? {
        // How many iterations it takes is decided by sums that round; the reference does as many.
        single.set(TOLERANCE, None);
        reference.take(&mut single, effort.iterations);
    }

    // Colors and levels follow from the order of the nodes: the reference has that of the GPU.
    let (order, model) = (model.order(), model.in_memory());
    let (state, result) = (&order.state_by_place(state), order.state_by_place(&result));
    let pull = |(node, k, target): (u32, f32, Vec3)| Pull {
        node: order.place(node),
        stiffness: f64::from(k),
        target: target.as_dvec3(),
    };
    let pulls: Vec<Pull> = pulls.into_iter().map(pull).collect();
    let mut expected = State64::from(state);
    move_pins(model, state.time, h, &mut expected);
    let before = expected.clone();
    let at = Instant { time: state.time, step: h };
    let forces = Forces { pulls: &pulls, reach, friction_history, at, ..Forces::of(model, &single) };
    reference.stagger(&forces, h, &mut expected);
    reference.step(&forces, h, &mut expected);
    let at = Instant { time: state.time + h, step: h };
    reference.synchronize(&Forces { at, ..forces }, h, &mut expected);
    let bounds = reference.bounds(&forces, h, &before, &expected);
    let comparison = compare(single.solver, h, &result, &expected, &bounds);
    Ok(Comparison { node: order.node(comparison.node), ..comparison })
}

/// Puts moving pins where their paths are, with the velocity of the coming step.
fn move_pins(model: &Model, time: f64, h: f64, state: &mut State64) {
    for pin in model.moving_pins().iter().filter(|pin| !pin.is_still()) {
        let (from, to) = (pin.path.at(time), pin.path.at(time + h));
        for &node in &pin.nodes {
            let place = pin.place(model.initial_state().position[node as usize]);
            let (position, way) = match &pin.turn {
                Some(turn) => {
                    let (turned, way) = turned(turn, place.as_dvec3(), time, h);
                    (turned + from.as_dvec3(), way)
                }
                None => ((place + from).as_dvec3(), DVec3::ZERO),
            };
            state.position[node as usize] = position;
            state.velocity[node as usize] = ((to - from).as_dvec3() + way) / h;
        }
    }
}

/// Where a turn takes a point \[m\], and how far it does in the step of `h` \[s\] that follows.
fn turned(turn: &Turn, place: DVec3, time: f64, h: f64) -> (DVec3, DVec3) {
    let center = turn.center.as_dvec3();
    let angles = [time, time + h].map(|t| f64::from(turn.angle.at(t)));
    let axis = turn.axis.as_dvec3().normalize();
    let [from, to] = angles.map(|angle| center + DQuat::from_axis_angle(axis, angle) * (place - center));
    (from, to - from)
}

fn compare(solver: SolverKind, h: f64, found: &State, expected: &State64, bounds: &Bounds) -> Comparison {
    let mut report = Comparison {
        solver,
        step: h,
        worst: -1.0,
        node: 0,
        quantity: "position",
        error: 0.0,
        bound: 0.0,
        position_error: 0.0,
        velocity_error: 0.0,
    };
    let mut note = |node: usize, quantity, found: Vec3, expected: DVec3, bound: f64| {
        let error = (found.as_dvec3() - expected).length();
        let largest = match quantity {
            "position" => &mut report.position_error,
            _ => &mut report.velocity_error,
        };
        *largest = largest.max(error);
        // A NaN must count as the worst of all.
        let quotient = if error.is_finite() { error / bound } else { f64::INFINITY };
        if quotient > report.worst {
            (report.worst, report.node, report.quantity) = (quotient, node as u32, quantity);
            (report.error, report.bound) = (error, bound);
        }
    };
    for i in 0..found.position.len() {
        note(i, "position", found.position[i], expected.position[i], bounds.position[i]);
        note(i, "velocity", found.velocity[i], expected.velocity[i], bounds.velocity[i]);
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Collider, ColliderShape, ModelBuilder, Path};
    use crate::settings::{
        CHEBYSHEV, Chebyshev, DRAG, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, LARGEST_STRETCH, SUBSTEPS,
    };
    use crate::shape::{Cloth, RawSprings};

    /// A sheet on a plane that moves and turns. One side of it is at rest, so that it sticks; the other one slides.
    fn sheet() -> Model {
        let raw = RawSprings { structural: 40.0, shear: 20.0, flexion: 4.0, node_mass: 1e-3, dashpot: 0.0 };
        let cloth = Cloth::new([9, 7], 0.08 * Vec3::X, 0.06 * Vec3::Z).at(Vec3::Y * -9.81e-4).of(raw);
        let mut sheet = cloth.build().unwrap();
        sheet.velocity = Some((0..63).map(|i| Vec3::X * 0.1 * (i % 9 - 4).max(0) as f32).collect());
        let mut builder = ModelBuilder::new();
        builder.add(sheet);
        let plane = |y| ColliderShape::Plane { point: Vec3::Y * y, normal: Vec3::Y };
        // Which nothing touches.
        builder.collide(Collider::new(plane(-1.0)));
        builder.collide(Collider {
            thickness: 0.0,
            friction: 0.6,
            stiffness: 1e4,
            slip_speed: 1e-3,
            spin: Vec3::Y * 1e-2,
            path: Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::X * 5e-4)]).unwrap(),
            ..Collider::new(plane(0.0))
        });
        builder.build().unwrap()
    }

    /// Compares the third step, in which nodes that stick have had a force for two steps, which gravity drives down a slope. That
    /// of the GPU is taken times `factor`.
    fn third_step(gpu: &Gpu, solver: SolverKind, slope: f32, factor: f32) -> Comparison {
        let settings = Settings::of(solver)
            .with(FRAME_TIME, 0.002)
            .with(SUBSTEPS, Substeps::Fixed(1))
            .with(ITERATIONS, Iterations::Fixed(2))
            .with(CHEBYSHEV, Chebyshev::Off)
            .with(LARGEST_STRETCH, 1e9)
            .with(DRAG, 3.0)
            .with(GRAVITY, 9.81 * Vec3::new(0.9 * slope, -1.0, 0.44 * slope));
        let model = sheet();
        assert!(model.order().is_given());
        let single = shortened(&model, &settings).unwrap();
        let mut simulation = Simulation::new(gpu, &model, &single.clone().with(FORCE, true)).unwrap();
        (0..2).for_each(|_| simulation.step().unwrap());
        let (state, mut kept) =
            (simulation.state().unwrap(), simulation.friction_history().read(gpu).unwrap());
        let history = |history: &crate::method::FrictionHistory| FrictionHistory {
            collider: history.collider as usize - 1,
            constant: Vec3::from(history.kept).as_dvec3(),
            viscosity: history.drag.into(),
            surface: Vec3::from(history.surface_velocity).as_dvec3(),
        };
        let friction_history: Vec<_> =
            kept.iter().map(|kept| (kept.collider > 0).then(|| history(kept))).collect();
        let is_held = |kept: &&crate::method::FrictionHistory| Vec3::from(kept.kept).length() > 1e-3;
        let held = kept.iter().filter(is_held).count();
        assert!((20..50).contains(&held), "{solver}: {held} of 63 nodes stick");
        kept.iter_mut().for_each(|history| history.kept = history.kept.map(|f| factor * f));
        simulation.set_state(&state).unwrap();
        simulation.friction_history().write(gpu, 0, &kept);
        step_of(simulation, &model, single, &state, &friction_history).unwrap()
    }

    #[test]
    fn friction_that_was_kept_equals_the_reference_and_two_percent_less_is_noticed() {
        let gpu = Gpu::open(&Default::default()).unwrap();
        for solver in SolverKind::ALL.into_iter().filter(|solver| !solver.is_explicit()) {
            // Far from friction's limit, and near it.
            for slope in [0.22, 0.58] {
                let found = third_step(&gpu, solver, slope, 1.0);
                println!("{found:?}");
                assert!((1e-5..=1.0).contains(&found.worst), "{slope}: {found:?}");
                let wrong = third_step(&gpu, solver, slope, 0.98);
                assert!(wrong.worst > 1.0, "{slope}: {wrong:?}");
            }
        }
    }
}
