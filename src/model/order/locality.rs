//! Over how much memory the neighbors of consecutive nodes are spread.

use rayon::prelude::*;

use crate::model::Spring;

/// Nodes that stand together: those of a workgroup, one kilobyte of a vector.
pub const BLOCK: u32 = 64;
/// Of longer orders some of the blocks stand for all.
const SAMPLES: u32 = 256;

/// Blocks that hold an end of a spring whose other end is in one block, added up over blocks that are spread evenly over
/// `count` nodes. `place` says where a node stands, from zero.
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
