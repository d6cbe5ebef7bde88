//! The interpolation weights between nodes and the nodes of a coarser level.

use glam::DVec3;

use super::graph::{Graph, Search};
use super::least_squares::{MOST, Normal};
use super::rows::{Rows, in_stretches};

/// Seeds of a node lie within this many covering radii of it.
const REACH: f32 = 2.3;
/// Weight of the condition that weights sum to one against that they meet the node's place.
const SUM: f64 = 3.0;
/// What distant seeds cost.
const DISTANCE: f64 = 0.05;
/// Smaller weights are dropped.
const LEAST: f64 = 0.02;
/// Keeps the normal equations regular where seeds lie in one plane or line.
const RIDGE: f64 = 1e-6;

/// For each node the seeds that it follows, as indices into `seeds`, and their weights: itself for a
/// seed; else non-negative ones with
///
/// ```text
/// sum w = 1,   sum w (C - X) = 0,   sum w |C - X|^2 small
/// ```
///
/// as well as the nearest seeds reached through springs allow, `radius` \[m\] being the covering one.
pub fn weights(graph: &Graph<'_>, seeds: &[u32], radius: f32) -> Rows {
    let reached = in_stretches(seeds.len(), |range| {
        let mut search = Search::new(graph.position.len());
        let mut rows = Rows::default();
        for k in range {
            let mut row = Vec::new();
            let reach = REACH * radius;
            search.within(graph, seeds[k], reach, |node, squared| {
                if squared <= reach * reach {
                    row.push((node, squared));
                }
            });
            rows.push(row);
        }
        rows
    });
    let near = Rows::concatenate(&reached).transposed(graph.position.len());
    let parts = in_stretches(graph.position.len(), |range| {
        let mut rows = Rows::default();
        for i in range {
            let mut candidates: Vec<(f32, u32)> = near.row(i).map(|(k, d)| (d, k as u32)).collect();
            candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            match candidates.iter().find(|c| seeds[c.1 as usize] as usize == i) {
                Some(own) => rows.push([(own.1, 1.0)]),
                None => rows.push(mean(graph, seeds, radius, i, &candidates)),
            }
        }
        rows
    });
    Rows::concatenate(&parts)
}

/// The weights of node `i`, which is no seed, over `candidates` (squared distance, seed), nearest
/// first.
fn mean(
    graph: &Graph<'_>,
    seeds: &[u32],
    radius: f32,
    i: usize,
    candidates: &[(f32, u32)],
) -> Vec<(u32, f32)> {
    let candidates = &candidates[..candidates.len().min(MOST)];
    let n = candidates.len();
    // Any scale does where all nodes coincide.
    let scale = if radius > 0.0 { 1.0 / f64::from(radius) } else { 1.0 };
    let x = graph.position[i].as_dvec3();
    let mut away = [DVec3::ZERO; MOST];
    for (d, candidate) in away.iter_mut().zip(candidates) {
        *d = (graph.position[seeds[candidate.1 as usize] as usize].as_dvec3() - x) * scale;
    }
    let far = away.map(|d| DISTANCE * d.length_squared());
    let mut system = Normal { count: n, matrix: [[0.0; MOST]; MOST], right: [SUM * SUM; MOST] };
    for a in 0..n {
        for b in 0..=a {
            let product = SUM * SUM + away[a].dot(away[b]) + far[a] * far[b];
            system.matrix[a][b] = product;
            system.matrix[b][a] = product;
        }
        system.matrix[a][a] += RIDGE;
    }
    let w = system.solve();
    let kept = |k: &usize| w[*k] >= LEAST;
    let sum: f64 = (0..n).filter(kept).map(|k| w[k]).sum();
    if sum == 0.0 {
        return vec![(candidates[0].1, 1.0)];
    }
    let mut row: Vec<(u32, f32)> =
        (0..n).filter(kept).map(|k| (candidates[k].1, (w[k] / sum) as f32)).collect();
    row.sort_unstable_by_key(|entry| entry.0);
    row
}
