//! The bytes that the kernels of this folder move.

use crate::method::traffic::{Traffic, nodes};

/// Of each kernel; without contact, where nodes that touch keep what they gain.
pub const TRAFFIC: &[Traffic] = &[
    // Position and velocity read; y and the first iterate written.
    nodes("methods/vbd/ends.wgsl:predict", 64),
    // Position and iterate read; position and velocity written.
    nodes("methods/vbd/ends.wgsl:finish", 64),
    // y and the place in the color read, x written; x of all nodes read.
    Traffic { kernel: "methods/vbd/descend.wgsl:descend", thread: 36, node: 16, slot: 0, springs: true },
    nodes("methods/vbd/descend.wgsl:accelerate", 64),
];
