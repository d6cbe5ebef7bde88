//! What friction on colliders keeps from one substep to the next: `shaders/forces/contact.wgsl`.

use super::Pushes;
use crate::gpu::{Buffer, Gpu, GpuError, Usage, twin};

twin! {
    /// Host twin of WGSL `FrictionHistory`.
    pub struct FrictionHistory = "FrictionHistory" {
        /// \[N\]
        pub kept: [f32; 3],
        /// [N s/m]
        pub drag: f32,
        /// [m/s]
        pub surface_velocity: [f32; 3],
        /// Index of the collider and one; 0: none.
        pub collider: u32,
    }
}

/// One of each node; empty where nothing is kept: without colliders, and in explicit methods.
pub fn friction_history(
    gpu: &Gpu,
    nodes: usize,
    pushes: Pushes,
    is_explicit: bool,
) -> Result<Buffer<FrictionHistory>, GpuError> {
    let keeps = pushes.colliders > 0 && !is_explicit;
    Buffer::zeroed(gpu, "friction on colliders", if keeps { nodes } else { 0 }, Usage::empty())
}
