//! Data of the renderer for each node, computed on the GPU from the simulation's positions.

use glam::{Vec2, Vec3, Vec4};

use super::Scene;
use super::pipelines::Layouts;
use super::solids::Solids;
use super::view::{Body, View};
use crate::gpu::{Bindings, Buffer, Gpu, GpuError, Kernel, Pass, Source, Usage};
use crate::model::{BodyRange, Model};
use crate::shaders::LIBRARY;

/// Ground points along a side, as in `render/sky.wgsl`.
const GROUND_SIDE: usize = 96;
/// Words of visibility for each point: 64 directions of 4 bits.
pub(super) const WORDS: usize = 8;

pub(super) struct Nodes {
    pub body: Body,
    pub view: Buffer<View>,
    /// low.xyz and padding, high.xyz and the largest stretch.
    pub bounds: Buffer<[f32; 8]>,
    pub normals: Buffer<Vec4>,
    pub ambient: Buffer<Vec4>,
    pub visibility: Buffer<u32>,
    material: Buffer<Vec2>,
    parts: Buffer<[f32; 8]>,
    smooth_normals: Kernel,
    measure_parts: Kernel,
    measure_whole: Kernel,
    parts_measured: u32,
}

/// Number of points that receive the sky's light: nodes, and points of the ground and of solids.
pub(super) fn points(model: &Model) -> usize {
    model.node_count() + GROUND_SIDE * GROUND_SIDE + Solids::points(model)
}

impl Nodes {
    pub fn new(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let load = |root| gpu.shader(Source::compose(LIBRARY, root, &[])?, &[&View::LAYOUT]);
        let (normals, measure) = (load("render/normals.wgsl")?, load("render/measure.wgsl")?);
        let parts = measure.constant("PARTS").unwrap_or(1);
        let count = model.node_count();
        let none = Usage::empty();
        Ok(Self {
            body: describe(model),
            view: Buffer::zeroed(gpu, "view", 1, Usage::UNIFORM)?,
            bounds: Buffer::zeroed(gpu, "bounds", 1, none)?,
            normals: Buffer::zeroed(gpu, "normals", count, none)?,
            ambient: Buffer::zeroed(gpu, "ambient", points(model), none)?,
            visibility: Buffer::zeroed(gpu, "visibility", WORDS * points(model), none)?,
            material: Buffer::from_slice(gpu, "material", &material(model), none)?,
            parts: Buffer::zeroed(gpu, "partial bounds", parts as usize, none)?,
            smooth_normals: Kernel::new(gpu, &normals, "smooth_normals", &[])?,
            measure_parts: Kernel::new(gpu, &measure, "measure_parts", &[])?,
            measure_whole: Kernel::new(gpu, &measure, "measure_whole", &[])?,
            parts_measured: parts,
        })
    }

    /// Records normals and bounds of the present positions.
    pub fn record(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene<'_>,
    ) -> Result<(), GpuError> {
        let buffers = Bindings::new()
            .with("view", &self.view)
            .with("positions", scene.positions)
            .with("stretch", scene.stretch)
            .with("normals", &self.normals)
            .with("parts", &self.parts)
            .with("bounds", &self.bounds);
        let buffers = scene.surface.bind(buffers);
        let mut pass = Pass::begin(encoder, "nodes", None);
        pass.dispatch(&self.smooth_normals.bind(gpu, &buffers)?, self.body.node_count);
        let measure_parts = self.measure_parts.bind(gpu, &buffers)?;
        pass.dispatch(&measure_parts, measure_parts.threads(self.parts_measured));
        pass.dispatch(&self.measure_whole.bind(gpu, &buffers)?, 1);
        Ok(())
    }

    /// The bind groups of `render/body.wgsl` and `render/solids.wgsl`, and of `render/nodes.wgsl`.
    pub fn bind(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        scene: &Scene<'_>,
        solids: &Solids,
    ) -> [wgpu::BindGroup; 2] {
        let frame = [self.view.raw(), self.bounds.raw(), solids.entries.raw()];
        let frame = layouts.bind(gpu, &layouts.frame, &frame);
        let nodes = [
            scene.positions.raw(),
            self.normals.raw(),
            self.material.raw(),
            scene.stretch.raw(),
            self.ambient.raw(),
        ];
        [frame, layouts.bind(gpu, &layouts.nodes, &nodes)]
    }
}

/// Position of each node in its flat fabric \[m\], for the weave.
fn material(model: &Model) -> Vec<Vec2> {
    if let Some(grid) = model.grid() {
        let step = Vec2::new(grid.links[0].rest_length, grid.links[1].rest_length);
        let place = |i: u32| Vec2::new((i % grid.columns) as f32, (i / grid.columns) as f32) * step;
        return (0..model.node_count() as u32).map(place).collect();
    }
    let mut places = Vec::with_capacity(model.node_count());
    for body in model.bodies() {
        let rest = &model.rest_position()[body.nodes.start as usize..body.nodes.end as usize];
        let (low, high) = bounds(rest);
        // The two axes along which the body is largest.
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| (high - low)[b].total_cmp(&(high - low)[a]));
        places.extend(rest.iter().map(|p| Vec2::new((p - low)[axes[0]], (p - low)[axes[1]])));
    }
    places
}

pub(super) fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    points.iter().fold(start, |(low, high), p| (low.min(*p), high.max(*p)))
}

fn describe(model: &Model) -> Body {
    let (low, high) = bounds(&model.initial_state().position);
    let size = (high - low).max_element().max(1e-4);
    let lowest = model.bodies().iter().map(|b| reach(model, b)).fold(low.y, f32::min);
    Body { node_count: model.node_count() as u32, size, ground: lowest - 0.02 * size }
}

/// The lowest height that a body can reach when it hangs from its pins, stretched by a fifth \[m\]; infinite
/// for a body without pins, which can fall without limit.
fn reach(model: &Model, body: &BodyRange) -> f32 {
    let nodes = body.nodes.start as usize..body.nodes.end as usize;
    let pins: Vec<usize> = nodes.clone().filter(|&i| model.pinned()[i]).collect();
    // A few pins are enough: more only raise the estimate.
    let pins: Vec<usize> = pins.iter().copied().step_by(pins.len().div_ceil(32).max(1)).collect();
    let rest = model.rest_position();
    let height = |i: usize| {
        let below = |&pin: &usize| model.initial_state().position[pin].y - 1.2 * rest[pin].distance(rest[i]);
        pins.iter().map(below).fold(f32::NEG_INFINITY, f32::max)
    };
    if pins.is_empty() { f32::INFINITY } else { nodes.map(height).fold(f32::INFINITY, f32::min) }
}
