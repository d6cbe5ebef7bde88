//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, springs};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity read; y and the first move written.
    nodes("methods/implicit_euler/substep.wgsl:predict", 64),
    // Position, y and the first move read; right-hand side, solution, direction, z and two rows of P^-1 written.
    springs("methods/implicit_euler/substep.wgsl:linearize", 144),
    // Position, first move and solution read; position and velocity written.
    nodes("methods/implicit_euler/substep.wgsl:finish", 80),
];
