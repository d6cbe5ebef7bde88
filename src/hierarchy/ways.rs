//! The ways between levels alone, without their springs: for what is carried along, such as contact.

use super::rows::Rows;
use super::{Hierarchy, structured};

/// The way from a level to the next coarser one.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Nodes of the coarser level.
    pub nodes: usize,
    /// For each node of the finer level its coarser nodes and weights, which sum to one.
    pub interpolation: Rows,
}

impl Hierarchy {
    /// The ways of all levels.
    pub fn ways(&self) -> Vec<Way> {
        let of =
            |level: &super::Level| Way { nodes: level.nodes, interpolation: level.interpolation.clone() };
        self.levels.iter().map(of).collect()
    }
}

/// The ways of `copies` regular grids one after the other, as [`Hierarchy::structured`] makes them of one.
pub fn of_grids(size: [u32; 2], copies: u32, few: usize) -> Vec<Way> {
    let repeated = |(nodes, rows): (usize, Rows)| {
        let copy = |c: u32| {
            let mut rows = rows.clone();
            rows.indices.iter_mut().for_each(|i| *i += c * nodes as u32);
            rows
        };
        let parts: Vec<Rows> = (0..copies).map(copy).collect();
        Way { nodes: nodes * copies as usize, interpolation: Rows::concatenate(&parts) }
    };
    structured::interpolations(size, few).into_iter().map(repeated).collect()
}

/// For each finer node of a way the coarser node that stands for it; `next` is the way after it. That is the heaviest entry of
/// its row. Of entries that are tied, as on grids, it is the one that weighs most on the next level, so that the nodes that one
/// stands for lie around it and not around the middle of a cell; then the first.
pub fn parents(way: &Way, next: Option<&Way>) -> Vec<usize> {
    const SAME: f32 = 1e-6;
    let most = |c: usize| next.map_or(0.0, |way| way.interpolation.row(c).fold(0.0, |most, e| e.1.max(most)));
    let heaviest = |i: usize| {
        let (mut best, mut weight, mut tie) = (0, 0.0, 0.0);
        for (c, w) in way.interpolation.row(i) {
            if w > weight + SAME || (w > weight - SAME && most(c) > tie + SAME) {
                (best, weight, tie) = (c, w, most(c));
            }
        }
        best
    };
    (0..way.interpolation.len()).map(heaviest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_grids_are_those_of_their_levels() {
        let one = Hierarchy::structured([9, 6], &[], 3).ways();
        assert_eq!(of_grids([9, 6], 1, 3), one);
        let three = of_grids([9, 6], 3, 3);
        let (nodes, rows) = (one[0].nodes, &three[0].interpolation);
        assert_eq!((three[0].nodes, rows.len()), (3 * nodes, 3 * 54));
        let moved: Vec<_> = one[0].interpolation.row(10).map(|(c, w)| (c + 2 * nodes, w)).collect();
        assert_eq!(rows.row(2 * 54 + 10).collect::<Vec<_>>(), moved);
    }

    #[test]
    fn a_node_in_the_middle_of_a_cell_goes_where_the_next_level_keeps_a_node() {
        let ways = of_grids([9, 9], 1, 3);
        let parents = parents(&ways[0], ways.get(1));
        // Between coarse nodes 0 and 1 of a row the first stays on the next level, between 1 and 2 the second.
        assert_eq!(parents[..5], [0, 0, 1, 2, 2]);
    }
}
