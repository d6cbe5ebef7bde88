//! What the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes, springs};

/// Of each kernel.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity of the stage read, the slope written.
    springs("methods/rk4/substep.wgsl:slope", 48),
    // Start and slope read; the sums and the next stage written.
    nodes("methods/rk4/substep.wgsl:first", 112),
    // The same, the stage's velocity and the sums read, too.
    nodes("methods/rk4/substep.wgsl:second", 160),
    nodes("methods/rk4/substep.wgsl:third", 160),
    // Velocity, slope and sums read; position and velocity read and written.
    nodes("methods/rk4/substep.wgsl:fourth", 128),
];
