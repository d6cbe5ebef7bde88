//! The coarser levels of a regular grid: their sizes.

use crate::gpu::{HostStruct, twin};
use crate::hierarchy::FEW;
use crate::numbers::{FIRST_NODES, TAIL_NODES};

/// The coarsest level has at most this many columns and rows.
const COARSEST: u32 = FEW as u32;

twin! {
    /// Host twin of WGSL `Level`.
    #[derive(Debug, Default, PartialEq)]
    pub struct Level = "Level" {
        /// Nodes along the first direction.
        pub columns: u32,
        /// Nodes along the second direction.
        pub rows: u32,
        copies: u32,
        first: u32,
        finer_columns: u32,
        finer_rows: u32,
        finer_first: u32,
        stride: u32,
        factor: [u32; 2],
        tail_first: u32,
        first_bend: u32,
    }
}

/// Layout of [`Level`], compared with WGSL when a shader loads.
pub const LEVEL_STRUCT: HostStruct = Level::TWIN;

/// All coarser levels of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridTable {
    /// From fine to coarse.
    pub levels: Vec<Level>,
    /// The first level of the tail: from here on one workgroup does everything.
    pub tail: usize,
    /// Nodes of all levels, all copies.
    pub nodes: u32,
    /// Level by level and copy by copy the weights [N/m] of bending along rows, along columns and of cells, and a
    /// zero; none where no copy has bending.
    pub bends: Vec<[f32; 4]>,
}

impl GridTable {
    /// The levels under a cloth of `columns` times `rows` nodes, `copies` of it, with the weights `bend` [N/m] of
    /// bending along rows, along columns and of cells of each copy; none where none has any.
    pub fn new(columns: u32, rows: u32, copies: u32, bend: &[[f64; 3]]) -> Self {
        let mut spacing = [1.0f64; 2];
        let (mut levels, mut bends) = (Vec::new(), Vec::new());
        let (mut size, mut finer_first, mut first) = ([columns, rows], 0, 0);
        loop {
            let factor = factors(size, levels.is_empty());
            let coarse = [0, 1].map(|d| if factor[d] == 2 { size[d] / 2 + 1 } else { size[d] });
            let [s, t] = [0, 1].map(|d| spacing[d] * f64::from(factor[d]));
            spacing = [s, t];
            let first_bend = bends.len() as u32;
            // B s t |x_uu|^2 has weight B t / s^3, and so on. Linear interpolation bends at the coarser nodes only:
            // that takes twice the energy each time, and with less the correction would overshoot.
            bends.extend(bend.iter().map(|[row, column, cell]| {
                [row * t / s.powi(2), column * s / t.powi(2), cell / (s * t), 0.0].map(|b| b as f32)
            }));
            levels.push(Level {
                first_bend,
                columns: coarse[0],
                rows: coarse[1],
                copies,
                first,
                finer_columns: size[0],
                finer_rows: size[1],
                finer_first,
                factor,
                ..Level::default()
            });
            (finer_first, size) = (first, coarse);
            first += coarse[0] * coarse[1] * copies;
            if size.iter().all(|n| *n <= COARSEST) {
                break;
            }
        }
        let of_copy = |l: &Level| l.columns * l.rows;
        let after = |i: usize| levels[i..].iter().map(of_copy).sum::<u32>();
        let tail = (0..levels.len())
            .find(|i| after(*i) <= TAIL_NODES && of_copy(&levels[*i]) <= FIRST_NODES)
            .unwrap_or(levels.len() - 1);
        let mut tail_first = 0;
        for (i, level) in levels.iter_mut().enumerate() {
            level.stride = first;
            if i >= tail {
                level.tail_first = tail_first;
                tail_first += of_copy(level);
            }
        }
        Self { levels, tail, nodes: first, bends }
    }

    /// Nodes of level `l`, all copies.
    pub fn size(&self, l: usize) -> u32 {
        let level = &self.levels[l];
        level.columns * level.rows * level.copies
    }

    /// Nodes of the level before `l`, or of the cloth itself, all copies.
    pub fn finer_size(&self, l: usize) -> u32 {
        let level = &self.levels[l];
        level.finer_columns * level.finer_rows * level.copies
    }

    /// By how much each direction becomes coarser on these levels; zeros where they differ.
    pub fn common_factor(&self, levels: std::ops::Range<usize>) -> [u32; 2] {
        let factors: Vec<[u32; 2]> = self.levels[levels].iter().map(|l| l.factor).collect();
        match factors.split_first() {
            Some((first, others)) if others.iter().all(|factor| factor == first) => *first,
            _ => [0, 0],
        }
    }

    /// Bytes of the blocks of all levels: seven matrices of six numbers a node.
    pub fn block_bytes(&self) -> u64 {
        168 * u64::from(self.nodes)
    }
}

/// By how much each direction becomes coarser. The cloth itself always has a coarser level where it can.
fn factors(size: [u32; 2], is_cloth: bool) -> [u32; 2] {
    let least = if is_cloth && size.iter().all(|n| *n <= COARSEST) { 2 } else { COARSEST };
    size.map(|n| if n > least { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(columns: u32, rows: u32) -> Vec<[u32; 2]> {
        GridTable::new(columns, rows, 1, &[]).levels.iter().map(|l| [l.columns, l.rows]).collect()
    }

    #[test]
    fn every_direction_ends_at_three_or_fewer() {
        assert_eq!(sizes(33, 33), [[17, 17], [9, 9], [5, 5], [3, 3]]);
        assert_eq!(sizes(20, 40), [[11, 21], [6, 11], [4, 6], [3, 4], [3, 3]]);
        assert_eq!(sizes(3, 2), [[2, 2]]);
        assert_eq!(sizes(2, 2), [[2, 2]]);
        assert_eq!(sizes(2, 40).last(), Some(&[2, 3]));
    }

    #[test]
    fn strips_have_levels_of_different_factors() {
        let factor = |columns, rows, levels| GridTable::new(columns, rows, 1, &[]).common_factor(levels);
        assert_eq!(factor(317, 317, 0..4), [2, 2]);
        assert_eq!(factor(3, 22, 0..1), [1, 2]);
        assert_eq!(factor(20, 20_000, 1..5), [0, 0]);
    }

    #[test]
    fn the_tail_fits_its_memory() {
        for (columns, rows) in [(317, 317), (20, 2000), (1000, 1000), (3200, 3200), (2, 50_000), (6, 6)] {
            let table = GridTable::new(columns, rows, 3, &[]);
            let tail: u32 = table.levels[table.tail..].iter().map(|l| l.columns * l.rows).sum();
            assert!(tail <= TAIL_NODES, "{columns} x {rows}: {tail}");
            assert!(table.levels.len() < 20);
        }
    }
}
