//! The classical Runge-Kutta method of order four.

mod solver;
mod traffic;

use super::{Method, Setup, Solver, Stability, Traffic};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::Settings;
use solver::Rk4;

/// On the imaginary axis |R(z)| <= 1 up to here, R(z) = 1 + z + z^2/2 + z^3/6 + z^4/24: 2 sqrt 2.
const UNDAMPED: f64 = 2.0 * std::f64::consts::SQRT_2;
/// In the whole left half plane |R(z)| <= 1 where |z| is at most this: least, 2.615, at 122 degrees.
const DAMPED: f64 = 2.61;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "rk4"
    }

    fn summary(&self) -> &'static str {
        "classical Runge-Kutta, fourth order; accurate at many small substeps, four forces each"
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(Rk4::new(setup)?))
    }

    fn is_explicit(&self) -> bool {
        true
    }

    // Eigenvalues of x'' + D x' + K x = 0 have |z|^2 <= rate |z| + omega^2.
    fn largest_step(&self, stability: &Stability) -> f64 {
        let rate = stability.damping_rate;
        let largest = 0.5 * (rate + (rate * rate + 4.0 * stability.omega_squared).sqrt());
        radius(stability) / largest
    }

    fn largest_omega_squared(&self, stability: &Stability, h: f64) -> f64 {
        let largest = radius(stability) / h;
        (largest * largest - stability.damping_rate * largest).max(0.0)
    }

    fn rows(&self, _model: &Model, _settings: &Settings) -> u64 {
        solver::ROWS
    }
}

fn radius(stability: &Stability) -> f64 {
    if stability.damping_rate > 0.0 { DAMPED } else { UNDAMPED }
}
