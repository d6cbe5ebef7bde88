//! A validated shader and its reflection by naga: bindings, workgroup sizes, struct layouts.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::names::Names;
use super::native::on_deep_stack;
use super::{Gpu, GpuError, Source, limits};

/// In WGSL, world, network and solver have separate groups, `@group` 0 to 2, so that shared files do not conflict, and
/// `@group(3)` has the uniforms that are bound with a dynamic offset, which changes from dispatch to dispatch. Every
/// bound group costs time at each dispatch, so kernels get all bindings as one group.
const DYNAMIC_IN_WGSL: u32 = 3;
/// Binding numbers within a group in WGSL are below this.
const MOST_BINDINGS: u32 = 32;

/// How a binding is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer that the shader only reads.
    Read,
    /// A storage buffer that the shader writes.
    Write,
}

/// A resource that an entry point uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Name of the variable in WGSL.
    pub name: String,
    /// Its index in the kernel's group.
    pub index: u32,
    /// Whether it is a uniform that is bound with a dynamic offset.
    pub is_dynamic: bool,
    /// How it is used.
    pub kind: BindingKind,
    /// Least size of a buffer bound to it \[B\].
    pub least_size: u64,
}

/// The host's copy of a WGSL struct, for comparison when a shader loads.
pub struct HostStruct {
    /// Name in WGSL.
    pub name: &'static str,
    /// Size in Rust \[B\].
    pub size: usize,
    /// Name and offset \[B\] of each field in Rust; names that begin with `padding` are not compared.
    pub fields: &'static [(&'static str, usize)],
}

/// A parsed and validated shader. Clones are handles to the same one.
#[derive(Clone)]
pub struct Shader {
    source: Arc<Source>,
    /// The composed text, which is the key in the cache.
    text: Arc<str>,
    module: Arc<naga::Module>,
    info: Arc<ModuleInfo>,
    /// The module on the first device that needed it; all entry points share it.
    created: Arc<OnceLock<(wgpu::Device, wgpu::ShaderModule)>>,
    /// Of each entry point the overrides that it depends on, once they were asked for.
    overrides: Arc<[OnceLock<Vec<String>>]>,
}

impl Shader {
    /// Parses and validates the text without any optional capability, and compares host structs.
    ///
    /// A user's own text is parsed on a thread with a deep stack.
    pub fn new(source: Source, structs: &[&HostStruct]) -> Result<Self, GpuError> {
        if source.is_trusted() {
            return Self::read(source, structs);
        }
        let name = source.name.clone();
        let failed = |message| GpuError::Shader { file: name, line: 0, message };
        on_deep_stack(|| Self::read(source, structs)).map_err(failed)?
    }

