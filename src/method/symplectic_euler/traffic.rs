//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, springs};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[springs("methods/symplectic_euler/substep.wgsl:substep", 64)];
