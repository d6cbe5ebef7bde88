//! Symplectic (semi-implicit) Euler.

mod solver;
mod traffic;

use super::{Method, Setup, Solver, Stability, Traffic, explicit};
use crate::gpu::GpuError;
use crate::settings::Settings;
use solver::SymplecticEuler;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "symplectic-euler"
    }

    fn summary(&self) -> &'static str {
        "semi-implicit Euler; exact physics at many small substeps, bounded energy"
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(SymplecticEuler::new(setup)?))
    }

    fn is_explicit(&self) -> bool {
        true
    }

    // Drag multiplies old velocity and kick by exp(-drag h): the limit only grows.
    fn largest_step(&self, stability: &Stability) -> f64 {
        explicit::largest_step(stability.omega_squared, stability.damping_rate)
    }

    fn largest_omega_squared(&self, stability: &Stability, h: f64) -> f64 {
        explicit::largest_omega_squared(stability.damping_rate, h)
    }
}
