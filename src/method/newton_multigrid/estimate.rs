//! Estimates how far a substep is from its minimum, and with a tolerance ends its iterations.

use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage};
use crate::method::parts::Parts;
use crate::method::{Setup, TOO_MUCH};
use crate::settings::TOLERANCE;

/// Bytes that the estimate reads of a node: z, its correction, x before, y, x_0 and v.
const NODE_BYTES: u64 = 96;

/// The kernels, bound; `add_changes` by which of the two position buffers holds z.
pub struct Estimate {
    ends_iterations: bool,
    add_changes: [Bound; 2],
    estimate_error: Bound,
    parts: u32,
    copies: u32,
    /// Bytes that an estimate of all copies moves.
    bytes: u64,
}

impl Estimate {
    /// Compiles and binds the kernels; `bindings` name the buffers of the fine level, by iterate.
    pub fn new(setup: &Setup<'_>, bindings: &[Bindings; 2]) -> Result<Self, GpuError> {
        let (gpu, copies) = (setup.gpu, setup.copies);
        let ends_iterations = setup.settings.get(TOLERANCE).is_some();
        let parts = if ends_iterations { Parts::new(setup) } else { Parts::of_some(setup) };
        let buffer = Buffer::<[f32; 4]>::zeroed(gpu, "parts", parts.total as usize, Usage::empty())?;
        let mut constants = setup.constants.clone();
        constants.push(parts.constant());
        constants.push(("TOO_MUCH", TOO_MUCH));
        let setup = &Setup { constants, bindings: setup.bindings.clone(), ..*setup };
        let shader =
            setup.shader("methods/newton_multigrid/error.wgsl", &[&CONTROL_STRUCT, &ITERATION_STRUCT])?;
        let with_parts = [0, 1].map(|iterate: usize| bindings[iterate].clone().with("parts", &buffer));
        let add_changes = setup.kernel(&shader, "add_changes")?;
        Ok(Self {
            ends_iterations,
            add_changes: [add_changes.bind(gpu, &with_parts[0])?, add_changes.bind(gpu, &with_parts[1])?],
            estimate_error: setup.kernel(&shader, "estimate_error")?.bind(gpu, &with_parts[0])?,
            parts: parts.threads,
            copies,
            bytes: NODE_BYTES * u64::from(parts.nodes) + 16 * u64::from(parts.total),
        })
    }

    /// Whether iterations end by a tolerance.
    pub fn ends_iterations(&self) -> bool {
        self.ends_iterations
    }

    /// Records the estimate of an iteration, after the coarse-grid correction. `offset` is the dynamic offset \[B\] of its
    /// uniform.
    pub fn estimate_error(&self, pass: &mut Pass<'_>, iterate: usize, offset: u32) {
        pass.dispatch_moving(&self.add_changes[iterate], self.parts, &[offset], self.bytes);
        pass.dispatch_at(&self.estimate_error, self.estimate_error.threads(self.copies), &[offset]);
    }
}
