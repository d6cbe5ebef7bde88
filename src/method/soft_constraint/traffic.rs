//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, slots};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity read; y - x_0 written. At the end all of them and the springs' part are read, and the first two written.
    nodes("methods/soft_constraint/ends.wgsl:predict", 48),
    nodes("methods/soft_constraint/ends.wgsl:finish", 80),
    // Vectors at nodes; residual, direction, product, multiplier and preconditioner at slots.
    slots("methods/soft_constraint/solve.wgsl:compute_right_hand_side", 48, 12),
    slots("methods/soft_constraint/solve.wgsl:update_direction", 48, 12),
    slots("methods/soft_constraint/solve.wgsl:multiply_direction", 48, 8),
    Traffic {
        kernel: "methods/soft_constraint/solve.wgsl:update_solution",
        thread: 16,
        node: 0,
        slot: 32,
        springs: false,
    },
    slots("methods/soft_constraint/solve.wgsl:scatter", 48, 4),
];
