//! The levels of a regular grid: each is a grid of the same six kinds of springs at twice the spacing.

use super::rows::Rows;
use super::{Hierarchy, Level, bending};
use crate::model::Spring;

/// Steps along columns and rows of the six kinds: structural, shear, flexion.
const KINDS: [[i64; 2]; 6] = [[1, 0], [0, 1], [1, 1], [-1, 1], [2, 0], [0, 2]];
/// Where a grid has no spring.
const NONE: u32 = u32::MAX;

impl Hierarchy {
    /// The levels of a regular grid of columns and rows `size` with `springs` between its nodes, node
    /// (column c, row r) being `r * columns + c`; each direction is halved until it has at most `few` nodes
    /// (of a grid that small from the start, until it has two), and there is always one level.
    ///
    /// A grid of n nodes in a direction becomes one of n / 2 + 1, node C at node 2 C; where n is even
    /// the last lies beyond the border. Interpolation is linear in each direction. A coarser spring is
    /// a quarter of the finer ones of its kind: along the spring those inside (of flexion springs three
    /// in the ratio 1 : 2 : 1, together twice one), across it three in the ratio 1/2, 1, 1/2; so springs
    /// that are all alike stay as they are. Where one direction is not halved any more, springs across
    /// the halved one are not scaled, and a finer diagonal gives 1/2 to the coarser diagonal, 1/2 to the
    /// coarser spring across and -1/4 to the coarser spring along, as P^T K P does.
    ///
    /// Panics where a spring of `springs` is none of the six kinds.
    pub fn structured(size: [u32; 2], springs: &[Spring], few: usize) -> Self {
        Self::structured_with_bending(size, springs, few, [0.0; 3])
    }

    /// The same of cloth that bends with `weights` [N/m] ([`crate::model::GridBending::weights`]): each
    /// level has the same bending energy on its own spacing. Panics as [`Hierarchy::structured`] does.
    pub fn structured_with_bending(
        size: [u32; 2],
        springs: &[Spring],
        few: usize,
        weights: [f64; 3],
    ) -> Self {
        let mut weights = weights;
        let mut finer = Lattice::of(size, springs);
        let mut levels = Vec::new();
        while levels.is_empty() || finer.size.iter().any(|&n| n > few) {
            let least = if finer.size.iter().all(|&n| n <= few) { 2 } else { few };
            let (lattice, level) = finer.coarsened(least, &mut weights);
            levels.push(level);
            finer = lattice;
        }
        Self { levels }
    }
}

/// Most columns and rows of the coarsest level of a grid.
pub const FEW: usize = 3;

/// Columns and rows of a grid and of its coarser levels, and in which directions the next one is halved.
pub fn sizes(size: [u32; 2], few: usize) -> Vec<([usize; 2], [bool; 2])> {
    let mut finer = size.map(|n| n as usize);
    let mut sizes = Vec::new();
    while sizes.is_empty() || finer.iter().any(|&n| n > few) {
        let least = if finer.iter().all(|&n| n <= few) { 2 } else { few };
        let halved = finer.map(|n| n > least);
        sizes.push((finer, halved));
        finer = coarser(finer, halved);
    }
    sizes
}

/// Nodes of each coarser level of a grid of columns and rows `size`, and the interpolation to the finer one.
pub fn interpolations(size: [u32; 2], few: usize) -> Vec<(usize, Rows)> {
    let of = |(finer, halved): ([usize; 2], [bool; 2])| {
        let coarse = coarser(finer, halved);
        (coarse[0] * coarse[1], interpolation(finer, coarse, halved))
    };
    sizes(size, few).into_iter().map(of).collect()
}

/// Nodes of all coarser levels of such a grid.
pub fn coarser_nodes(size: [u32; 2], few: usize) -> usize {
    let sizes = sizes(size, few).into_iter();
    sizes.map(|(finer, halved)| coarser(finer, halved).iter().product::<usize>()).sum()
}

fn coarser(size: [usize; 2], halved: [bool; 2]) -> [usize; 2] {
    [0, 1].map(|d| if halved[d] { size[d] / 2 + 1 } else { size[d] })
}

fn interpolation(finer: [usize; 2], size: [usize; 2], halved: [bool; 2]) -> Rows {
    let mut rows = Rows::default();
    let coarse = |d: usize, i: usize| -> [(usize, f32); 2] {
        match (halved[d], i % 2) {
            (false, _) => [(i, 1.0), (i, 0.0)],
            (true, 0) => [(i / 2, 1.0), (i / 2, 0.0)],
            _ => [(i / 2, 0.5), (i / 2 + 1, 0.5)],
        }
    };
    for r in 0..finer[1] {
        for c in 0..finer[0] {
            let (columns, of_rows) = (coarse(0, c), coarse(1, r));
            let pairs = of_rows.iter().flat_map(|r| columns.iter().map(move |c| (c, r)));
            let entry = |(c, r): (&(usize, f32), &(usize, f32))| ((r.0 * size[0] + c.0) as u32, r.1 * c.1);
            rows.push(pairs.map(entry).filter(|e| e.1 > 0.0));
        }
    }
    rows
}

/// A grid and where its springs stand in the list of springs.
struct Lattice {
    /// Columns and rows.
    size: [usize; 2],
    /// The spring of each kind that starts at each node; [`NONE`] where there is none.
    springs: Vec<[u32; 6]>,
}

