//! Sums over nodes: many threads make partial sums, then one workgroup a copy adds up these.

use super::Setup;

/// Nodes that a thread adds up, and the most threads of a copy: enough to fill a GPU.
const PART: u32 = 16;
const MOST_PARTS: u32 = 4096;
/// Where a part of the nodes tells for all: of a copy of more nodes than this one in so many, stretches of neighbors, evenly
/// spread.
const MANY_NODES: u32 = 4096;
const EVERY: u32 = 4;

/// How the nodes of each copy are shared out.
#[derive(Clone, Copy)]
pub struct Parts {
    /// Parts of each copy: as many as of one alone, since its sums must be the same bits.
    of_copy: u32,
    /// Of all copies.
    pub total: u32,
    /// Of each part one in so many nodes is looked at.
    every: u32,
    /// Nodes that are looked at.
    pub nodes: u32,
}

impl Parts {
    /// Of all nodes.
    pub fn new(setup: &Setup<'_>) -> Self {
        let of_copy = (setup.nodes / setup.copies).div_ceil(PART).clamp(1, MOST_PARTS);
        Self { of_copy, total: of_copy * setup.copies, every: 1, nodes: setup.nodes }
    }

    /// Of some nodes where they are many.
    pub fn of_some(setup: &Setup<'_>) -> Self {
        let every = if setup.nodes / setup.copies > MANY_NODES { EVERY } else { 1 };
        Self { every, nodes: setup.nodes.div_ceil(every), ..Self::new(setup) }
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