    fn read(source: Source, structs: &[&HostStruct]) -> Result<Self, GpuError> {
        let mut module = naga::front::wgsl::parse_str(&source.text).map_err(|e| {
            let line = e.location(&source.text).map_or(0, |l| l.line_number as usize);
            shader_error(&source, line, e.message().to_owned())
        })?;
        merge_groups(&mut module)
            .map_err(|variable| shader_error(&source, 0, format!("'{variable}' is bound out of range")))?;
        let info =
            Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).map_err(|e| {
                let line = e.location(&source.text).map_or(0, |l| l.line_number as usize);
                shader_error(&source, line, causes(e.as_inner()))
            })?;
        let text = source.text.as_str().into();
        let overrides = module.entry_points.iter().map(|_| OnceLock::new()).collect();
        let (source, module, info) = (Arc::new(source), Arc::new(module), Arc::new(info));
        let shader = Self { source, text, module, info, created: Arc::default(), overrides };
        shader.check_structs(structs)?;
        Ok(shader)
    }

    /// Checks that these host structs have the same layout as in WGSL.
    pub(super) fn check_structs(&self, structs: &[&HostStruct]) -> Result<(), GpuError> {
        structs.iter().try_for_each(|s| self.compare(s))
    }

    /// The composed text.
    pub(super) fn text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// The root file's name.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Whether it has only functions, constants and types.
    pub fn is_pure(&self) -> bool {
        let module = &self.module;
        module.global_variables.is_empty() && module.overrides.is_empty() && module.entry_points.is_empty()
    }

    /// Checks that a user's text, which imports nothing from the library, compiles in reasonable time and memory.
    pub fn check_limits(&self) -> Result<(), GpuError> {
        limits::check_module(&self.module, &self.info).map_err(|(span, message)| {
            let line =
                if span.is_defined() { span.location(&self.source.text).line_number as usize } else { 0 };
            shader_error(&self.source, line, message)
        })
    }

    /// Names of its compute entry points.
    pub fn entry_points(&self) -> impl Iterator<Item = &str> {
        let compute = |e: &&naga::EntryPoint| e.stage == naga::ShaderStage::Compute;
        self.module.entry_points.iter().filter(compute).map(|e| e.name.as_str())
    }

    /// Threads per workgroup of an entry point with these values of overrides. A size is a number or an override.
    pub(super) fn workgroup_size(&self, entry: &str, constants: &[(&str, f64)]) -> Result<u32, GpuError> {
        Ok(self.sizes(&self.module.entry_points[self.entry(entry)?], constants)?.iter().product())
    }

    /// Threads per workgroup of an entry point along each axis.
    fn sizes(&self, entry: &naga::EntryPoint, constants: &[(&str, f64)]) -> Result<[u32; 3], GpuError> {
        let mut sizes = entry.workgroup_size;
        for (size, chosen) in sizes.iter_mut().zip(entry.workgroup_size_overrides.unwrap_or_default()) {
            if let Some(expression) = chosen {
                *size = self.whole(expression, constants).ok_or_else(|| {
                    shader_error(&self.source, 0, "a workgroup's size is a number or an override".to_owned())
                })?;
            }
        }
        Ok(sizes)
    }

    /// The parsed module with the sizes of workgroups that `constants` give; `None` if none is an override. For browsers naga
    /// writes the module as WGSL, with a size of 1 in place of an override.
    fn sized(&self, constants: &[(&str, f64)]) -> Result<Option<naga::Module>, GpuError> {
        if self.module.entry_points.iter().all(|entry| entry.workgroup_size_overrides.is_none()) {
            return Ok(None);
        }
        let mut module = naga::Module::clone(&self.module);
        for entry in &mut module.entry_points {
            entry.workgroup_size = self.sizes(entry, constants)?;
            entry.workgroup_size_overrides = None;
        }
        Ok(Some(module))
    }

    /// The resources that an entry point uses, in the order of their indices; those with dynamic offsets are last.
    pub fn bindings(&self, entry: &str) -> Result<Vec<Binding>, GpuError> {
        let info = self.info.get_entry_point(self.entry(entry)?);
        let mut layouter = naga::proc::Layouter::default();
        layouter
            .update(self.module.to_ctx())
            .map_err(|e| shader_error(&self.source, 0, format!("layout: {e}")))?;
        let mut bindings = Vec::new();
        for (handle, variable) in self.module.global_variables.iter() {
            let Some(at) = variable.binding else { continue };
            if info[handle].is_empty() {
                continue;
            }
            let kind = match variable.space {
                naga::AddressSpace::Uniform => BindingKind::Uniform,
                naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => {
                    BindingKind::Write
                }
                naga::AddressSpace::Storage { .. } => BindingKind::Read,
                _ => continue,
            };
            bindings.push(Binding {
                name: variable.name.clone().unwrap_or_default(),
                index: at.binding,
                is_dynamic: at.binding >= place(DYNAMIC_IN_WGSL, 0) && kind == BindingKind::Uniform,
                kind,
                least_size: u64::from(layouter[variable.ty].size),
            });
        }
        bindings.sort_by_key(|b| b.index);
        Ok(bindings)
    }

    /// The value of a `const` of type u32.
    pub fn constant(&self, name: &str) -> Option<u32> {
        let named = |c: &(_, &naga::Constant)| c.1.name.as_deref() == Some(name);
        let (_, constant) = self.module.constants.iter().find(named)?;
        self.whole(constant.init, &[])
    }

    /// The value of a global expression of type u32, unless it must be computed.
    fn whole(&self, at: naga::Handle<naga::Expression>, constants: &[(&str, f64)]) -> Option<u32> {
        match self.module.global_expressions[at] {
            naga::Expression::Literal(naga::Literal::U32(value)) => Some(value),
            naga::Expression::Constant(constant) => {
                self.whole(self.module.constants[constant].init, constants)
            }
            naga::Expression::Override(chosen) => {
                let chosen = &self.module.overrides[chosen];
                let given = constants.iter().find(|c| Some(c.0) == chosen.name.as_deref());
                given.map_or_else(|| self.whole(chosen.init?, constants), |c| Some(c.1 as u32))
            }
            _ => None,
        }
    }

    /// Whether an entry point depends on the `override` of this name; fails if no shader of the library declares it.
    pub(super) fn depends_on(&self, entry: &str, name: &str) -> Result<bool, GpuError> {
        if let Some(message) = self.source.names.refuse_override(name)
            && !self.module.overrides.iter().any(|o| o.1.name.as_deref() == Some(name))
        {
            return Err(shader_error(&self.source, 0, message));
        }
        let entry = self.entry(entry)?;
        let found = self.overrides[entry].get_or_init(|| self.overrides_of(entry));
        Ok(found.iter().any(|found| found == name))
    }

    /// The overrides that are left where nothing is that an entry point does not reach.
    fn overrides_of(&self, entry: usize) -> Vec<String> {
        let mut module = naga::Module::clone(&self.module);
        module.entry_points = vec![module.entry_points.swap_remove(entry)];
        naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
        module.overrides.iter().filter_map(|o| o.1.name.clone()).collect()
    }

    /// The names that shaders of the library declare.
    pub(super) fn names(&self) -> Arc<Names> {
        Arc::clone(&self.source.names)
    }

    /// The wgpu module. It is made only once for the first device, but where sizes of workgroups follow from `constants`.
    pub(super) fn module(
        &self,
        gpu: &Gpu,
        constants: &[(&str, f64)],
    ) -> Result<wgpu::ShaderModule, GpuError> {
        if let Some(sized) = self.sized(constants)? {
            return Ok(self.create_module(gpu, sized));
        }
        let create = || self.create_module(gpu, naga::Module::clone(&self.module));
        let (device, module) = self.created.get_or_init(|| (gpu.device.clone(), create()));
        Ok(if *device == gpu.device { module.clone() } else { create() })
    }

    /// Creates the module with the bounds checks of the GPU's options. Loops and divisions are not checked, because
    /// every loop in the library's shaders ends and no divisor is zero (columns and rows are >= 2, a copy has a node, and its
    /// sums have a part).
    #[allow(unsafe_code, reason = "checks cost time in every kernel")]
    fn create_module(&self, gpu: &Gpu, module: naga::Module) -> wgpu::ShaderModule {
        let mut checks = wgpu::ShaderRuntimeChecks::checked();
        checks.bounds_checks = gpu.bounds_checks;
        checks.force_loop_bounding = false;
        checks.int_div_checks = false;
        if !self.source.is_trusted() {
            checks = wgpu::ShaderRuntimeChecks::checked();
        }
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(&self.source.name),
            // Pass the parsed module, because parsing is the most expensive part of a short shader.
            source: wgpu::ShaderSource::Naga(Cow::Owned(module)),
        };
        // SAFETY: a user's text has all checks. In files embedded in the program, loops run over row lengths and
        // constants, divisors are positive, and if bounds checks are off, every index comes from rows that the model's
        // builder validated.
        unsafe { gpu.device.create_shader_module_trusted(descriptor, checks) }
    }

    fn entry(&self, name: &str) -> Result<usize, GpuError> {
        self.module
            .entry_points
            .iter()
            .position(|e| e.name == name)
            .ok_or_else(|| shader_error(&self.source, 0, format!("no entry point '{name}'")))
    }

    fn compare(&self, host: &HostStruct) -> Result<(), GpuError> {
        let named = |t: &(_, &naga::Type)| t.1.name.as_deref() == Some(host.name);
        let Some((_, ty)) = self.module.types.iter().find(named) else {
            // A module that does not use the struct cannot disagree with it, but some shader must declare it.
            let refusal = self.source.names.refuse_struct(host.name);
            return refusal.map_or(Ok(()), |message| Err(shader_error(&self.source, 0, message)));
        };
        let naga::TypeInner::Struct { members, span } = &ty.inner else {
            return Err(shader_error(&self.source, 0, format!("'{}' is no struct", host.name)));
        };
        let is_field = |field: &(&str, usize)| !field.0.starts_with("padding");
        let wgsl = members.iter().map(|m| (m.name.as_deref().unwrap_or(""), m.offset as usize));
        let wgsl: Vec<(&str, usize)> = wgsl.filter(is_field).collect();
        if host.fields.iter().copied().filter(is_field).eq(wgsl.iter().copied())
            && *span as usize == host.size
        {
            return Ok(());
        }
        let message = format!(
            "struct {} differs: WGSL has {wgsl:?} in {span} bytes, Rust has {:?} in {} bytes",
            host.name, host.fields, host.size
        );
        Err(shader_error(&self.source, 0, message))
    }
}

