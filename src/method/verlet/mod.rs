//! Verlet in increment form.

mod solver;
mod traffic;

use super::{Method, Setup, Solver, Stability, Traffic, explicit};
use crate::gpu::GpuError;
use crate::settings::Settings;
use solver::Verlet;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "verlet"
    }

    fn summary(&self) -> &'static str {
        "second order, time-reversible; many small substeps"
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(Verlet::new(setup)?))
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn is_staggered(&self) -> bool {
        true
    }

    fn largest_step(&self, stability: &Stability) -> f64 {
        explicit::largest_step(stability.omega_squared, rate(stability))
    }

    fn largest_omega_squared(&self, stability: &Stability, h: f64) -> f64 {
        explicit::largest_omega_squared(rate(stability), h)
    }
}

/// Drag multiplies the old velocity alone: h^2 omega^2 + 2 h rate < 2 (1 + exp(-drag h)), and exp(-drag h) >= 1 - drag h, so
/// that it counts like any other rate [1/s].
fn rate(stability: &Stability) -> f64 {
    stability.damping_rate + stability.drag
}
