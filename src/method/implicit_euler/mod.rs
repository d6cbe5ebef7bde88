//! Implicit Euler, linearised, one Newton step a substep (Baraff and Witkin 1998).

mod solver;

use super::{Method, Setup, Solver, linear};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::{LinearSolver, Settings};
use solver::ImplicitEuler;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "implicit-euler"
    }

    fn summary(&self) -> &'static str {
        "one linear system a substep; any step is stable, large cloth needs many iterations"
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(ImplicitEuler::new(setup)?))
    }

    fn keeps_tolerance(&self, _settings: &Settings) -> bool {
        true
    }

    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &LinearSolver::ALL
    }

    fn most_iterations(&self) -> u32 {
        linear::MOST_BY_TOLERANCE
    }

    fn rows(&self, _model: &Model, _settings: &Settings) -> u64 {
        linear::ROWS
    }
}
