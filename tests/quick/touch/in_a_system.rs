//! Forces of contact in a linear system.

use glam::Vec3;
use taffeta::reference::contact::search::Slot;
use taffeta::settings::{
    CONTACT, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, LINEAR_SOLVER, LinearSolver, SolverKind, TOLERANCE,
};
use taffeta::{Settings, State};

use super::reference::Reference;
use super::{Change, Find, advance, changes, lying_on, simulations};
use crate::common::one_step_settings;

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
pub fn in_a_system(h: f32, gravity: Vec3) -> [Settings; 5] {
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

/// The pairs of the first of two substeps are `slots`, and `find` finds those of the second. `percent`: how much is noticed in the first; twice
/// as much in the second, where sheets have pushed each other off. Returns whether the second was compared.
pub fn check_forces_in_a_system(
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
