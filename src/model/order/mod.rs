//! The order of nodes in memory. If the order of a body's nodes has little to do with their positions, GPU buffers
//! store them along a space-filling curve.
//!
//! A workgroup reads the neighbors of consecutive nodes. If nodes are numbered at random, each neighbor is in a cache line of
//! its own; row by row, or along a curve, most neighbors share a few lines. The numbers of the model stay as they are
//! everywhere else: only GPU buffers have this order.

mod arrange;
pub mod curve;
mod locality;

pub(super) use arrange::Arranged;

use std::borrow::Cow;

use rayon::prelude::*;

use crate::state::State;

/// The place of each node of a model in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The place of each node; empty if each node is at its own number.
    places: Vec<u32>,
    /// The node at each place.
    nodes: Vec<u32>,
}

/// Each node at its own number.
static GIVEN: Order = Order { places: Vec::new(), nodes: Vec::new() };

impl Order {
    /// The order of these nodes, which are all nodes of a model.
    fn new(nodes: Vec<u32>) -> Self {
        let mut places = vec![0; nodes.len()];
        for (place, &node) in nodes.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        Self { places, nodes }
    }

    /// Whether each node is at its own number.
    pub fn is_given(&self) -> bool {
        self.places.is_empty()
    }

    /// The place of `node`.
    pub fn place(&self, node: u32) -> u32 {
        self.places.get(node as usize).copied().unwrap_or(node)
    }

    /// The node at `place`.
    pub fn node(&self, place: u32) -> u32 {
        self.nodes.get(place as usize).copied().unwrap_or(place)
    }

    /// Converts values in the order of nodes to the order in memory.
    pub fn by_place<'a, T: Copy>(&self, by_node: &'a [T]) -> Cow<'a, [T]> {
        gather(by_node, &self.nodes)
    }

    /// Converts values in the order in memory to the order of nodes.
    pub fn by_node<'a, T: Copy>(&self, by_place: &'a [T]) -> Cow<'a, [T]> {
        gather(by_place, &self.places)
    }

    /// A state in the order in memory.
    pub fn state_by_place(&self, state: &State) -> State {
        State {
            position: self.by_place(&state.position).into_owned(),
            velocity: self.by_place(&state.velocity).into_owned(),
            time: state.time,
        }
    }
}

/// The indices below `count` in ascending order of `key`; equal keys by index.
pub(super) fn sorted_by_key<K: Ord + Send>(count: usize, key: impl Fn(usize) -> K + Sync) -> Vec<u32> {
    let mut keys: Vec<(K, u32)> = (0..count).into_par_iter().map(|i| (key(i), i as u32)).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|key| key.1).collect()
}

/// The values at `indices`, or all values if there are no indices.
fn gather<'a, T: Copy>(values: &'a [T], indices: &[u32]) -> Cow<'a, [T]> {
    match indices {
        [] => Cow::Borrowed(values),
        _ => Cow::Owned(indices.iter().map(|&i| values[i as usize]).collect()),
    }
}
