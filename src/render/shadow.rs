//! The key light's shadow map, fitted to the body on the GPU.

use super::Scene;
use super::lines::Lines;
use super::pipelines::{DEPTH, Draw, Layouts, depth, pipeline, texture};
use crate::gpu::{Gpu, GpuError};

/// Texels along a side of the map.
const SIZE: u32 = 2048;

pub(super) struct Shadow {
    map: wgpu::TextureView,
    sampler: wgpu::Sampler,
    cloth: wgpu::RenderPipeline,
    cords: wgpu::RenderPipeline,
}

impl Shadow {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Result<Self, GpuError> {
        let caster = |shader, name, groups: &[Option<&wgpu::BindGroupLayout>]| {
            let depth = Some(depth(wgpu::CompareFunction::Less, 1.5));
            let draw = Draw {
                shader,
                name,
                groups,
                target: None,
                depth,
                samples: 1,
                cull: None,
                alpha_to_coverage: false,
            };
            pipeline(gpu, &draw)
        };
        let (frame, nodes) = (Some(&layouts.frame), Some(&layouts.nodes));
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        Ok(Self {
            map: texture(gpu, "shadow", DEPTH, [SIZE, SIZE], 1),
            sampler,
            cloth: caster("render/cast.wgsl", "cast", &[frame, nodes])?,
            cords: caster("render/cast_lines.wgsl", "cast_line", &[frame, nodes, Some(&layouts.lines)])?,
        })
    }

    /// Records the map.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene<'_>,
        groups: &[wgpu::BindGroup; 2],
        cords: Option<(&Lines, &wgpu::BindGroup)>,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.map,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &groups[0], &[]);
        pass.set_bind_group(1, &groups[1], &[]);
        let triangles = scene.surface.triangles();
        if !triangles.is_empty() {
            pass.set_pipeline(&self.cloth);
            pass.set_index_buffer(triangles.raw().slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..triangles.len() as u32, 0, 0..1);
        }
        if let Some((lines, group)) = cords {
            pass.set_pipeline(&self.cords);
            pass.set_bind_group(2, group, &[]);
            pass.draw(0..lines.vertices(), 0..1);
        }
    }

    /// The bind group of `render/light.wgsl`.
    pub fn bind(&self, gpu: &Gpu, layouts: &Layouts) -> wgpu::BindGroup {
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("light"),
            layout: &layouts.light,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&self.map) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        })
    }
}
