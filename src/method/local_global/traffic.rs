//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, springs};

/// Of each kernel; without contact, where nodes that touch keep what they gain.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity read; y and the first iterate written.
    nodes("methods/local_global/ends.wgsl:predict", 64),
    // Position and iterate read; position and velocity written.
    nodes("methods/local_global/ends.wgsl:finish", 64),
    // x read, the springs' pull written.
    springs("methods/local_global/ends.wgsl:project", 32),
    // x, the x before (for the Chebyshev weight) and y read; x written.
    springs("methods/local_global/sweep.wgsl:sweep", 64),
    springs("methods/local_global/sweep.wgsl:sweep_and_note", 64),
    // x and y read; right-hand side, solution, direction, z and P^-1 written.
    springs("methods/local_global/system.wgsl:project", 128),
    nodes("methods/local_global/system.wgsl:advance", 48),
];
