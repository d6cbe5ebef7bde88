//! Which nodes a coarser level keeps.

use std::collections::VecDeque;

use glam::Vec3;
use rayon::prelude::*;

use super::graph::{Graph, Search};

/// Least one-sidedness of nodes on a surface, an edge, a corner: |sum d| / sum |d| over the vectors d
/// to a node's neighbors, which is 0 inside a regular network.
const ONE_SIDED: [f32; 3] = [0.3, 0.5, 0.7];

/// The highest precedence.
const BESIDE_A_PIN: u8 = ONE_SIDED.len() as u8 + 2;

/// How early each node is considered. Neighbors of pinned nodes are first: a coarser level feels a pin
/// only through them, and is too stiff or too soft there where several nodes share the hold. Then
/// corners of the free network, edges, surfaces and the inside; pinned nodes last.
pub fn precedence(graph: &Graph<'_>) -> Vec<u8> {
    let each = |i: usize| {
        if graph.pinned[i] {
            return 0;
        }
        let (mut sum, mut lengths) = (Vec3::ZERO, 0.0);
        for link in graph.links(i).iter().filter(|l| l.live) {
            let d = graph.position[link.node as usize] - graph.position[i];
            sum += d;
            lengths += d.length();
        }
        if graph.links(i).iter().any(|link| !link.live) {
            return BESIDE_A_PIN;
        }
        1 + ONE_SIDED.iter().filter(|least| sum.length() > **least * lengths).count() as u8
    };
    (0..graph.position.len()).into_par_iter().map(each).collect()
}

/// A greedy choice of nodes such that each node is within `radius` \[m\] of one of them through
/// springs; in ascending order.
pub fn choose(graph: &Graph<'_>, precedence: &[u8], radius: f32) -> Vec<u32> {
    let n = graph.position.len();
    let mut covered = vec![false; n];
    let mut search = Search::new(n);
    let mut seeds = Vec::new();
    let mut front = VecDeque::new();
    for class in (0..=BESIDE_A_PIN).rev() {
        for first in (0..n).filter(|&i| precedence[i] == class) {
            // Nodes just beyond the sphere of a seed come next: seeds grow outwards as a front and stand
            // evenly, however the nodes are numbered.
            front.push_back(first as u32);
            while let Some(i) = front.pop_front() {
                if covered[i as usize] {
                    continue;
                }
                seeds.push(i);
                search.within(graph, i, radius, |j, squared| {
                    if squared <= radius * radius {
                        covered[j as usize] = true;
                    } else if precedence[j as usize] == class {
                        front.push_back(j);
                    }
                });
            }
        }
    }
    seeds.sort_unstable();
    seeds
}
