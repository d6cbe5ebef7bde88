//! What contact leaves as it is: momentum, and the motion of what has parted.

use glam::{DVec3, Vec3};
use taffeta::model::{Model, ModelBuilder};
use taffeta::settings::{
    CONTACT, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, LINEAR_SOLVER, LinearSolver, SUBSTEPS, SWEEPS,
    SolverKind, Substeps,
};
use taffeta::{Settings, Simulation};

use super::lying;
use crate::common::{gpu, one_step_settings, raw_cloth, thrown::report};

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
