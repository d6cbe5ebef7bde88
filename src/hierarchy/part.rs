//! The input for the levels of one copy of a model.

use super::bending::Pairs;
use crate::model::Model;

/// One copy of a model, its nodes counted from zero.
#[derive(PartialEq)]
pub struct Part<'a> {
    /// Rest positions \[m\].
    pub rest_position: &'a [glam::Vec3],
    /// Whether each node is pinned.
    pub pinned: &'a [bool],
    /// The two nodes of each spring.
    pub springs: Vec<[u32; 2]>,
    /// Where it bends, how.
    pub bending: Option<Pairs>,
}

impl<'a> Part<'a> {
    /// Copy number `copy` of a model.
    pub fn of(model: &'a Model, copy: usize) -> Self {
        let count = model.nodes_per_copy();
        let first = copy * count;
        let nodes = first..first + count;
        let springs = &model.springs()[first_spring(model, copy)..first_spring(model, copy + 1)];
        Self {
            rest_position: &model.rest_position()[nodes.clone()],
            pinned: &model.pinned()[nodes.clone()],
            springs: springs.iter().map(|s| s.nodes.map(|node| node - first as u32)).collect(),
            bending: Pairs::of(model, nodes),
        }
    }
}

/// The first spring of a copy: they come copy after copy, as their nodes.
pub fn first_spring(model: &Model, copy: usize) -> usize {
    let first = copy * model.nodes_per_copy();
    model.springs().partition_point(|s| (s.nodes[0] as usize) < first)
}
