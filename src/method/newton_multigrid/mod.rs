//! Implicit Euler as a minimisation, one multigrid cycle of the Newton matrix an iteration.

mod conjugate_gradients;
mod estimate;
mod grid_levels;
mod grid_table;
mod multipliers;
mod network_levels;
mod network_table;
mod parts;
mod solver;
mod start;
mod structs;
mod traffic;

use super::{Method, Setup, Solver};
use crate::gpu::GpuError;
use crate::hierarchy;
use crate::model::{Model, Multipliers};
use crate::settings::{Settings, Start};
use solver::NewtonMultigrid;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "newton-multigrid"
    }

    fn summary(&self) -> &'static str {
        "implicit, any step is stable; converges in a few iterations at any size"
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(NewtonMultigrid::new(setup)?))
    }

    fn minimises(&self) -> bool {
        true
    }

    fn holds_lengths(&self) -> bool {
        true
    }

    fn holds_limits(&self) -> bool {
        true
    }

    fn estimates_error(&self) -> bool {
        true
    }

    fn keeps_tolerance(&self, _settings: &Settings) -> bool {
        true
    }

    fn default_iterations(&self) -> u32 {
        4
    }

    fn most_iterations(&self) -> u32 {
        100
    }

    // From y a multigrid step would have to take back what springs have never felt.
    fn default_start(&self) -> Start {
        Start::Velocity
    }

    fn rows(&self, model: &Model, settings: &Settings) -> u64 {
        // One of them where displacements are kept.
        if cg_steps(model, settings) > 0 { 8 } else { 5 }
    }

    fn largest_buffer(&self, model: &Model, _settings: &Settings, multipliers: &Multipliers) -> u64 {
        solver::largest_buffer(model, multipliers)
    }

    fn multipliers(&self, model: &Model, step: f32) -> Multipliers {
        hierarchy::multipliers(model, f64::from(step))
    }
}

/// Steps of conjugate gradients in each iteration.
pub fn cg_steps(model: &Model, settings: &Settings) -> u32 {
    settings.cg_steps(|| hierarchy::takes_conjugate_gradients(model))
}
