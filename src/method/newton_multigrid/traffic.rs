//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, springs, sums};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity read; y and the iterate written. Then iterate and position read; both written.
    nodes("methods/newton_multigrid/ends.wgsl:predict", 64),
    nodes("methods/newton_multigrid/ends.wgsl:finish", 64),
    // z and y read; gradient and pre-smoothed correction written.
    springs("methods/newton_multigrid/gradient.wgsl:gradient", 64),
    // z, y, gradient and correction read; residual, or the next z written, with momentum also x.
    springs("methods/newton_multigrid/advance.wgsl:residual", 80),
    springs("methods/newton_multigrid/advance.wgsl:advance", 80),
    springs("methods/newton_multigrid/advance.wgsl:advance_with_momentum", 112),
    // z, y, right-hand side and correction read; one or two vectors written.
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:first_direction", 96),
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:precondition", 80),
    nodes("methods/newton_multigrid/conjugate_gradients.wgsl:update_direction", 48),
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:multiply_direction", 64),
    // z, y, direction and product read; right-hand side and solution read and written, correction written.
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:update_solution", 160),
    // Two or three vectors.
    sums("methods/newton_multigrid/dots.wgsl:add_beta_parts", 32),
    sums("methods/newton_multigrid/dots.wgsl:add_alpha_parts", 48),
    // Eight parts a thread.
    nodes("methods/newton_multigrid/dots.wgsl:compute_beta", 64),
    nodes("methods/newton_multigrid/dots.wgsl:compute_alpha", 64),
    nodes("methods/newton_multigrid/start.wgsl:begin", 256),
    nodes("methods/newton_multigrid/error.wgsl:estimate_error", 128),
    // A quarter of a coarse correction read; the cloth's correction read and written.
    nodes("methods/newton_multigrid/grid/prolongate.wgsl:prolongate", 36),
    // z, y and the correction read; a block written. Only nodes next to a pin read anything else.
    nodes("methods/newton_multigrid/mesh/coarsen_first.wgsl:compute_ground", 72),
];