/// Moves all bindings into one group; fails with the name of a binding that does not fit.
fn merge_groups(module: &mut naga::Module) -> Result<(), String> {
    for (_, variable) in module.global_variables.iter_mut() {
        let Some(at) = &mut variable.binding else { continue };
        if at.group > DYNAMIC_IN_WGSL || at.binding >= MOST_BINDINGS {
            return Err(variable.name.clone().unwrap_or_default());
        }
        *at = naga::ResourceBinding { group: 0, binding: place(at.group, at.binding) };
    }
    Ok(())
}

/// The index in a kernel's single group of WGSL's `@group(group) @binding(binding)`.
fn place(group: u32, binding: u32) -> u32 {
    group * MOST_BINDINGS + binding
}

fn shader_error(source: &Source, line: usize, message: String) -> GpuError {
    let (file, line) = source.origin(line);
    GpuError::Shader { file: file.to_owned(), line, message }
}

/// An error and its causes, on one line.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Library, Source};
    use super::*;

    const LIBRARY: &Library = &[(
        "a.wgsl",
        "const FEW: u32 = 8u;\noverride THREADS: u32 = FEW;\n@group(0) @binding(0) var<storage, read_write> work: array<u32>;\n\
         @compute @workgroup_size(THREADS, 2)\nfn run(@builtin(local_invocation_index) k: u32) { work[k] = THREADS; }\n\
         @compute @workgroup_size(64)\nfn other() { work[0] = 0u; }\n",
    )];

    const DEPENDING: &Library = &[(
        "a.wgsl",
        "override READ: u32 = 1u;\noverride FIRST: u32 = 2u;\noverride SECOND: u32 = 2u * FIRST;\noverride LENGTH: u32 = 4u;\n\
         override CALLED: bool = false;\noverride OTHER: u32 = 0u;\n\
         @group(0) @binding(0) var<storage, read_write> work: array<u32>;\nvar<workgroup> memory: array<u32, LENGTH>;\n\
         fn called() -> u32 { return select(1u, 2u, CALLED); }\n\
         @compute @workgroup_size(4)\nfn run(@builtin(local_invocation_index) k: u32) {\n\
         memory[k] = SECOND;\nworkgroupBarrier();\nwork[k] = memory[0] + called() + READ;\n}\n\
         @compute @workgroup_size(4)\nfn other() { work[0] = OTHER; }\n",
    )];

    #[test]
    fn an_entry_point_depends_on_what_it_reaches() {
        let shader = Shader::new(Source::compose(DEPENDING, "a.wgsl", &[]).unwrap(), &[]).unwrap();
        let all = ["READ", "FIRST", "SECOND", "LENGTH", "CALLED", "OTHER"];
        let of = |entry| all.map(|name| shader.depends_on(entry, name).unwrap());
        assert_eq!(of("run"), [true, true, true, true, true, false]);
        assert_eq!(of("other"), [false, false, false, false, false, true]);
        assert!(shader.depends_on("run", "READS").is_err() && shader.depends_on("runs", "READ").is_err());
    }

    #[test]
    fn no_size_of_a_workgroup_is_left_to_the_backend() {
        let shader = Shader::new(Source::compose(LIBRARY, "a.wgsl", &[]).unwrap(), &[]).unwrap();
        for (constants, threads) in [(&[][..], 8), (&[("THREADS", 32.0)][..], 32)] {
            let module = shader.sized(constants).unwrap().unwrap();
            let entries = &module.entry_points;
            assert_eq!([0, 1].map(|k| entries[k].workgroup_size), [[threads, 2, 1], [64, 1, 1]]);
            assert!(entries.iter().all(|entry| entry.workgroup_size_overrides.is_none()));
            assert_eq!(shader.workgroup_size("run", constants).unwrap(), 2 * threads);
        }
    }
}
