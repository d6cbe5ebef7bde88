//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, springs};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position, y and a vector read; one written.
    springs("methods/linear/steps.wgsl:multiply_direction", 64),
    // Direction and P^-1 read; solution, residual and product read and written.
    nodes("methods/linear/steps.wgsl:update_solution", 144),
    nodes("methods/linear/steps.wgsl:update_direction", 48),
    // Position, y, solution, right-hand side and P^-1 read; solution written.
    springs("methods/linear/steps.wgsl:sweep", 112),
    // y, solution, right-hand side, P^-1 and the place in the color read, solution written; of all nodes position and solution.
    Traffic { kernel: "methods/linear/steps.wgsl:sweep_color", thread: 84, node: 32, slot: 0, springs: true },
    springs("methods/linear/steps.wgsl:compute_residual", 80),
    nodes("methods/linear/steps.wgsl:copy_solution", 32),
];
