//! Verlet: L. Verlet, "Computer experiments on classical fluids", Physical Review 159, 1967,
//! <https://doi.org/10.1103/PhysRev.159.98>; as leapfrog, with the staggered velocity
//! u = (x - x_previous) / h in place of the previous position.
//!
//! ```text
//! start          u = v - h a(x, v) / 2
//! step           u+ = exp(-drag h) u + h a(x, u),   x+ = x + h u+
//! synchronized   v = u + h a(x, u) / 2
//! from h to h'   u+ = exp(-drag (h + h') / 2) u + (h + h') / 2 a(x, u),   x+ = x + h' u+
//! ```
//!
//! Limits: second order without velocity-dependent forces and drag, first order with them; stable
//! for h < 2 / omega. Pinned nodes are not staggered.

use super::bound::{self, Bounds};
use super::{Forces, Reference, State64};

/// Turns the velocities at the time of the positions into the staggered ones, `h` \[s\] the length of
/// the step that follows.
pub fn stagger(forces: &Forces<'_>, h: f64, state: &mut State64) {
    kick(forces, -0.5 * h, state);
}

/// Turns the staggered velocities into those at the time of the positions, `h` \[s\] the length of the
/// step before.
pub fn synchronize(forces: &Forces<'_>, h: f64, state: &mut State64) {
    kick(forces, 0.5 * h, state);
}

/// One step of length `h` \[s\] after a step of the same length.
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    step_after(forces, h, h, state);
}

/// One step of length `h` \[s\] after a step of length `before` \[s\].
pub fn step_after(forces: &Forces<'_>, before: f64, h: f64, state: &mut State64) {
    let between = 0.5 * (before + h);
    let acceleration = forces.acceleration(&state.position, &state.velocity);
    let drag = forces.drag_factor(between);
    for (i, a) in acceleration.into_iter().enumerate() {
        if forces.is_free(i) {
            state.velocity[i] = drag * state.velocity[i] + between * a;
        }
        state.position[i] += h * state.velocity[i];
    }
    state.time += h;
}

/// Adds `time` \[s\] times the acceleration to every velocity.
fn kick(forces: &Forces<'_>, time: f64, state: &mut State64) {
    let acceleration = forces.acceleration(&state.position, &state.velocity);
    for (v, a) in state.velocity.iter_mut().zip(acceleration) {
        *v += time * a;
    }
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    fn stagger(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        stagger(forces, h, state);
    }

    fn synchronize(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        synchronize(forces, h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        let loads = bound::loads(forces, h, before);
        let mut bounds = bound::explicit(forces, h, before, after, &loads);
        // Half kicks before and after the step: the second sees positions that carry the step's error.
        let widest = bounds.position.iter().copied().fold(0.0, f64::max);
        for (i, load) in loads.iter().enumerate() {
            let w = f64::from(forces.model.inverse_mass(i));
            bounds.velocity[i] = 2.0 * bounds.velocity[i]
                + h * w * (load.stiffness * load.excess + 2.0 * load.bending) * widest;
            bounds.position[i] *= 1.5;
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::energy;
    use crate::model::Model;
    use crate::reference::fixture;
    use crate::settings::{DAMPING, DRAG, Settings};

    fn sheet() -> Model {
        fixture::changed(&fixture::cloth(3, 3, &[0]), 1.0, 0.0)
    }

    /// The synchronized state after `time` in steps of `h`.
    fn run(model: &Model, settings: &Settings, h: f64, time: f64) -> State64 {
        let forces = Forces::of(model, settings);
        let mut state = fixture::disturbed(model);
        stagger(&forces, h, &mut state);
        for _ in 0..(time / h).round() as usize {
            step(&forces, h, &mut state);
        }
        synchronize(&forces, h, &mut state);
        state
    }

    #[test]
    fn positions_and_velocities_are_of_second_order() {
        let (model, settings) = (sheet(), Settings::default());
        let exact = run(&model, &settings, 2e-6, 0.02);
        let (coarse, fine) = (run(&model, &settings, 4e-4, 0.02), run(&model, &settings, 2e-4, 0.02));
        let error = fixture::distance;
        let ratio = error(&coarse.position, &exact.position) / error(&fine.position, &exact.position);
        assert!((3.9..4.1).contains(&ratio), "positions: {ratio}");
        let ratio = error(&coarse.velocity, &exact.velocity) / error(&fine.velocity, &exact.velocity);
        assert!((3.9..4.1).contains(&ratio), "velocities: {ratio}");
    }

    #[test]
    fn it_is_first_order_with_damping() {
        let model = sheet();
        let settings = Settings::default().with(DAMPING, 2.0).with(DRAG, 1.0);
        let exact = run(&model, &settings, 1e-6, 0.02).position;
        let error = |h| fixture::distance(&run(&model, &settings, h, 0.02).position, &exact);
        let ratio = error(4e-4) / error(2e-4);
        assert!((1.8..4.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_change_of_step_keeps_second_order() {
        let (model, settings) = (sheet(), Settings::default());
        let forces = Forces::of(&model, &settings);
        let exact = run(&model, &settings, 2e-6, 0.02).position;
        let error = |h: f64| {
            let mut state = fixture::disturbed(&model);
            stagger(&forces, h, &mut state);
            let count = (0.01 / h).round() as usize;
            for _ in 0..count {
                step(&forces, h, &mut state);
            }
            step_after(&forces, h, 0.5 * h, &mut state);
            for _ in 1..2 * count {
                step(&forces, 0.5 * h, &mut state);
            }
            fixture::distance(&state.position, &exact)
        };
        let ratio = error(4e-4) / error(2e-4);
        assert!((3.8..4.2).contains(&ratio), "{ratio}");
    }

    #[test]
    fn it_runs_backwards_to_where_it_came_from() {
        let (model, settings) = (sheet(), Settings::default());
        let forces = Forces::of(&model, &settings);
        let mut state = run(&model, &settings, 1e-3, 0.1);
        for v in &mut state.velocity {
            *v = -*v;
        }
        stagger(&forces, 1e-3, &mut state);
        for _ in 0..100 {
            step(&forces, 1e-3, &mut state);
        }
        assert!(fixture::distance(&state.position, &fixture::disturbed(&model).position) < 1e-12);
    }

    #[test]
    fn energy_does_not_drift() {
        let (model, settings) = (sheet(), Settings::default());
        let energy = |time| energy::total(&model, &settings, &run(&model, &settings, 1e-3, time));
        let kinetic = energy::kinetic(&model, &fixture::disturbed(&model).velocity);
        let before = energy(0.0);
        for time in [1.0, 5.0, 20.0] {
            assert!((energy(time) - before).abs() < 0.02 * kinetic, "{time} s");
        }
    }
}
