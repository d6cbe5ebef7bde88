//! Sums over nodes: many workgroups make partial sums, then one workgroup a copy adds up these
//! (`shaders/core/part_sum.wgsl`).

use super::Setup;
use crate::numbers::{EVERY, MANY_NODES, MOST_SUMS, WORKGROUP_SIZE};

/// How the nodes of each copy are shared out.
#[derive(Clone, Copy)]
pub struct Parts {
    /// Parts of all copies: of each as many as of one alone, since its sums must be the same bits.
    pub total: u32,
    /// Threads that make them.
    pub threads: u32,
    /// Whether a part of the nodes tells for all where they are many.
    of_some: bool,
    /// Nodes that are looked at.
    pub nodes: u32,
}

impl Parts {
    /// Of all nodes.
    pub fn new(setup: &Setup<'_>) -> Self {
        Self::of(false, setup)
    }

    /// Of some nodes where they are many.
    pub fn of_some(setup: &Setup<'_>) -> Self {
        Self::of(true, setup)
    }

    fn of(of_some: bool, setup: &Setup<'_>) -> Self {
        let every = if of_some && setup.nodes / setup.copies > MANY_NODES { EVERY } else { 1 };
        let of_copy = (setup.nodes / setup.copies).div_ceil(WORKGROUP_SIZE * every).clamp(1, MOST_SUMS);
        let total = of_copy * setup.copies;
        Self { total, threads: WORKGROUP_SIZE * total, of_some, nodes: setup.nodes.div_ceil(every) }
    }

    /// The override OF_SOME.
    pub fn constant(&self) -> (&'static str, f64) {
        ("OF_SOME", f64::from(u8::from(self.of_some)))
    }
}
