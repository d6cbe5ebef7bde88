//! The guard against crossings once more, over all pairs of features, without a tree and without proofs for many pairs at once.
//!
//! A pair is a node and a triangle, or two edges, that share no node. It is proven by a direction that separates it at the start
//! and at the end of the substep; where there is none, its nodes take a part of their motion. `shaders/contact/guard.wgsl` has
//! the rules. What is left out here are pins that move and nodes that are tangled to begin with.

use glam::DVec3;

use crate::measure::distance::{between_edges, from_triangle};

/// Rounds in which nodes are held back.
const ROUNDS: usize = 8;
/// What f32 may do to a gap, as a part of the size of the coordinates.
const ROUNDING: f64 = 1.9e-6;
/// The part of the way to the least gap that is taken.
const CAUTION: f64 = 0.9;

/// What is kept of a small gap between nodes that have yielded.
const YIELDED_KEEP: f64 = 0.9;

/// What the solver wants, and what may not happen.
pub struct Motion<'a> {
    /// All triangles.
    pub triangles: &'a [[u32; 3]],
    /// Positions before the substep \[m\].
    pub start: &'a [DVec3],
    /// Positions that the solver wants \[m\].
    pub goal: &'a [DVec3],
    /// Nodes that are no pins.
    pub is_free: &'a [bool],
    /// The gap that is kept \[m\].
    pub least_gap: f64,
}

/// The nodes of a pair: first one node or two of an edge, then those of a triangle or an edge.
struct Pair {
    first: Vec<usize>,
    second: Vec<usize>,
}

impl Pair {
    fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.first.iter().chain(&self.second).copied()
    }

    /// From the nearest point of the second to that of the first.
    fn offset(&self, at: &[DVec3]) -> DVec3 {
        let (p, q) = (&self.first, &self.second);
        match q.len() {
            3 => from_triangle(at[p[0]], [at[q[0]], at[q[1]], at[q[2]]]),
            _ => between_edges([at[p[0]], at[p[1]]], [at[q[0]], at[q[1]]]),
        }
    }

    fn normal(&self, at: &[DVec3]) -> DVec3 {
        let (p, q) = (&self.first, &self.second);
        match q.len() {
            3 => (at[q[1]] - at[q[0]]).cross(at[q[2]] - at[q[0]]),
            _ => (at[p[1]] - at[p[0]]).cross(at[q[1]] - at[q[0]]),
        }
    }

    fn gap(&self, along: DVec3, at: &[DVec3]) -> f64 {
        let lowest = self.first.iter().map(|&i| along.dot(at[i])).fold(f64::MAX, f64::min);
        let highest = self.second.iter().map(|&i| along.dot(at[i])).fold(f64::MIN, f64::max);
        lowest - highest
    }

    /// Size of the coordinates \[m\].
    fn size(&self, start: &[DVec3], goal: &[DVec3]) -> f64 {
        let first = start[self.first[0]];
        let reach = |i: usize| (start[i] - first).abs() + (goal[i] - start[i]).abs();
        (first.abs() + self.nodes().map(reach).fold(DVec3::ZERO, DVec3::max)).element_sum()
    }

    /// The largest part of the motion to `end` for which a direction is found.
    fn proven(&self, start: &[DVec3], end: &[DVec3], least: f64) -> f64 {
        let near = self.offset(start).normalize_or_zero();
        let then = self.offset(end).normalize_or_zero();
        let then = if then.dot(near) < 0.0 { -then } else { then };
        let normals = [self.normal(start), self.normal(end)].map(DVec3::normalize_or_zero);
        let mut best = 0.0f64;
        for n in [near, then, (near + then).normalize_or_zero(), normals[0], normals[1]] {
            let n = if n.dot(near) < 0.0 { -n } else { n };
            let (before, after) = (self.gap(n, start), self.gap(n, end));
            if before >= least && after >= least {
                return 1.0;
            }
            if before > least {
                best = best.max(CAUTION * (before - least) / (before - after));
            }
        }
        // A direction that turns with the pair: the gap between two nodes is quadratic in time, within its Bernstein coefficients.
        let along = |i: usize| near.dot(end[i]) + then.dot(start[i]);
        let lowest = self.first.iter().map(|&i| along(i)).fold(f64::MAX, f64::min);
        let highest = self.second.iter().map(|&i| along(i)).fold(f64::MIN, f64::max);
        let gaps = [self.gap(near, start), 0.5 * (lowest - highest), self.gap(then, end)];
        if gaps.into_iter().all(|gap| gap >= least) { 1.0 } else { best }
    }
}

