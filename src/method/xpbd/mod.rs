//! Position-based dynamics with compliant springs (Macklin et al. 2016).

mod softening;
mod solver;

pub use softening::{Advice, Softening};

use super::{Method, Setup, Solver, Stability};
use crate::gpu::GpuError;
use crate::model::{Model, Multipliers};
use crate::settings::{LinearSolver, Settings};
use solver::Xpbd;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "xpbd"
    }

    fn summary(&self) -> &'static str {
        "compliant constraints; many substeps of one iteration, soft where they are few"
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(Xpbd::new(setup)?))
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

    fn softens(&self) -> bool {
        true
    }

    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &[LinearSolver::Jacobi, LinearSolver::GaussSeidel]
    }

    fn least_substeps(&self) -> u32 {
        20
    }

    fn default_iterations(&self) -> u32 {
        1
    }

    fn largest_buffer(&self, model: &Model, settings: &Settings, _multipliers: &Multipliers) -> u64 {
        match settings.linear_solver() {
            LinearSolver::GaussSeidel => 24 * model.springs().len() as u64,
            // A multiplier for each slot; of a mesh there are as many links.
            _ => 48 * model.node_count() as u64,
        }
    }
}
