//! Compute pipelines, whose layouts are read from the shader, and their bound form.

use std::sync::Arc;

use bytemuck::Pod;
use rayon::prelude::*;

use super::cache::KernelKey;
use super::names::Names;
use super::shader::{Binding, BindingKind};
use super::{Buffer, Gpu, GpuError, Shader};

/// Buffers by the names that WGSL gives them.
#[derive(Clone, Default)]
pub struct Bindings {
    entries: Vec<(&'static str, wgpu::Buffer)>,
}

impl Bindings {
    /// No bindings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a binding.
    pub fn with<T: Pod + Send>(self, name: &'static str, buffer: &Buffer<T>) -> Self {
        self.with_raw(name, buffer.raw())
    }

    /// Adds or replaces a binding.
    pub fn with_raw(mut self, name: &'static str, buffer: &wgpu::Buffer) -> Self {
        self.entries.retain(|e| e.0 != name);
        self.entries.push((name, buffer.clone()));
        self
    }

    /// Adds or replaces all of `others`.
    pub fn and(self, others: &Self) -> Self {
        others.entries.iter().fold(self, |all, (name, buffer)| all.with_raw(name, buffer))
    }

    /// Binds what `name` is bound to under another name, too.
    pub fn aliased(self, other: &'static str, name: &str) -> Self {
        match self.get(name).cloned() {
            Some(buffer) => self.with_raw(other, &buffer),
            None => self,
        }
    }

    fn get(&self, name: &str) -> Option<&wgpu::Buffer> {
        self.entries.iter().find(|e| e.0 == name).map(|e| &e.1)
    }
}

/// A kernel to compile: a shader, its entry point, and values of WGSL overrides.
pub type Job<'a> = (&'a Shader, &'a str, &'a [(&'a str, f64)]);

/// A compiled entry point. Clones are handles to the same one.
#[derive(Clone)]
pub struct Kernel {
    name: Arc<str>,
    pipeline: wgpu::ComputePipeline,
    bindings: Arc<[Binding]>,
    layout: wgpu::BindGroupLayout,
    workgroup_size: u32,
    names: Arc<Names>,
}

/// A kernel with its resources, ready to dispatch.
#[derive(Clone)]
pub struct Bound {
    pub(super) name: Arc<str>,
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) group: wgpu::BindGroup,
    pub(super) workgroup_size: u32,
}

impl Bound {
    /// The threads of this many workgroups.
    pub fn threads(&self, groups: u32) -> u32 {
        groups * self.workgroup_size
    }
}

impl Kernel {
    /// Compiles an entry point, unless the cache has it. `constants` are values of WGSL `override`s; values for those that it does not
    /// depend on are ignored.
    pub fn new(gpu: &Gpu, shader: &Shader, entry: &str, constants: &[(&str, f64)]) -> Result<Self, GpuError> {
        let mut used = Vec::new();
        for constant in constants {
            if shader.depends_on(entry, constant.0)? {
                used.push(*constant);
            }
        }
        let key_of = |(name, value): &(&str, f64)| ((*name).to_owned(), value.to_bits());
        let constants = used.iter().map(key_of).collect();
        let key = KernelKey { text: shader.text(), entry: entry.to_owned(), constants };
        gpu.cache.kernel(key, || Self::compile_one(gpu, shader, entry, &used))
    }

    fn compile_one(
        gpu: &Gpu,
        shader: &Shader,
        entry: &str,
        constants: &[(&str, f64)],
    ) -> Result<Self, GpuError> {
        let name: Arc<str> = format!("{}:{entry}", shader.name()).into();
        let bindings = shader.bindings(entry)?;
        let layout = layout(gpu, &name, &bindings);
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(&name),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = shader.module(gpu, constants)?;
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                // Every kernel writes workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
        gpu.check()?;
        let bindings = bindings.into();
        let workgroup_size = shader.workgroup_size(entry, constants)?;
        Ok(Self { name, pipeline, bindings, layout, workgroup_size, names: shader.names() })
    }

    /// Compiles several kernels in parallel on all threads; give the most expensive ones first.
    pub fn compile<const N: usize>(gpu: &Gpu, jobs: [Job<'_>; N]) -> Result<[Self; N], GpuError> {
        let compile = |(shader, entry, constants): &Job<'_>| Self::new(gpu, shader, entry, constants);
        let kernels: Vec<Self> = jobs.par_iter().map(compile).collect::<Result<_, _>>()?;
        Ok(kernels.try_into().unwrap_or_else(|_| unreachable!("one kernel for each job")))
    }

    /// Binds buffers by name. Names that only other shaders of the library use are ignored.
    pub fn bind(&self, gpu: &Gpu, resources: &Bindings) -> Result<Bound, GpuError> {
        let mut names = resources.entries.iter().map(|entry| entry.0);
        if let Some(message) = names.find_map(|name| self.names.refuse_buffer(name)) {
            return Err(GpuError::Binding { kernel: self.name.to_string(), message });
        }
        let mut entries = Vec::new();
        for binding in self.bindings.iter() {
            let buffer = resources.get(&binding.name).ok_or_else(|| GpuError::Binding {
                kernel: self.name.to_string(),
                message: format!("nothing is bound to '{}'", binding.name),
            })?;
            entries.push(entry(binding, buffer));
        }
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&self.name),
            layout: &self.layout,
            entries: &entries,
        });
        gpu.check()?;
        let (name, pipeline) = (Arc::clone(&self.name), self.pipeline.clone());
        Ok(Bound { name, pipeline, group, workgroup_size: self.workgroup_size })
    }
}

fn entry<'a>(binding: &Binding, buffer: &'a wgpu::Buffer) -> wgpu::BindGroupEntry<'a> {
    // With a dynamic offset, the binding is a window of the struct's size into the buffer.
    let size = binding.is_dynamic.then(|| std::num::NonZeroU64::new(binding.least_size)).flatten();
    wgpu::BindGroupEntry {
        binding: binding.index,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size }),
    }
}

fn layout(gpu: &Gpu, name: &str, bindings: &[Binding]) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = bindings
        .iter()
        .map(|b| wgpu::BindGroupLayoutEntry {
            binding: b.index,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match b.kind {
                    BindingKind::Uniform => wgpu::BufferBindingType::Uniform,
                    BindingKind::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    BindingKind::Write => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: b.is_dynamic,
                min_binding_size: std::num::NonZeroU64::new(b.least_size),
            },
            count: None,
        })
        .collect();
    gpu.device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries })
}
