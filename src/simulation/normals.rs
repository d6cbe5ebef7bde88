//! Normals of the surface, for drawing.

use glam::Vec4;

use super::{Simulation, Surface};
use crate::Error;
use crate::gpu::{self, Bindings, Bound, Buffer, Gpu, GpuError, Kernel, Pass, Source, Usage};
use crate::shaders;

/// A normal at each node, computed on the GPU from the positions when asked for.
pub struct Normals {
    gpu: Gpu,
    buffer: Buffer<Vec4>,
    kernel: Bound,
}

impl Normals {
    /// Normals of a simulation, not computed yet.
    pub fn new(simulation: &Simulation) -> Result<Self, Error> {
        Ok(Self::of(simulation.gpu(), simulation.positions(), simulation.surface())?)
    }

    /// Normals at these positions.
    pub(crate) fn of(gpu: &Gpu, positions: &Buffer<Vec4>, surface: &Surface) -> Result<Self, GpuError> {
        let buffer = Buffer::zeroed(gpu, "normals", positions.len(), Usage::VERTEX)?;
        let bindings = Bindings::new().with("positions", positions).with("normals", &buffer);
        let shader = gpu.shader(Source::compose(shaders::LIBRARY, "render/normals.wgsl", &[])?, &[])?;
        let kernel = Kernel::new(gpu, &shader, "smooth_normals", &[])?.bind(gpu, &surface.bind(bindings))?;
        Ok(Self { gpu: gpu.clone(), buffer, kernel })
    }

    /// Records their computation from the positions at that point of the pass.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.kernel, self.buffer.len() as u32);
    }

    /// Computes them from the present positions; submits, and does not wait.
    pub fn update(&self) {
        gpu::submit(&self.gpu, "normals", |pass| self.record(pass));
    }

    /// The unit normal of each node on its surface's front, in the order of [`crate::Model::in_memory`]; zero for nodes
    /// without triangles. w is the mean curvature times the mean length of edges \[1\], positive if the front is
    /// hollow.
    ///
    /// It can be bound as storage and as a vertex buffer (`Float32x4`, 16 bytes apart), and copied from.
    pub fn buffer(&self) -> &Buffer<Vec4> {
        &self.buffer
    }
}
