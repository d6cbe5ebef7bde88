//! Explicit (forward) Euler.

mod solver;
mod traffic;

use super::{Method, Setup, Solver, Stability, Traffic, explicit};
use crate::gpu::GpuError;
use crate::settings::Settings;
use solver::ExplicitEuler;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "explicit-euler"
    }

    fn summary(&self) -> &'static str {
        "forward Euler; undamped it has no stable step, kept to see it fail"
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(ExplicitEuler::new(setup)?))
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn grows_undamped(&self) -> bool {
        true
    }

    // |1 + h lambda| <= 1 for lambda^2 + a lambda + omega^2 = 0: h <= a / omega^2 and h a < 2.
    fn largest_step(&self, stability: &Stability) -> f64 {
        let (omega2, rate) = (stability.omega_squared, stability.damping_rate);
        let by_growth = if omega2 > 0.0 { stability.least_damping / omega2 } else { f64::INFINITY };
        let by_rate = if rate > 0.0 { 2.0 / rate } else { f64::INFINITY };
        by_growth.min(by_rate)
    }

    fn largest_omega_squared(&self, stability: &Stability, h: f64) -> f64 {
        match stability.least_damping {
            // Undamped it takes none; forced, it may as well be grabbed like the others.
            0.0 => explicit::largest_omega_squared(stability.damping_rate, h),
            damping => damping / h,
        }
    }
}
