//! Implicit Euler as a minimisation, local/global (Liu et al. 2013): Jacobi sweeps, or global steps solved by conjugate
//! gradients.

mod global_step;
mod solver;

pub use solver::chebyshev_weights;

use super::{Method, Setup, Solver, linear};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::{LinearSolver, Settings};
use global_step::GlobalStep;
use solver::LocalGlobal;

/// Most steps of a global step with a tolerance, where the settings name none.
const MOST_STEPS_BY_TOLERANCE: u32 = 100;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "local-global"
    }

    fn summary(&self) -> &'static str {
        "implicit, any step is stable; large cloth needs many iterations"
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(match setup.settings.linear_solver() {
            LinearSolver::Jacobi => Box::new(LocalGlobal::new(setup)?),
            _ => Box::new(GlobalStep::new(setup)?),
        })
    }

    fn minimises(&self) -> bool {
        true
    }

    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &[LinearSolver::Jacobi, LinearSolver::ConjugateGradients]
    }

    fn keeps_tolerance(&self, settings: &Settings) -> bool {
        settings.linear_solver() != LinearSolver::Jacobi
    }

    fn default_sweeps(&self, settings: &Settings) -> u32 {
        match settings.linear_solver() {
            LinearSolver::Jacobi => 1,
            _ if settings.tolerance.is_some() => MOST_STEPS_BY_TOLERANCE,
            _ => 10,
        }
    }

    fn rows(&self, _model: &Model, settings: &Settings) -> u64 {
        match settings.linear_solver() {
            LinearSolver::Jacobi if settings.sweeps() > 1 => 4,
            LinearSolver::Jacobi => 1,
            _ => linear::ROWS,
        }
    }
}
