//! The levels of any network.

use glam::Vec3;

use super::bending::Pairs;
use super::graph::Graph;
use super::part::Part;
use super::rows::{Rows, in_stretches};
use super::{Hierarchy, Level, interpolation, seeds, stack};
use crate::model::Model;
use crate::numbers::MOST_DENSE;

/// Covering radius of the first level in units of the network's spacing; doubled per level.
const RADIUS: f32 = 1.9;
/// A level of at most this many nodes is the last: its whole matrix fits the 16 KiB of memory that a
/// workgroup shares, and has to be solved well.
const FEW: usize = MOST_DENSE;
/// A level that keeps more than this share of the nodes is not worth its work: the radius is doubled.
const WORTHWHILE: f32 = 0.75;
/// A smaller share of a finer spring is dropped.
const LEAST: f32 = 1e-3;

impl Hierarchy {
    /// The levels of any network, down to a few nodes, or to where no springs are left to coarsen along:
    /// separate bodies never mix, and each keeps at least one node. There is at least one level, the
    /// network itself where that is small.
    ///
    /// Coarser nodes are a subset of the finer ones, finer nodes follow the nearest of them through
    /// springs, and K_IJ = sum -(P_iI - P_jI) (P_iJ - P_jJ) K_s over the finer
    /// springs s = (i, j), which is the block of P^T K P. Nodes that are free in the model never follow pinned ones,
    /// nor free ones beyond a pin. Bending has no say in which nodes are kept and followed.
    ///
    /// The copies of a batch have the levels that each would have alone, side by side; the last of a copy that has fewer
    /// is repeated.
    pub fn galerkin(model: &Model) -> Self {
        stack::of_copies(model)
    }

    /// The levels of a network without copies.
    pub(super) fn of_part(part: Part<'_>) -> Self {
        let Part { rest_position, pinned, springs, mut bending } = part;
        let springs = &springs[..];
        let mut levels: Vec<Level> = Vec::new();
        let mut position = rest_position.to_vec();
        let mut pinned = pinned.to_vec();
        let mut live: Vec<bool> =
            springs.iter().map(|ends| ends.iter().all(|&i| !pinned[i as usize])).collect();
        let mut precedence = Vec::new();
        let size = extent(&position);
        let mut radius = 0.0;
        loop {
            // Behind these are those that stand for bending only.
            let finer = levels.last().map_or(springs, |level| &level.springs[..live.len()]);
            if position.len() <= FEW || finer.is_empty() {
                break;
            }
            let graph = Graph::new(&position, &pinned, finer, &live);
            if levels.is_empty() {
                precedence = seeds::precedence(&graph);
                radius = RADIUS * graph.spacing();
            }
            let few = |chosen: &Vec<u32>| chosen.len() as f32 <= WORTHWHILE * position.len() as f32;
            let mut chosen = seeds::choose(&graph, &precedence, radius);
            while !few(&chosen) && radius < size {
                radius *= 2.0;
                chosen = seeds::choose(&graph, &precedence, radius);
            }
            if chosen.len() == position.len() {
                break;
            }
            let interpolation = interpolation::weights(&graph, &chosen, radius);
            let mut level = level(&graph, chosen.len(), interpolation);
            let is_live = |s: usize| level.gather.row(s).any(|(finer, _)| live[finer]);
            live = (0..level.springs.len()).map(is_live).collect();
            bending = bending.map(|finer| finer.coarsened(&level.interpolation, &level.restriction));
            bend(&mut level, bending.as_ref());
            precedence = chosen.iter().map(|&i| precedence[i as usize]).collect();
            position = chosen.iter().map(|&i| position[i as usize]).collect();
            pinned = chosen.iter().map(|&i| pinned[i as usize]).collect();
            levels.push(level);
            radius *= 2.0;
        }
        if levels.is_empty() {
            // Small enough to be solved as it is.
            let mut same = Rows::default();
            (0..position.len() as u32).for_each(|i| same.push([(i, 1.0)]));
            let mut level = level(&Graph::new(&position, &pinned, springs, &live), position.len(), same);
            bend(&mut level, bending.as_ref());
            levels.push(level);
        }
        Self { levels }
    }
}

/// A bound on the distance of any two nodes \[m\].
fn extent(position: &[Vec3]) -> f32 {
    let low = position.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = position.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    2.0 * low.distance(high)
}

/// The level of `nodes` nodes that the nodes of `graph` follow by `interpolation`.
fn level(graph: &Graph<'_>, nodes: usize, interpolation: Rows) -> Level {
    let restriction = interpolation.transposed(nodes);
    let parts = in_stretches(nodes, |range| {
        let (mut springs, mut gather, mut shares) = (Vec::new(), Rows::default(), Vec::new());
        for i in range {
            shares_of(i, &restriction, &interpolation, graph, &mut shares);
            shares.sort_unstable_by_key(|share| (share.0, share.1));
            for spring in shares.chunk_by(|a, b| a.0 == b.0) {
                springs.push([i as u32, spring[0].0]);
                gather.push(spring.iter().map(|share| (share.1, share.2)));
            }
        }
        (springs, gather)
    });
    let (springs, gather): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (springs, gather) = (springs.concat(), Rows::concatenate(&gather));
    let copies = vec![0, nodes as u32];
    Level { nodes, copies, springs, gather, bend: Vec::new(), interpolation, restriction }
}

/// Gives each spring of `level`, which are in ascending order, its part of `bending`, and appends springs for
/// the pairs that have none.
fn bend(level: &mut Level, bending: Option<&Pairs>) {
    level.bend = vec![0.0; level.springs.len()];
    let Some(pairs) = bending else { return };
    let (count, mut s) = (level.springs.len(), 0);
    for i in 0..level.nodes {
        for &(j, kappa) in pairs.row(i).iter().filter(|entry| entry.0 as usize > i) {
            let pair = [i as u32, j];
            while s < count && level.springs[s] < pair {
                s += 1;
            }
            if s < count && level.springs[s] == pair {
                level.bend[s] = kappa as f32;
            } else {
                level.springs.push(pair);
                level.gather.push([]);
                level.bend.push(kappa as f32);
            }
        }
    }
}

/// Fills `shares` with the finer springs s in K_IJ for all J > I, as (J, s, weight).
fn shares_of(
    coarse: usize,
    restriction: &Rows,
    interpolation: &Rows,
    graph: &Graph<'_>,
    shares: &mut Vec<(u32, u32, f32)>,
) {
    shares.clear();
    let weight = |node: usize, of: usize| interpolation.row(node).find(|e| e.0 == of).map_or(0.0, |e| e.1);
    for (i, here) in restriction.row(coarse) {
        for link in graph.links(i) {
            let j = link.node as usize;
            let there = weight(j, coarse);
            // A spring with both ends in this row is met twice.
            if there != 0.0 && j < i {
                continue;
            }
            let ours = here - there;
            let mut add = |other: usize, theirs: f32| {
                let share = -ours * theirs;
                if other > coarse && share.abs() >= LEAST {
                    shares.push((other as u32, link.spring, share));
                }
            };
            for (other, w) in interpolation.row(i) {
                add(other, w - weight(j, other));
            }
            for (other, w) in interpolation.row(j).filter(|e| weight(i, e.0) == 0.0) {
                add(other, -w);
            }
        }
    }
}