/// All pairs of features that share no node.
fn pairs(triangles: &[[u32; 3]]) -> Vec<Pair> {
    let triangles: Vec<[usize; 3]> = triangles.iter().map(|t| t.map(|i| i as usize)).collect();
    let mut nodes: Vec<usize> = triangles.iter().flatten().copied().collect();
    let sides = |&[a, b, c]: &[usize; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
    let mut edges: Vec<[usize; 2]> = triangles.iter().flat_map(sides).collect();
    nodes.sort_unstable();
    nodes.dedup();
    edges.sort_unstable();
    edges.dedup();
    let of_nodes = nodes.iter().flat_map(|&node| {
        let others = triangles.iter().filter(move |t| !t.contains(&node));
        others.map(move |t| Pair { first: vec![node], second: t.to_vec() })
    });
    let of_edges = edges.iter().enumerate().flat_map(|(k, p)| {
        let others = edges[..k].iter().filter(|q| !q.iter().any(|i| p.contains(i)));
        others.map(|q| Pair { first: p.to_vec(), second: q.to_vec() })
    });
    of_nodes.chain(of_edges).collect()
}

/// How far nodes and their neighbors move on average \[m\].
fn means(motion: &Motion<'_>) -> Vec<DVec3> {
    let moved = |i: u32| motion.goal[i as usize] - motion.start[i as usize];
    let mut sums: Vec<(DVec3, f64)> = (0..motion.start.len() as u32).map(|i| (moved(i), 1.0)).collect();
    for &[a, b, c] in motion.triangles {
        for (node, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            let (sum, count) = &mut sums[node as usize];
            *sum += others.map(moved).iter().sum::<DVec3>();
            *count += 2.0;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

/// Where nodes may go \[m\].
pub fn ends(motion: &Motion<'_>) -> Vec<DVec3> {
    let Motion { start, is_free, .. } = *motion;
    let mut goal = motion.goal.to_vec();
    let (pairs, means) = (pairs(motion.triangles), means(motion));
    let mut parts = vec![1.0f64; start.len()];
    let mut is_changed = vec![true; start.len()];
    let mut whole = 1.0f64;
    for round in 0..=ROUNDS {
        let end = |most: f64| -> Vec<DVec3> {
            let part = |i: usize| if is_free[i] { parts[i].min(most) } else { 1.0 };
            (0..start.len()).map(|i| start[i].lerp(goal[i], part(i))).collect()
        };
        let ends = end(1.0);
        let mut next = parts.clone();
        let mut is_proven = true;
        for pair in pairs.iter().filter(|pair| pair.nodes().any(|i| is_changed[i])) {
            let is_apart = |n: DVec3| pair.gap(n, start).min(pair.gap(n, &ends)) >= motion.least_gap;
            if DVec3::AXES.into_iter().any(|axis| is_apart(axis) || is_apart(-axis)) {
                continue;
            }
            let gap = pair.offset(start).length();
            let furthest = pair.nodes().map(|i| (goal[i] - start[i]).length()).fold(0.0, f64::max);
            if gap > 2.0 * furthest + motion.least_gap {
                continue;
            }
            // The GPU lets a gap shrink by what rounding may do to it.
            let rounding = ROUNDING * pair.size(start, &goal);
            let kept = if round == 0 { gap - rounding } else { YIELDED_KEEP * gap };
            let least = motion.least_gap.min(kept).max(rounding);
            let mut proven = pair.proven(start, &ends, least);
            if proven == 1.0 {
                continue;
            }
            is_proven = false;
            let free: Vec<usize> = pair.nodes().filter(|&i| is_free[i]).collect();
            let mut most = 1.0;
            if round == 1 {
                whole = whole.min(proven);
            } else if round > 1 {
                let smallest = free.iter().map(|&i| parts[i]).fold(1.0, f64::min);
                for attempt in [0.5 + 0.5 * smallest, smallest] {
                    most = attempt;
                    proven = pair.proven(start, &end(most), least);
                    if proven == 1.0 {
                        break;
                    }
                }
            }
            free.iter().for_each(|&i| next[i] = next[i].min(most * proven));
        }
        if is_proven {
            return ends;
        }
        is_changed = (0..start.len()).map(|i| next[i] < parts[i]).collect();
        if round == 0 {
            // Those without proof yield to their neighbors.
            for i in (0..start.len()).filter(|&i| is_changed[i]) {
                goal[i] = start[i] + means[i];
            }
        } else {
            parts = next;
        }
    }
    (0..start.len()).map(|i| start[i].lerp(goal[i], if is_free[i] { whole } else { 1.0 })).collect()
}
