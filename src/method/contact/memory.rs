//! What pairs keep from one substep to the next: `shaders/contact/memory.wgsl`.

use super::soft::{SLOTS, STRUCTS, Soft};
use crate::gpu::{Bound, Buffer, Gpu, GpuError, Kernel, Pass, Usage, Words, twin};
use crate::method::Setup;

twin! {
    /// Host twin of WGSL `Kept`.
    struct Kept = "Kept" {
        stretch: [f32; 3],
        load: f32,
        triangle: [u32; 3],
        is_kept: u32,
    }
}

/// Kernels and buffer.
pub struct Memory {
    recall: Bound,
    /// For each of the two pairs of state buffers.
    keep: [Bound; 2],
    kept: Buffer<Kept>,
    nodes: u32,
}

impl Memory {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>, soft: &Soft) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let slots = (SLOTS * setup.nodes) as usize;
        let kept = Buffer::zeroed(gpu, "memory", slots, Usage::empty())?;
        let shader = setup.shader("contact/memory.wgsl", &[&STRUCTS[..], &[&Kept::TWIN]].concat())?;
        let [recall, keep] = Kernel::compile(
            gpu,
            [(&shader, "recall", soft.constants()), (&shader, "keep", soft.constants())],
        )?;
        let bindings = soft.bindings().clone().with("memory", &kept);
        let at =
            |pair: usize| keep.bind(gpu, &bindings.clone().with("position_in", &setup.fields.position[pair]));
        Ok(Self { recall: recall.bind(gpu, &bindings)?, keep: [at(0)?, at(1)?], kept, nodes: setup.nodes })
    }

    /// Records what pairs have kept, once they are found.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.recall, self.nodes);
    }

    /// Records what they keep, at the end of a substep; `pair`: which of the two holds the new state.
    pub fn record_end(&self, pass: &mut Pass<'_>, pair: usize) {
        pass.dispatch(&self.keep[pair], self.nodes);
    }

    /// What lasts from frame to frame.
    pub fn lasting(&self) -> Words<'_> {
        self.kept.words()
    }

    /// Forgets everything.
    pub fn forget(&self, gpu: &Gpu) {
        self.kept.clear(gpu);
    }
}
