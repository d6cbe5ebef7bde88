//! The light of the sky on each node: the part that the body itself and the colliders do not hide.
//!
//! The body is drawn into small maps along 32 axes; a kernel then finds for each node the maps in which it
//! is visible. This is ambient occlusion without noise or screen-space errors, per node, for both sides
//! of the fabric. A still picture draws all axes; on screen a few axes a frame are enough, because each
//! node keeps its visibility per direction.

use super::Scene;
use super::nodes::Nodes;
use super::pipelines::{Draw, Layouts, module, pipeline, texture};
use super::solids::Solids;
use crate::gpu::{Buffer, Gpu, GpuError, Usage};

/// Number of axes, as in `render/sky.wgsl`.
const AXES: u32 = 32;
const TILES: u32 = 4;
const TILE: u32 = 256;
/// Axes per frame on screen. A multiple of four, because a word of visibility has four axes.
const LIVE: u32 = 4;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;

/// Inputs of the sky's light.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub gpu: &'a Gpu,
    pub layouts: &'a Layouts,
    pub scene: &'a Scene<'a>,
    pub nodes: &'a Nodes,
    pub solids: &'a Solids,
    pub groups: &'a [wgpu::BindGroup; 2],
}

pub(super) struct Sky {
    atlas: wgpu::TextureView,
    maps: wgpu::RenderPipeline,
    gather: wgpu::ComputePipeline,
    /// First axis and number of axes of each batch of a frame.
    batches: [Buffer<[u32; 4]>; (AXES / (TILES * TILES)) as usize],
    next: u32,
    complete: bool,
}

impl Sky {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Result<Self, GpuError> {
        // Keep the larger value, which is the nearest surface from either side.
        let keep = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Max,
        };
        let target = wgpu::ColorTargetState {
            format: FORMAT,
            blend: Some(wgpu::BlendState { color: keep, alpha: keep }),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let maps = pipeline(
            gpu,
            &Draw {
                shader: "render/sky_map.wgsl",
                name: "sky",
                groups: &[Some(&layouts.frame), Some(&layouts.nodes), Some(&layouts.axis)],
                target: Some(target),
                depth: None,
                samples: 1,
                cull: None,
                alpha_to_coverage: false,
            },
        )?;
        let gather = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("gather"),
            layout: None,
            module: &module(gpu, "render/visibility.wgsl")?,
            entry_point: Some("gather"),
            compilation_options: Default::default(),
            cache: None,
        });
        gpu.check()?;
        let batch = || Buffer::zeroed(gpu, "batch", 1, Usage::UNIFORM);
        Ok(Self {
            atlas: texture(gpu, "sky", FORMAT, [TILES * TILE, TILES * TILE], 1),
            maps,
            gather,
            batches: [batch()?, batch()?],
            next: 0,
            complete: false,
        })
    }

    /// Records the light of the sky, from all directions or from the next few.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, from: &Inputs<'_>, still: bool) {
        if still || !self.complete {
            let each = TILES * TILES;
            for k in 0..self.batches.len() {
                self.batch(encoder, from, k, k as u32 * each, each);
            }
            self.complete = true;
        } else {
            self.batch(encoder, from, 0, self.next, LIVE);
            self.next = (self.next + LIVE) % AXES;
        }
    }

    fn batch(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        from: &Inputs<'_>,
        batch: usize,
        first: u32,
        count: u32,
    ) {
        let Inputs { gpu, layouts, scene, nodes, solids, groups } = *from;
        let batch = &self.batches[batch];
        batch.write(gpu, 0, &[[first, count, 0, 0]]);
        self.draw_maps(encoder, scene, groups, &layouts.bind(gpu, &layouts.axis, &[batch.raw()]), count);

        let buffers = [
            nodes.view.raw(),
            nodes.bounds.raw(),
            solids.entries.raw(),
            batch.raw(),
            scene.positions.raw(),
            nodes.normals.raw(),
            nodes.visibility.raw(),
            nodes.ambient.raw(),
        ];
        let mut entries: Vec<_> = buffers
            .iter()
            .enumerate()
            .map(|(k, b)| wgpu::BindGroupEntry { binding: k as u32, resource: b.as_entire_binding() })
            .collect();
        let atlas = wgpu::BindingResource::TextureView(&self.atlas);
        entries.push(wgpu::BindGroupEntry { binding: 8, resource: atlas });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("gather"),
            layout: &self.gather.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.gather);
        pass.set_bind_group(0, &group, &[]);
        let workgroups = (nodes.ambient.len() as u32).div_ceil(64);
        let rows = workgroups.div_ceil(65_535);
        pass.dispatch_workgroups(workgroups.div_ceil(rows), rows, 1);
    }

    fn draw_maps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene<'_>,
        groups: &[wgpu::BindGroup; 2],
        axis: &wgpu::BindGroup,
        count: u32,
    ) {
        // Farther than any surface, seen from either side.
        let nothing = wgpu::Color { r: -100.0, g: -100.0, b: 0.0, a: 0.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("sky"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.atlas,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(nothing), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        let triangles = scene.surface.triangles();
        if triangles.is_empty() {
            return;
        }
        pass.set_pipeline(&self.maps);
        pass.set_bind_group(0, &groups[0], &[]);
        pass.set_bind_group(1, &groups[1], &[]);
        pass.set_bind_group(2, axis, &[]);
        pass.set_index_buffer(triangles.raw().slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..triangles.len() as u32, 0, 0..count);
    }
}
