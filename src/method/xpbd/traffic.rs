//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, slots, springs};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity read, springs counted; y and the first u written. At the end u read, both written.
    springs("methods/xpbd/ends.wgsl:predict", 64),
    nodes("methods/xpbd/ends.wgsl:finish", 64),
    // u, x_0 and y read, u written; the multiplier read and written.
    slots("methods/xpbd/jacobi.wgsl:relax", 64, 8),
    // Place in the color, spring and multiplier; at both ends u read and written, x_0 and y read.
    nodes("methods/xpbd/gauss_seidel.wgsl:relax", 164),
];
