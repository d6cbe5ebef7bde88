//! Owns the state on the GPU, steps it and reads it back.

mod surface;

pub use surface::Surface;
