//! Symplectic (semi-implicit) Euler: E. Hairer, C. Lubich, G. Wanner, "Geometric numerical
//! integration illustrated by the Stoermer-Verlet method", Acta Numerica 12, 2003,
//! <https://doi.org/10.1017/S0962492902000144>.
//!
//! ```text
//! v+ = (v + h f(x, v) / m) exp(-drag h)
//! x+ = x + h v+
//! ```
//!
//! Limits: first order; stable for h < 2 / omega. One spring oscillates with the angular frequency
//! (2 / h) asin(h omega / 2) instead of omega.

use super::bound::{self, Bounds};
use super::{Forces, Reference, State64};

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    let acceleration = forces.acceleration(&state.position, &state.velocity);
    let drag = forces.drag_factor(h);
    for (i, a) in acceleration.into_iter().enumerate() {
        if forces.is_free(i) {
            state.velocity[i] = drag * (state.velocity[i] + h * a);
        }
        state.position[i] += h * state.velocity[i];
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
    use glam::Vec3;

    use super::*;
    use crate::measure::energy;
    use crate::reference::fixture;
    use crate::settings::Settings;

    #[test]
    fn one_spring_has_the_period_of_the_method() {
        let model = fixture::chain(1, 1.0, 100.0, 1.0, &[0]);
        let settings = Settings::default().with(GRAVITY, Vec3::ZERO);
        let forces = Forces::of(&model, &settings);
        let (h, omega, amplitude, steps) = (0.05, 10.0f64, 0.1, 2000);
        let mut state = fixture::at_rest(&model);
        state.position[1].y -= amplitude;
        // x_n = A cos(n theta) + B sin(n theta), through x_0 = -A and x_1 = -A (1 - h^2 omega^2).
        let theta = 2.0 * (0.5 * h * omega).asin();
        assert!((theta - h * omega).abs() * f64::from(steps) > 1.0, "the shift must be visible");
        let sine = (1.0 - (h * omega).powi(2) - theta.cos()) / theta.sin();
        for n in 1..=steps {
            step(&forces, h, &mut state);
            let angle = theta * f64::from(n);
            let expected = -amplitude * (angle.cos() + sine * angle.sin());
            assert!((state.position[1].y + 1.0 - expected).abs() < 1e-9, "step {n}");
        }
    }

    #[test]
    fn it_keeps_an_energy_close_to_the_true_one() {
        let model = fixture::changed(&fixture::cloth(3, 3, &[0]), 1.0, 0.0);
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        // Hairer et al., backward error analysis: the method conserves H + h v . f / 2 + O(h^2).
        let modified = |h: f64, s: &State64| {
            let force = forces.total(&s.position, &s.velocity);
            let power: f64 = s.velocity.iter().zip(force).map(|(v, f)| v.dot(f)).sum();
            energy::total(&model, &settings, s) + 0.5 * h * power
        };
        let drift = |h: f64, time: f64| {
            let mut state = fixture::disturbed(&model);
            let before = modified(h, &state);
            let mut worst = 0f64;
            while state.time < time {
                step(&forces, h, &mut state);
                worst = worst.max((modified(h, &state) - before).abs());
            }
            worst
        };
        let ratio = drift(1e-3, 0.5) / drift(5e-4, 0.5);
        assert!((3.5..4.5).contains(&ratio), "{ratio}");
        let kinetic = energy::kinetic(&model, &fixture::disturbed(&model).velocity);
        assert!(drift(1e-3, 100.0) < 0.1 * kinetic, "{} of {kinetic}", drift(1e-3, 100.0));
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
