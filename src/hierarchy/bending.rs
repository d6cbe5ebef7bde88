//! Bending of coarser levels: the stiffness kappa [N/m] of pairs of nodes, as in
//! [`crate::model::BendingRows`].

use std::ops::Range;

use super::rows::{Rows, in_stretches};
use crate::model::Model;

/// A pair of less than this share of the strongest pair of either node is dropped.
const LEAST: f64 = 1e-4;

/// kappa [N/m] of the pair of nodes that a spring of a kind (steps along columns and rows `offset`) joins
/// or would join, from the node at (column, row) `at` of a grid of columns and rows `size` without clamps.
/// `weights` [N/m] are those of [`crate::model::GridBending::weights`] on the level's own spacing.
pub fn of_grid(weights: [f64; 3], size: [usize; 2], at: [i64; 2], offset: [i64; 2]) -> f64 {
    if offset[0] != 0 && offset[1] != 0 {
        return -weights[2];
    }
    let along = if offset[0] == 0 { 1 } else { 0 };
    let (n, k) = (size[along] as i64, at[along]);
    let across = at[1 - along];
    let share = if across == 0 || across + 1 == size[1 - along] as i64 { 0.5 } else { 1.0 };
    let hinge = |k: i64| if k > 0 && k < n - 1 { weights[along] } else { 0.0 };
    match offset[along] {
        1 => share * 2.0 * (hinge(k) + hinge(k + 1) + weights[2]),
        _ => -share * hinge(k + 1),
    }
}

/// `weights` [N/m] of a grid, on a spacing that is wider by `factor` along columns and rows, as linear
/// interpolation feels them: it bends at the coarser nodes only, which takes a hinge twice the energy.
pub fn widened(weights: [f64; 3], factor: [f64; 2]) -> [f64; 3] {
    let [s, t] = factor;
    // B s t |x_uu|^2 has weight B t / s^3, and so on; s times that.
    [weights[0] * t / s.powi(2), weights[1] * s / t.powi(2), weights[2] / (s * t)]
}

/// The pairs of a level, as a row for each node; those that end at pins left out.
#[derive(Clone, PartialEq)]
pub struct Pairs {
    starts: Vec<usize>,
    /// The other node, ascending, and kappa [N/m].
    entries: Vec<(u32, f64)>,
}

impl Pairs {
    /// Those of some nodes of a model, counted from the first of them, where it has bending; pairs never leave them.
    pub fn of(model: &Model, nodes: Range<usize>) -> Option<Self> {
        if !model.has_bending() {
            return None;
        }
        let (rows, pinned) = (model.bending_rows(), model.pinned());
        let mut pairs = Self { starts: vec![0], entries: Vec::new() };
        let first = nodes.start as u32;
        pairs.entries.reserve_exact(rows.starts[nodes.end] - rows.starts[nodes.start]);
        for i in nodes.map(|i| if pinned[i] { None } else { Some(i) }) {
            let row = i.map_or(&[][..], |i| rows.row(i));
            let free = row.iter().filter(|entry| !pinned[entry.0 as usize]);
            pairs.entries.extend(free.map(|&(node, kappa)| (node - first, f64::from(kappa))));
            pairs.starts.push(pairs.entries.len());
        }
        Some(pairs)
    }

    /// The pairs at node `i`.
    pub fn row(&self, i: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }

    /// P^T Q P in pairs: kappa_IJ = sum -(P_iI - P_jI) (P_iJ - P_jJ) kappa_ij over the pairs (i, j).
    pub fn coarsened(&self, interpolation: &Rows, restriction: &Rows) -> Self {
        let nodes = restriction.len();
        let parts = in_stretches(nodes, |range| {
            let (mut lengths, mut entries) = (Vec::new(), Vec::new());
            let (mut sum, mut touched) = (vec![0.0; nodes], Vec::<u32>::new());
            let mut is_touched = vec![false; nodes];
            for coarse in range {
                let mut add = |node: usize, value: f64| {
                    for (other, w) in interpolation.row(node) {
                        if !std::mem::replace(&mut is_touched[other], true) {
                            touched.push(other as u32);
                        }
                        sum[other] += f64::from(w) * value;
                    }
                };
                for (i, w) in restriction.row(coarse) {
                    let w = f64::from(w);
                    self.row(i).iter().for_each(|&(j, kappa)| add(j as usize, w * kappa));
                    add(i, -w * self.row(i).iter().map(|entry| entry.1).sum::<f64>());
                }
                touched.sort_unstable();
                let before = entries.len();
                for other in touched.drain(..) {
                    let kappa = std::mem::take(&mut sum[other as usize]);
                    is_touched[other as usize] = false;
                    if other as usize != coarse {
                        entries.push((other, kappa));
                    }
                }
                lengths.push(entries.len() - before);
            }
            (lengths, entries)
        });
        let mut coarse = Self { starts: vec![0], entries: Vec::new() };
        for (lengths, entries) in parts {
            for length in lengths {
                coarse.starts.push(coarse.starts[coarse.starts.len() - 1] + length);
            }
            coarse.entries.extend(entries);
        }
        coarse.without_tiny_ones()
    }

    fn without_tiny_ones(self) -> Self {
        let nodes = self.starts.len() - 1;
        let most = |i: usize| self.row(i).iter().map(|entry| entry.1.abs()).fold(0.0, f64::max);
        let most: Vec<f64> = (0..nodes).map(most).collect();
        let mut kept = Self { starts: vec![0], entries: Vec::new() };
        for i in 0..nodes {
            let least = |j: u32| LEAST * most[i].min(most[j as usize]);
            kept.entries.extend(self.row(i).iter().filter(|e| e.1 != 0.0 && e.1.abs() >= least(e.0)));
            kept.starts.push(kept.entries.len());
        }
        kept
    }
}
