//! Sums over nodes: many workgroups make partial sums, then one workgroup a copy adds up these
//! (`shaders/core/part_sum.wgsl`).

use super::Setup;
use crate::numbers::WORKGROUP_SIZE;

/// The most parts of a copy: enough to fill a GPU.
const MOST_PARTS: u32 = 2048;
/// Where a part of the nodes tells for all: of a copy of more nodes than this, one in so many stretches.
const MANY_NODES: u32 = 4096;
const EVERY: u32 = 4;

/// How the nodes of each copy are shared out.
#[derive(Clone, Copy)]
pub struct Parts {
    /// Parts of each copy: as many as of one alone, since its sums must be the same bits.
    of_copy: u32,
    /// Of all copies.
    pub total: u32,
    /// Threads that make them.
    pub threads: u32,
    /// Of so many stretches of `WORKGROUP_SIZE` nodes one is looked at.
    every: u32,
    /// Nodes that are looked at.
    pub nodes: u32,
}

impl Parts {
    /// Of all nodes.
    pub fn new(setup: &Setup<'_>) -> Self {
        Self::of_one_in(1, setup)
    }

    /// Of some nodes where they are many.
    pub fn of_some(setup: &Setup<'_>) -> Self {
        let every = if setup.nodes / setup.copies > MANY_NODES { EVERY } else { 1 };
        Self::of_one_in(every, setup)
    }

    fn of_one_in(every: u32, setup: &Setup<'_>) -> Self {
        let of_copy = (setup.nodes / setup.copies).div_ceil(WORKGROUP_SIZE * every).clamp(1, MOST_PARTS);
        let total = of_copy * setup.copies;
        Self { of_copy, total, threads: WORKGROUP_SIZE * total, every, nodes: setup.nodes.div_ceil(every) }
    }

    /// The override PARTS.
    pub fn constant(&self) -> (&'static str, f64) {
        ("PARTS", f64::from(self.of_copy))
    }

    /// The overrides PARTS and EVERY.
    pub fn constants(&self) -> [(&'static str, f64); 2] {
        [self.constant(), ("EVERY", f64::from(self.every))]
    }
}