impl Lattice {
    fn of([columns, rows]: [u32; 2], springs: &[Spring]) -> Self {
        let size = [columns as usize, rows as usize];
        let mut table = vec![[NONE; 6]; size[0] * size[1]];
        for (s, spring) in springs.iter().enumerate() {
            let at = |node: u32| [node % columns, node / columns].map(i64::from);
            let [mut from, mut to] = spring.nodes.map(at);
            if (to[1], to[0]) < (from[1], from[0]) {
                std::mem::swap(&mut from, &mut to);
            }
            let offset = [to[0] - from[0], to[1] - from[1]];
            let kind = KINDS.iter().position(|k| *k == offset).expect("a spring of a regular grid");
            table[from[1] as usize * size[0] + from[0] as usize][kind] = s as u32;
        }
        Self { size, springs: table }
    }

    /// The spring of a kind that starts at (column, row), if there is one.
    fn spring(&self, kind: usize, at: [i64; 2]) -> Option<u32> {
        let inside = (0..2).all(|d| (0..self.size[d] as i64).contains(&at[d]));
        let found = inside.then(|| self.springs[at[1] as usize * self.size[0] + at[0] as usize][kind]);
        found.filter(|s| *s != NONE)
    }

    /// `weights` of bending are those of this level, then of the coarser one.
    fn coarsened(&self, few: usize, weights: &mut [f64; 3]) -> (Lattice, Level) {
        let halved = self.size.map(|n| n > few);
        *weights = bending::widened(*weights, halved.map(|halved| if halved { 2.0 } else { 1.0 }));
        let size = coarser(self.size, halved);
        let nodes = size[0] * size[1];
        let mut lattice = Lattice { size, springs: vec![[NONE; 6]; nodes] };
        let (mut springs, mut gather, mut bend) = (Vec::new(), Rows::default(), Vec::new());
        for (kind, offset) in KINDS.into_iter().enumerate() {
            for node in 0..nodes {
                let at = [node % size[0], node / size[0]].map(|i| i as i64);
                let end = [at[0] + offset[0], at[1] + offset[1]];
                if !(0..2).all(|d| (0..size[d] as i64).contains(&end[d])) {
                    continue;
                }
                let mut parts = self.parts(kind, at, halved);
                let kappa = bending::of_grid(*weights, size, at, offset);
                if parts.is_empty() && kappa == 0.0 {
                    continue;
                }
                parts.sort_unstable_by_key(|part| part.0);
                if !parts.is_empty() {
                    lattice.springs[node][kind] = springs.len() as u32;
                }
                bend.push(kappa as f32);
                springs.push([node as u32, (end[1] as usize * size[0] + end[0] as usize) as u32]);
                gather.push(parts);
            }
        }
        let interpolation = interpolation(self.size, size, halved);
        let restriction = interpolation.transposed(nodes);
        (
            lattice,
            Level { nodes, copies: vec![0, nodes as u32], springs, gather, bend, interpolation, restriction },
        )
    }

    /// The finer springs and weights of the coarser spring of a kind that starts at (column, row).
    fn parts(&self, kind: usize, at: [i64; 2], halved: [bool; 2]) -> Vec<(u32, f32)> {
        let offset = KINDS[kind];
        let is_diagonal = offset[0] != 0 && offset[1] != 0;
        // Starts of finer springs, relative to the coarser start, and their weights in one direction.
        let starts = |d: usize| -> &[(i64, f32)] {
            match (halved[d], offset[d]) {
                (false, _) => &[(0, 1.0)],
                (true, 0) => &[(-1, 0.5), (0, 1.0), (1, 0.5)],
                (true, 1) => &[(0, 1.0), (1, 1.0)],
                (true, -1) => &[(0, 1.0), (-1, 1.0)],
                (true, _) => &[(0, 0.5), (1, 1.0), (2, 0.5)],
            }
        };
        let scale = match halved {
            [true, true] => 0.25,
            _ if is_diagonal => 0.5,
            _ => {
                let along = if offset[0] == 0 { 1 } else { 0 };
                if halved[along] { 0.25 } else { 1.0 }
            }
        };
        let first = [0, 1].map(|d| if halved[d] { 2 * at[d] } else { at[d] });
        let mut parts = Vec::new();
        for &(r, across) in starts(1) {
            for &(c, along) in starts(0) {
                if let Some(s) = self.spring(kind, [first[0] + c, first[1] + r]) {
                    parts.push((s, scale * along * across));
                }
            }
        }
        if halved[0] != halved[1] && kind < 2 {
            self.add_diagonals(kind, first, halved, &mut parts);
        }
        parts
    }

    /// What finer diagonals give to a structural spring where one direction only is halved.
    fn add_diagonals(&self, kind: usize, first: [i64; 2], halved: [bool; 2], parts: &mut Vec<(u32, f32)>) {
        let h = if halved[0] { 0 } else { 1 }; // the halved direction
        let point = |along: i64, across: i64| {
            let mut p = first;
            p[h] += along;
            p[1 - h] += across;
            p
        };
        let mut add = |from: [i64; 2], to: [i64; 2], weight: f32| {
            // A diagonal starts at its end in the lower row.
            let (start, end) = if from[1] < to[1] { (from, to) } else { (to, from) };
            let diagonal = if end[0] > start[0] { 2 } else { 3 };
            if let Some(s) = self.spring(diagonal, start) {
                parts.push((s, weight));
            }
        };
        if KINDS[kind][h] == 0 {
            // Across, at a node that stays: the four diagonals from it within the strip of the spring.
            for side in [-1, 1] {
                add(point(0, 0), point(side, 1), 0.5);
                add(point(0, 1), point(side, 0), 0.5);
            }
        } else {
            // Along: the diagonals from the node in the middle to the rows on both sides, which end at
            // nodes that stay, in other rows than the middle's: it counts in the row of the middle.
            for end in [0, 2] {
                for side in [-1, 1] {
                    add(point(1, 0), point(end, side), -0.25);
                }
            }
        }
    }
}
