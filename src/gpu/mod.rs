//! The GPU without a word of cloth: adapter and device, shader loading, typed buffers, kernels,
//! passes, timer.

mod adapter;
mod buffer;
mod device;
mod error;
mod kernel;
mod limits;
mod names;
mod namespace;
mod near;
mod pass;
mod profile;
mod shader;
mod source;
mod timer;
mod twin;

pub use adapter::adapters;
pub use buffer::{Buffer, Usage, Words};
pub use device::{Gpu, GpuOptions, Requirements};
pub use error::GpuError;
pub use kernel::{Bindings, Bound, Job, Kernel};
pub use limits::{check_text, on_deep_stack};
pub use namespace::PREFIX;
pub use pass::{Launch, Pass, submit};
pub use profile::{MOST_PROFILED, Profile, Timed};
pub use shader::{Binding, BindingKind, HostStruct, Shader};
pub use source::{Library, Own, Source, choices, chosen, imports};
pub use timer::Timer;
pub(crate) use twin::twin;
