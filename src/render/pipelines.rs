//! Layouts that several pipelines share, and render pipelines from composed shaders.

use super::solids::LAYOUTS;
use super::view::View;
use crate::gpu::{Gpu, GpuError, Shader, Source};
use crate::shaders::LIBRARY;

/// Format of every depth buffer here.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples a pixel of the picture.
pub(super) const SAMPLES: u32 = 4;

/// Bind group layouts.
pub(super) struct Layouts {
    /// `render/view.wgsl`, `render/body.wgsl` and `render/solids.wgsl`.
    pub frame: wgpu::BindGroupLayout,
    /// `render/nodes.wgsl`.
    pub nodes: wgpu::BindGroupLayout,
    /// `render/light.wgsl`.
    pub light: wgpu::BindGroupLayout,
    /// Style and springs of `render/lines.wgsl`.
    pub lines: wgpu::BindGroupLayout,
    /// First axis of `render/sky_map.wgsl`.
    pub axis: wgpu::BindGroupLayout,
}

impl Layouts {
    pub fn new(gpu: &Gpu) -> Self {
        let (vertex, both) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::VERTEX_FRAGMENT);
        let uniform = wgpu::BufferBindingType::Uniform;
        let storage = wgpu::BufferBindingType::Storage { read_only: true };
        let buffers = |label, kinds: &[(wgpu::ShaderStages, wgpu::BufferBindingType)]| {
            let entry = |(binding, &(visibility, ty))| wgpu::BindGroupLayoutEntry {
                binding: binding as u32,
                visibility,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            };
            let entries: Vec<_> = kinds.iter().enumerate().map(entry).collect();
            layout(gpu, label, &entries)
        };
        Self {
            frame: buffers("frame", &[(both, uniform), (both, storage), (both, uniform)]),
            nodes: buffers(
                "nodes",
                &[
                    (vertex, storage),
                    (vertex, storage),
                    (vertex, storage),
                    (vertex, storage),
                    (both, storage),
                ],
            ),
            lines: buffers("lines", &[(both, uniform), (vertex, storage)]),
            axis: buffers("axis", &[(vertex, uniform)]),
            light: light(gpu),
        }
    }

    /// Binds buffers in order.
    pub fn bind(
        &self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        buffers: &[&wgpu::Buffer],
    ) -> wgpu::BindGroup {
        let entries: Vec<_> = buffers
            .iter()
            .enumerate()
            .map(|(k, b)| wgpu::BindGroupEntry { binding: k as u32, resource: b.as_entire_binding() })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        gpu.device.create_bind_group(&descriptor)
    }
}

fn layout(gpu: &Gpu, label: &str, entries: &[wgpu::BindGroupLayoutEntry]) -> wgpu::BindGroupLayout {
    let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries };
    gpu.device.create_bind_group_layout(&descriptor)
}

fn light(gpu: &Gpu) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    layout(gpu, "light", &[entry(0, texture), entry(1, sampler)])
}

/// A composed and validated shader as a wgpu module.
pub(super) fn module(gpu: &Gpu, root: &str) -> Result<wgpu::ShaderModule, GpuError> {
    let source = Source::compose(LIBRARY, root, &[])?;
    let text = source.text.clone();
    // Validated here, so that errors name file and line, and to compare the uniform with its twin.
    Shader::new(source, &[&View::LAYOUT, LAYOUTS[0], LAYOUTS[1]])?;
    let source = wgpu::ShaderSource::Wgsl(text.into());
    Ok(gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(root), source }))
}

/// The parameters of a pipeline.
pub(super) struct Draw<'a> {
    /// The shader file; its entry points are `NAME_vertex` and, if there is a target, `NAME_fragment`.
    pub shader: &'a str,
    pub name: &'a str,
    pub groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub target: Option<wgpu::ColorTargetState>,
    pub depth: Option<wgpu::DepthStencilState>,
    pub samples: u32,
    pub cull: Option<wgpu::Face>,
    /// Whether opacity decides how many samples of a pixel are covered.
    pub alpha_to_coverage: bool,
}

/// Compiles a pipeline that draws triangles without vertex buffers.
pub(super) fn pipeline(gpu: &Gpu, draw: &Draw<'_>) -> Result<wgpu::RenderPipeline, GpuError> {
    let module = module(gpu, draw.shader)?;
    let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(draw.name),
        bind_group_layouts: draw.groups,
        immediate_size: 0,
    });
    let (vertex, fragment) = (format!("{}_vertex", draw.name), format!("{}_fragment", draw.name));
    let targets = [draw.target.clone()];
    let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(draw.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(&vertex),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState { cull_mode: draw.cull, ..Default::default() },
        depth_stencil: draw.depth.clone(),
        multisample: wgpu::MultisampleState {
            count: draw.samples,
            alpha_to_coverage_enabled: draw.alpha_to_coverage,
            ..Default::default()
        },
        fragment: draw.target.is_some().then(|| wgpu::FragmentState {
            module: &module,
            entry_point: Some(&fragment),
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    });
    gpu.check()?;
    Ok(pipeline)
}

/// Depth state of a pipeline.
pub(super) fn depth(compare: wgpu::CompareFunction, slope_scale: f32) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(compare != wgpu::CompareFunction::Always),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: wgpu::DepthBiasState { constant: 0, slope_scale, clamp: 0.0 },
    }
}

/// The view of a two-dimensional texture, as a render target and, with one sample, for sampling.
pub(super) fn texture(
    gpu: &Gpu,
    label: &str,
    format: wgpu::TextureFormat,
    size: [u32; 2],
    samples: u32,
) -> wgpu::TextureView {
    let sampled =
        if samples == 1 { wgpu::TextureUsages::TEXTURE_BINDING } else { wgpu::TextureUsages::empty() };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | sampled,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}
