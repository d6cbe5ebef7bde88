//! Ends the iterations of a substep once they change little.

use super::SUMMING;
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage};
use crate::solver::Setup;

/// Threads that add up a part of all nodes each.
const PARTS: u32 = 4096;

/// The kernels that sum and decide, bound.
pub struct Stop {
    add_allowed: Bound,
    begin: Bound,
    add_changes: Bound,
    decide: Bound,
}

impl Stop {
    /// Compiles and binds the kernels; `bindings` name the buffers of the fine level.
    pub fn new(setup: &Setup<'_>, bindings: Bindings) -> Result<Self, GpuError> {
        let parts = Buffer::<f32>::zeroed(setup.gpu, "parts", PARTS as usize, Usage::empty())?;
        let bindings = bindings.with("parts", &parts);
        let shader =
            setup.shader("solvers/newton_multigrid_stop.wgsl", &[&CONTROL_STRUCT, &ITERATION_STRUCT])?;
        let bound = |entry| setup.kernel(&shader, entry)?.bind(setup.gpu, &bindings);
        Ok(Self {
            add_allowed: bound("add_allowed")?,
            begin: bound("begin")?,
            add_changes: bound("add_changes")?,
            decide: bound("decide")?,
        })
    }

    /// Records what a substep begins with: how much change is little.
    pub fn begin(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.add_allowed, PARTS);
        pass.dispatch(&self.begin, SUMMING);
    }

    /// Records the decision, once the coarser levels have added their corrections. `iteration` is the dynamic
    /// offset \[B\] of its uniform.
    pub fn decide(&self, pass: &mut Pass<'_>, iteration: u32) {
        pass.dispatch(&self.add_changes, PARTS);
        pass.dispatch_at(&self.decide, SUMMING, &[iteration]);
    }
}
