//! A few steps of conjugate gradients in an iteration, each with a cycle of its own.

use super::parts::Parts;
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage};
use crate::method::Setup;
use crate::numbers::SUMMING;

/// The kernels, bound; those that read positions by which of the two buffers holds the iterate.
pub struct ConjugateGradients {
    /// Steps an iteration.
    pub steps: u32,
    nodes: u32,
    parts: u32,
    copies: u32,
    set_out: [Bound; 2],
    precondition: [Bound; 2],
    multiply: [Bound; 2],
    descend: [Bound; 2],
    turn: Bound,
    add_shared: Bound,
    add_slope: Bound,
    set_kept: Bound,
    set_along: Bound,
}

impl ConjugateGradients {
    /// Compiles and binds the kernels; `bindings` name the buffers of the fine level, by iterate.
    pub fn new(setup: &Setup<'_>, steps: u32, bindings: &[Bindings; 2]) -> Result<Self, GpuError> {
        let (gpu, copies) = (setup.gpu, setup.copies);
        let parts = Parts::new(setup);
        let buffer = Buffer::<[f32; 2]>::zeroed(gpu, "parts", parts.total as usize, Usage::empty())?;
        let mut constants = setup.constants.clone();
        constants.extend(parts.constants());
        let setup = &Setup { constants, bindings: setup.bindings.clone(), ..*setup };
        let structs = [&CONTROL_STRUCT, &ITERATION_STRUCT];
        let shader = setup.shader("methods/newton_multigrid/conjugate_gradients.wgsl", &structs)?;
        let both = |entry| -> Result<[Bound; 2], GpuError> {
            let kernel = setup.kernel(&shader, entry)?;
            Ok([kernel.bind(gpu, &bindings[0])?, kernel.bind(gpu, &bindings[1])?])
        };
        let dots = setup.shader("methods/newton_multigrid/dots.wgsl", &structs)?;
        let with_parts = bindings[0].clone().with("parts", &buffer);
        let dot = |entry| setup.kernel(&dots, entry)?.bind(gpu, &with_parts);
        Ok(Self {
            steps,
            nodes: setup.nodes,
            parts: parts.total,
            copies,
            set_out: both("set_out")?,
            precondition: both("precondition")?,
            multiply: both("multiply_direction")?,
            descend: both("descend")?,
            turn: setup.kernel(&shader, "turn")?.bind(gpu, &bindings[0])?,
            add_shared: dot("add_shared")?,
            add_slope: dot("add_slope")?,
            set_kept: dot("set_kept")?,
            set_along: dot("set_along")?,
        })
    }

    /// Records what follows the cycle of step `step`, but for the move along the last direction, which is the
    /// iteration's own. `iteration` is the dynamic offset \[B\] of its uniform.
    pub fn record(&self, pass: &mut Pass<'_>, step: u32, iterate: usize, iteration: u32) {
        if step == 0 {
            pass.dispatch_at(&self.set_out[iterate], self.nodes, &[iteration]);
        } else {
            pass.dispatch_at(&self.precondition[iterate], self.nodes, &[iteration]);
            pass.dispatch(&self.add_shared, self.parts);
            pass.dispatch(&self.set_kept, self.copies * SUMMING);
            pass.dispatch(&self.turn, self.nodes);
        }
        pass.dispatch_at(&self.multiply[iterate], self.nodes, &[iteration]);
        pass.dispatch(&self.add_slope, self.parts);
        pass.dispatch(&self.set_along, self.copies * SUMMING);
        if step + 1 < self.steps {
            pass.dispatch_at(&self.descend[iterate], self.nodes, &[iteration]);
        }
    }
}
