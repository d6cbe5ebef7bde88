//! The GPU layer, independent of cloth: adapter and device, shader loading, typed buffers, kernels, passes, timer.

mod adapter;
mod buffer;
mod cache;
mod device;
mod error;
mod kernel;
mod limits;
mod names;
mod namespace;
mod native;
mod near;
mod pass;
mod profile;
mod reading;
mod requirements;
mod shader;
mod source;
mod timer;
mod twin;

#[cfg(not(target_family = "wasm"))]
pub use adapter::adapters;
/// Distance of two values of a uniform that is chosen by a dynamic offset \[B\]: WebGPU's default alignment.
pub const UNIFORM_STRIDE: u32 = 256;

pub use buffer::{Buffer, Usage, Words};
pub use cache::Compilations;
pub use device::{Gpu, GpuOptions, Home};
pub use error::GpuError;
pub use kernel::{Bindings, Bound, Job, Kernel};
pub use limits::check_text;
pub use namespace::PREFIX;
pub use native::on_deep_stack;
pub use pass::{Indirect, Launch, MOST_GROUPS, Pass, submit};
pub use profile::{MOST_PROFILED, Profile, Timed};
pub use reading::Reading;
pub use requirements::Requirements;
pub use shader::{Binding, BindingKind, HostStruct, Shader};
pub use source::{Library, Own, Source, choices, chosen, imports};
pub use timer::Timer;
pub(crate) use twin::twin;
