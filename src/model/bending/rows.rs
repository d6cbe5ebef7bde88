//! The pairs of all stencils, summed, as one row for each node.

use rayon::prelude::*;

use super::Stencils;

/// Nodes that one task works on.
const CHUNK: usize = 4096;

/// For each node, the nodes that bending couples it to, in ascending order, and the stiffness kappa
/// [N/m] of each pair: the force on node a is -sum_b kappa_ab (x_a - x_b). The diagonal of Q is the sum of
/// a row, its other entries are -kappa. Q is not diagonally dominant; a Jacobi sweep uses the majorant
/// sum of max(kappa, 0), half of the sum of |Q_ab| over a whole row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BendingRows {
    /// First entry of each row, and the number of entries at the end.
    pub starts: Vec<usize>,
    /// The other node and kappa [N/m].
    pub entries: Vec<(u32, f32)>,
}

impl BendingRows {
    /// The row of node `i`: the other nodes and kappa [N/m].
    pub fn row(&self, i: usize) -> &[(u32, f32)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }

    /// The majorant of node `i` [N/m]: the sum of max(kappa, 0).
    pub fn majorant(&self, i: usize) -> f64 {
        self.row(i).iter().map(|entry| f64::from(entry.1.max(0.0))).sum()
    }

    /// The rows of `count` nodes. A pair is summed in the same order from both ends: its two entries
    /// have the same bits.
    pub(in crate::model) fn new(stencils: &Stencils, count: usize) -> Self {
        let around = Incidence::new(stencils, count);
        let chunk = |begin: usize| {
            let (mut lengths, mut entries, mut row) = (Vec::new(), Vec::new(), Vec::new());
            for i in begin..(begin + CHUNK).min(count) {
                row.clear();
                for &s in around.of(i) {
                    let (nodes, c) = stencils.get(s as usize);
                    let own: f64 = nodes.iter().zip(c).filter(|n| *n.0 as usize == i).map(|n| n.1).sum();
                    let others = nodes.iter().zip(c).filter(|n| *n.0 as usize != i);
                    row.extend(others.map(|(&node, c)| (node, -own * c)));
                }
                // A stable sort: sums run in the order of the stencils.
                row.sort_by_key(|entry: &(u32, f64)| entry.0);
                row.dedup_by(|next, kept| {
                    let is_same = next.0 == kept.0;
                    if is_same {
                        kept.1 += next.1;
                    }
                    is_same
                });
                lengths.push(row.len());
                entries.extend(row.iter().map(|&(node, kappa)| (node, kappa as f32)));
            }
            (lengths, entries)
        };
        let begins: Vec<usize> = (0..count).step_by(CHUNK).collect();
        let parts: Vec<_> = begins.into_par_iter().map(chunk).collect();
        let mut rows = Self { starts: vec![0], entries: Vec::new() };
        for (lengths, entries) in parts {
            for length in lengths {
                rows.starts.push(rows.starts[rows.starts.len() - 1] + length);
            }
            rows.entries.extend(entries);
        }
        rows
    }
}

/// The stencils at each node, in ascending order.
struct Incidence {
    starts: Vec<u32>,
    stencils: Vec<u32>,
}

impl Incidence {
    fn new(stencils: &Stencils, count: usize) -> Self {
        let mut starts = vec![0u32; count + 1];
        let each =
            || (0..stencils.len()).flat_map(|s| stencils.get(s).0.iter().map(move |&n| (n as usize, s)));
        each().for_each(|(node, _)| starts[node + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut list = vec![0u32; starts[count] as usize];
        for (node, s) in each() {
            list[next[node] as usize] = s as u32;
            next[node] += 1;
        }
        Self { starts, stencils: list }
    }

    fn of(&self, i: usize) -> &[u32] {
        &self.stencils[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}
