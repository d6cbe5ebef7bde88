//! The GPU without a word of cloth: adapter and device, shader loading, typed buffers, kernels,
//! passes, timer.

mod error;

pub use error::GpuError;
