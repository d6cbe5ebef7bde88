//! Springs as soft constraints on velocities (Servin et al. 2006).

mod pairs;
mod solver;
mod traffic;

use super::{Method, Setup, Solver, Stability, Touch, Traffic, linear};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::key::Use;
use crate::settings::{ITERATIONS, Settings, TOLERANCE};
use solver::SoftConstraint;

const KEYS: &[Use] = &[
    ITERATIONS.by("iterations of the linear solver", "60; 500 with `tolerance`"),
    TOLERANCE.by("of the residual at the start", "none"),
];

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "soft-constraint"
    }

    fn summary(&self) -> &'static str {
        "tension averaged over the step; damps little, strong tension limits the step"
    }

    fn keys(&self) -> &'static [Use] {
        KEYS
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn touch(&self) -> Touch {
        Touch::Rows
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(SoftConstraint::new(setup)?))
    }

    fn is_limited_by_bending(&self) -> bool {
        true
    }

    fn holds_lengths(&self) -> bool {
        true
    }

    fn largest_step(&self, stability: &Stability) -> f64 {
        stability.largest_step_of_bending()
    }

    fn is_limited_by_tension(&self) -> bool {
        true
    }

    fn acts_ahead(&self) -> bool {
        false
    }

    fn keeps_tolerance(&self, _settings: &Settings) -> bool {
        true
    }

    fn most_iterations(&self) -> u32 {
        linear::MOST_BY_TOLERANCE
    }

    fn rows(&self, _model: &Model, _settings: &Settings) -> u64 {
        solver::ROWS
    }
}
