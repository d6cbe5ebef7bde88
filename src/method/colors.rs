//! Nodes or springs color by color on the GPU, for sweeps that move one color at a time.

use super::Setup;
use crate::gpu::{Bindings, Bound, Buffer, GpuError, HostStruct, Pass, UNIFORM_STRIDE, Usage};
use crate::model::Coloring;

/// WGSL `Color`; written word by word, at the stride of dynamic offsets.
pub const COLOR_STRUCT: HostStruct =
    HostStruct { name: "Color", size: 8, fields: &[("first", 0), ("count", 4)] };

/// Nodes or springs of a model in the order of their colors.
pub struct Colors {
    order: Buffer<u32>,
    uniforms: Buffer<u32>,
    /// How many there are of each color.
    counts: Vec<u32>,
}

impl Colors {
    /// Uploads what `coloring` sorts, in its order.
    pub fn new(setup: &Setup<'_>, coloring: &Coloring) -> Result<Self, GpuError> {
        let ranges: Vec<_> = (0..coloring.count()).map(|c| coloring.range(c)).collect();
        let words = ranges.iter().map(|range| [range.start as u32, range.len() as u32]);
        Ok(Self {
            order: Buffer::from_slice(setup.gpu, "order", coloring.order(), Usage::empty())?,
            uniforms: uniforms(setup, words)?,
            counts: ranges.iter().map(|range| range.len() as u32).collect(),
        })
    }

    /// `bindings` with what a kernel that visits a color reads.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        bindings.with("order", &self.order).with("color", &self.uniforms)
    }

    /// Records a visit of all, a thread each.
    pub fn record(&self, pass: &mut Pass<'_>, visit: &Bound) {
        for (color, &count) in self.counts.iter().enumerate() {
            pass.dispatch_at(visit, count, &[color as u32 * UNIFORM_STRIDE]);
        }
    }
}

/// Two words for each dispatch, at the stride of dynamic offsets.
pub fn uniforms(setup: &Setup<'_>, words: impl Iterator<Item = [u32; 2]>) -> Result<Buffer<u32>, GpuError> {
    let spread = words.flat_map(|pair| {
        let mut slot = [0u32; UNIFORM_STRIDE as usize / 4];
        slot[..2].copy_from_slice(&pair);
        slot
    });
    Buffer::from_slice(setup.gpu, "dispatches", &spread.collect::<Vec<_>>(), Usage::UNIFORM)
}
