//! The spread of the neighbors of consecutive nodes in memory.

use rayon::prelude::*;

use crate::model::Spring;

/// Nodes of a block: those of a workgroup, one kilobyte of a vector.
pub const BLOCK: u32 = 64;
/// Longer orders are judged by this many of their blocks.
const SAMPLES: u32 = 256;

/// The number of blocks that contain neighbors of one block's nodes, summed over blocks that are spread evenly over
/// `count` nodes. `place` gives the place of a node, from zero.
pub fn touched(springs: &[Spring], count: u32, place: impl Fn(u32) -> u32 + Sync) -> usize {
    let stride = count.div_ceil(BLOCK).div_ceil(SAMPLES);
    let pairs = |spring: &Spring| {
        let [a, b] = spring.nodes.map(|node| place(node) / BLOCK);
        [[a, b], [b, a]].into_iter().filter(|pair| pair[0].is_multiple_of(stride))
    };
    let mut pairs: Vec<[u32; 2]> = springs.par_iter().flat_map_iter(pairs).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs.len()
}
