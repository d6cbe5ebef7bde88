//! What the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, springs, sums};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position, velocity and iterate as above; y written.
    nodes("methods/newton_multigrid/ends.wgsl:predict", 64),
    nodes("methods/newton_multigrid/ends.wgsl:finish", 64),
    // z and y read; gradient and first correction written.
    springs("methods/newton_multigrid/gradient.wgsl:gradient", 64),
    // z, y, gradient and correction read; residual, or the next z written, with momentum also x.
    springs("methods/newton_multigrid/advance.wgsl:residual", 80),
    springs("methods/newton_multigrid/advance.wgsl:advance", 80),
    springs("methods/newton_multigrid/advance.wgsl:advance_with_momentum", 112),
    // z, y, right side and correction read; one or two vectors written.
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:set_out", 96),
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:precondition", 80),
    nodes("methods/newton_multigrid/conjugate_gradients.wgsl:turn", 48),
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:multiply_direction", 64),
    // z, y, direction and product read; right side, correction and its sum read and written.
    springs("methods/newton_multigrid/conjugate_gradients.wgsl:descend", 160),
    // Two or three vectors, and parts.
    sums("methods/newton_multigrid/dots.wgsl:add_shared", 32),
    sums("methods/newton_multigrid/dots.wgsl:add_slope", 48),
    // Sixteen parts a thread.
    nodes("methods/newton_multigrid/dots.wgsl:set_kept", 128),
    nodes("methods/newton_multigrid/dots.wgsl:set_along", 128),
    // Sixteen parts a thread.
    nodes("methods/newton_multigrid/start.wgsl:begin", 512),
    nodes("methods/newton_multigrid/error.wgsl:look", 256),
    // A quarter of a coarse correction read; the cloth's own read and written.
    nodes("methods/newton_multigrid/grid/prolong.wgsl:prolong", 36),
    // z, y and the correction read; a block written. Only nodes next to a pin visit their springs.
    nodes("methods/newton_multigrid/mesh/coarsen_first.wgsl:hold", 72),
];
