//! Estimates how far a substep is from its minimum, and with a tolerance ends its iterations.

use super::SUMMING;
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage};
use crate::solver::{Setup, TOO_MUCH};

/// Nodes that a thread adds up, and the most threads of a copy: enough to fill a GPU.
const PART: u32 = 16;
const MOST_PARTS: u32 = 4096;
/// Without a tolerance, of a copy of more nodes than this one in so many is looked at: stretches of neighbours, evenly spread.
const MANY_NODES: u32 = 4096;
const EVERY: u32 = 4;
/// Bytes that a look at a node reads: z, what is taken off it, x before, y, x_0 and v.
const NODE_BYTES: u64 = 96;

/// The kernels that sum and decide, bound; those that read z by which of the two buffers holds it.
pub struct Estimate {
    /// Where iterations end by a tolerance: what a substep begins with.
    begin: Option<Bound>,
    add_changes: [Bound; 2],
    look: Bound,
    parts: u32,
    copies: u32,
    /// Bytes that a look at all copies moves.
    bytes: u64,
}

impl Estimate {
    /// Compiles and binds the kernels; `bindings` name the buffers of the fine level, by iterate.
    pub fn new(setup: &Setup<'_>, bindings: &[Bindings; 2]) -> Result<Self, GpuError> {
        let (gpu, copies) = (setup.gpu, setup.copies);
        // As many for each copy as for one alone: its sums must be the same bits.
        let of_copy = (setup.nodes / copies).div_ceil(PART).clamp(1, MOST_PARTS);
        let parts = of_copy * copies;
        let buffer = Buffer::<[f32; 4]>::zeroed(gpu, "parts", parts as usize, Usage::empty())?;
        let mut constants = setup.constants.clone();
        let is_some = setup.settings.tolerance.is_none() && setup.nodes / copies > MANY_NODES;
        let every = if is_some { EVERY } else { 1 };
        constants.extend([
            ("PARTS", f64::from(of_copy)),
            ("EVERY", f64::from(every)),
            ("TOO_MUCH", TOO_MUCH),
        ]);
        let setup = &Setup { constants, bindings: setup.bindings.clone(), ..*setup };
        let shader =
            setup.shader("solvers/newton_multigrid_error.wgsl", &[&CONTROL_STRUCT, &ITERATION_STRUCT])?;
        let with_parts = [0, 1].map(|iterate: usize| bindings[iterate].clone().with("parts", &buffer));
        let one = |entry| setup.kernel(&shader, entry)?.bind(gpu, &with_parts[0]);
        let add_changes = setup.kernel(&shader, "add_changes")?;
        Ok(Self {
            begin: setup.settings.tolerance.map(|_| one("begin")).transpose()?,
            add_changes: [add_changes.bind(gpu, &with_parts[0])?, add_changes.bind(gpu, &with_parts[1])?],
            look: one("look")?,
            parts,
            copies,
            bytes: NODE_BYTES * u64::from(setup.nodes.div_ceil(every)) + 16 * u64::from(parts),
        })
    }

    /// Whether iterations end by a tolerance.
    pub fn ends_iterations(&self) -> bool {
        self.begin.is_some()
    }

    /// Records what a substep begins with.
    pub fn begin(&self, pass: &mut Pass<'_>) {
        self.begin.iter().for_each(|begin| pass.dispatch(begin, self.copies));
    }

    /// Records a look at an iteration, once the coarser levels have added their corrections. `offset` is the dynamic one
    /// \[B\] of its uniform.
    pub fn look(&self, pass: &mut Pass<'_>, iterate: usize, offset: u32) {
        pass.dispatch_moving(&self.add_changes[iterate], self.parts, &[offset], self.bytes);
        pass.dispatch_at(&self.look, self.copies * SUMMING, &[offset]);
    }
}
