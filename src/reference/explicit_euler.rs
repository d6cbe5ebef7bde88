//! Explicit (forward) Euler: L. Euler, Institutiones calculi integralis, 1768.
//!
//! ```text
//! a = f(x, v) / m
//! x+ = x + h v
//! v+ = (v + h a) exp(-drag h)
//! ```
//!
//! Limits: first order. Undamped it has no stable step: a mode of angular frequency omega grows by
//! sqrt(1 + h^2 omega^2) a step.

use super::bound::{self, Bounds};
use super::{Forces, Reference, State64};

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    let acceleration = forces.acceleration(&state.position, &state.velocity);
    let drag = forces.drag_factor(h);
    for (i, a) in acceleration.into_iter().enumerate() {
        state.position[i] += h * state.velocity[i];
        if forces.is_free(i) {
            state.velocity[i] = drag * (state.velocity[i] + h * a);
        }
    }
    state.time += h;
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        let loads = bound::loads(forces, h, before);
        bound::explicit(forces, h, before, after, &loads)
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::{DAMPING, DRAG, GRAVITY};
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::reference::fixture;
    use crate::settings::Settings;

    #[test]
    fn an_undamped_spring_grows_by_the_known_factor() {
        let model = fixture::chain(1, 1.0, 100.0, 1.0, &[0]);
        let settings = Settings::default().with(GRAVITY, Vec3::ZERO);
        let forces = Forces::of(&model, &settings);
        let mut state = fixture::at_rest(&model);
        state.position[1].y -= 1e-3;
        let (h, omega) = (1e-3, 10.0);
        // omega^2 x^2 + v^2 grows by exactly 1 + h^2 omega^2 a step.
        let size = |s: &State64| omega * omega * (s.position[1].y + 1.0).powi(2) + s.velocity[1].y.powi(2);
        let before = size(&state);
        for _ in 0..1000 {
            step(&forces, h, &mut state);
        }
        let expected = (1.0f64 + h * h * omega * omega).powi(1000);
        assert!((size(&state) / before / expected - 1.0).abs() < 1e-9);
    }

    #[test]
    fn drag_slows_exponentially() {
        let model = fixture::chain(1, 1.0, 1.0, 1.0, &[]);
        let settings = Settings::default().with(GRAVITY, Vec3::ZERO).with(DRAG, 2.0);
        let forces = Forces::of(&model, &settings);
        let mut state = fixture::at_rest(&model);
        state.velocity.fill(DVec3::X);
        for _ in 0..100 {
            step(&forces, 0.01, &mut state);
        }
        assert!((state.velocity[1].x - (-2.0f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn errors_are_of_first_order() {
        let model = fixture::cloth(3, 3, &[0]);
        let settings = Settings::default().with(DAMPING, 1.0).with(DRAG, 1.0);
        let forces = Forces::of(&model, &settings);
        let run = |h: f64| {
            let mut state = fixture::disturbed(&model);
            for _ in 0..(0.02 / h).round() as usize {
                step(&forces, h, &mut state);
            }
            state.position
        };
        let exact = run(1e-6);
        let ratio = fixture::distance(&run(2e-4), &exact) / fixture::distance(&run(1e-4), &exact);
        assert!((1.9..2.15).contains(&ratio), "{ratio}");
    }
}
