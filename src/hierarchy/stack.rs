//! The levels of a batch: those of each copy side by side, none of which knows of another.

use rayon::prelude::*;

use super::bending::Pairs;
use super::rows::Rows;
use super::{Hierarchy, Level};
use crate::model::Model;

/// What the levels of one network are made from.
#[derive(PartialEq)]
pub struct Source<'a> {
    pub rest_position: &'a [glam::Vec3],
    pub pinned: &'a [bool],
    pub springs: Vec<[u32; 2]>,
    pub bending: Option<Pairs>,
}

impl<'a> Source<'a> {
    /// Copy number `copy` of a model, its nodes counted from zero.
    fn of_copy(model: &'a Model, copy: u32) -> Self {
        let count = model.nodes_per_copy();
        let first = copy as usize * count;
        let nodes = first..first + count;
        let springs = model.springs();
        // Copy after copy, as their nodes.
        let before = |node: usize| springs.partition_point(|s| (s.nodes[0] as usize) < node);
        let springs = &springs[before(nodes.start)..before(nodes.end)];
        Self {
            rest_position: &model.rest_position()[nodes.clone()],
            pinned: &model.pinned()[nodes.clone()],
            springs: springs.iter().map(|s| s.nodes.map(|node| node - first as u32)).collect(),
            bending: Pairs::of(model, nodes),
        }
    }
}

/// The levels of all copies of a model.
pub fn of_copies(model: &Model) -> Hierarchy {
    let first = Source::of_copy(model, 0);
    let shared = Hierarchy::of_network(&first);
    // Most copies differ in their material or start alone.
    let own = |copy: u32| -> Option<Hierarchy> {
        let source = Source::of_copy(model, copy);
        (source != first).then(|| Hierarchy::of_network(&source))
    };
    let own: Vec<Option<Hierarchy>> = (1..model.copies()).into_par_iter().map(own).collect();
    if own.is_empty() {
        return shared;
    }
    let copies: Vec<&Hierarchy> =
        std::iter::once(&shared).chain(own.iter().map(|own| own.as_ref().unwrap_or(&shared))).collect();
    stacked(&copies, model.nodes_per_copy(), |copy| {
        let node = copy * model.nodes_per_copy();
        model.springs().partition_point(|s| (s.nodes[0] as usize) < node)
    })
}

/// Hierarchies of networks of `nodes` nodes each as one; `first_spring`: of a copy in the whole network.
fn stacked(copies: &[&Hierarchy], nodes: usize, first_spring: impl Fn(usize) -> usize) -> Hierarchy {
    let depth = copies.iter().map(|copy| copy.levels.len()).max().unwrap_or(0);
    let mut finer: Vec<[usize; 2]> = (0..copies.len()).map(|c| [c * nodes, first_spring(c)]).collect();
    let mut finer_nodes: Vec<usize> = vec![nodes; copies.len()];
    let mut levels = Vec::new();
    for l in 0..depth {
        let mut whole = Level { copies: vec![0], ..Level::default() };
        for (c, copy) in copies.iter().enumerate() {
            let at = [whole.nodes, whole.springs.len()];
            match copy.levels.get(l) {
                Some(level) => {
                    append(&mut whole, level, finer[c]);
                    finer_nodes[c] = level.nodes;
                }
                // This copy had few enough nodes before: nothing coarser answers for them.
                None => {
                    (0..std::mem::take(&mut finer_nodes[c])).for_each(|_| whole.interpolation.push([]));
                }
            }
            finer[c] = at;
            whole.copies.push(whole.nodes as u32);
        }
        levels.push(whole);
    }
    Hierarchy { levels }
}

/// Appends the same level of another copy, whose finer nodes and springs begin at `finer`.
fn append(whole: &mut Level, level: &Level, finer: [usize; 2]) {
    let (first, [finer_node, finer_spring]) = (whole.nodes as u32, finer.map(|n| n as u32));
    whole.nodes += level.nodes;
    whole.springs.extend(level.springs.iter().map(|ends| ends.map(|node| node + first)));
    whole.bend.extend(&level.bend);
    append_rows(&mut whole.gather, &level.gather, finer_spring);
    append_rows(&mut whole.interpolation, &level.interpolation, first);
    append_rows(&mut whole.restriction, &level.restriction, finer_node);
}

/// Appends rows whose indices move up by `by`.
fn append_rows(whole: &mut Rows, rows: &Rows, by: u32) {
    let before = whole.indices.len() as u32;
    whole.starts.extend(rows.starts[1..].iter().map(|start| start + before));
    whole.indices.extend(rows.indices.iter().map(|index| index + by));
    whole.weights.extend_from_slice(&rows.weights);
}
