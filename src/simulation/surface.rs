//! The triangles on the GPU: an index list for drawing, and the triangles around each node for air and normals.

use crate::gpu::{Bindings, Buffer, Gpu, GpuError, Usage};
use crate::model::Model;

/// Triangles of a model in GPU memory.
pub struct Surface {
    triangles: Buffer<u32>,
    corner_start: Buffer<u32>,
    corners: Buffer<[u32; 2]>,
}

impl Surface {
    /// Uploads the triangles of `model`, in memory order, and the corners around each node.
    pub fn new(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let model = model.in_memory();
        let (start, corners) = corners(model);
        Ok(Self {
            triangles: Buffer::from_slice(
                gpu,
                "triangles",
                bytemuck::cast_slice(model.triangles()),
                Usage::INDEX,
            )?,
            corner_start: Buffer::from_slice(gpu, "corner_start", &start, Usage::empty())?,
            corners: Buffer::from_slice(gpu, "corners", &corners, Usage::empty())?,
        })
    }

    /// Three node indices for each triangle; usable as an index buffer.
    pub fn triangles(&self) -> &Buffer<u32> {
        &self.triangles
    }

    /// Adds the buffers of `network/surface.wgsl`.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        bindings.with("corner_start", &self.corner_start).with("corners", &self.corners)
    }
}

/// Start of each node's corners (one entry more than nodes), and the other two nodes of each corner.
fn corners(model: &Model) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut start = vec![0u32; model.node_count() + 1];
    for triangle in model.triangles() {
        for &node in triangle {
            start[node as usize + 1] += 1;
        }
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let mut next = start.clone();
    let mut corners = vec![[0u32; 2]; model.triangles().len() * 3];
    for &[a, b, c] in model.triangles() {
        for (node, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            let slot = &mut next[node as usize];
            corners[*slot as usize] = others;
            *slot += 1;
        }
    }
    (start, corners)
}
