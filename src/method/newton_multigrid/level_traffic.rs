//! Bytes that the dispatches on the coarser levels must move by design: every block, vector and list once a dispatch. A
//! vector that several neighbors read counts once, since caches hold it. The few numbers of bending are left out.

use super::grid_table::GridTable;
use super::network_table::NetworkTable;
use crate::hierarchy::{Hierarchy, Level, Rows};
use crate::model::Model;

/// A symmetric 3 x 3 matrix.
const BLOCK: u64 = 24;
/// A vector of four numbers.
const VECTOR: u64 = 16;
/// Index and weight.
const ENTRY: u64 = 8;
/// Where a row begins.
const START: u64 = 4;
/// Of the cloth itself the first level reads z, y, correction and residual.
const FINEST: u64 = 4 * VECTOR;

/// Of the dispatches on the levels of a grid \[B\], by level.
pub struct GridTraffic {
    /// Coarse-grid operator and right-hand side from the finer level.
    pub coarsen: Vec<u64>,
    /// The right-hand side alone.
    pub restrict: Vec<u64>,
    /// The interpolated correction of the coarser level, and a sweep.
    pub smooth_level: Vec<u64>,
    /// All levels from the tail's first on.
    pub tail: u64,
}

impl GridTraffic {
    /// With so many families of springs that have a stiffness.
    pub fn new(table: &GridTable, families: u64) -> Self {
        let matrix = (families + 1) * BLOCK;
        let size = |l| u64::from(table.size(l));
        let finer = |l| u64::from(table.finer_size(l));
        let count = table.levels.len();
        let of = |bytes: &dyn Fn(usize) -> u64| -> Vec<u64> { (0..count).map(bytes).collect() };
        Self {
            coarsen: of(&|l| {
                let read = if l == 0 { FINEST } else { matrix + VECTOR };
                read * finer(l) + (matrix + VECTOR) * size(l)
            }),
            restrict: of(&|l| VECTOR * (finer(l) + size(l))),
            smooth_level: of(&|l| {
                let coarser = if l + 1 < count { size(l + 1) } else { 0 };
                (matrix + 2 * VECTOR) * size(l) + VECTOR * coarser
            }),
            tail: (table.tail..count).map(|l| (matrix + 2 * VECTOR) * size(l)).sum(),
        }
    }
}

/// Of the dispatches on the levels of any other network \[B\], by level.
pub struct NetworkTraffic {
    /// The stiffness of the first level, by part.
    pub coarsen_springs: Vec<u64>,
    /// The rest of the first level, and all of the others.
    pub coarsen: Vec<u64>,
    /// The right-hand side alone.
    pub restrict: Vec<u64>,
    /// The interpolated correction at the finer level's nodes.
    pub prolongate: Vec<u64>,
    /// A sweep.
    pub smooth_level: Vec<u64>,
    /// All levels from the tail's first on.
    pub tail: u64,
}

impl NetworkTraffic {
    /// Of the levels of a model.
    pub fn new(model: &Model, hierarchy: &Hierarchy, table: &NetworkTable) -> Self {
        let levels = &hierarchy.levels;
        let finer = |l: usize| if l == 0 { model.node_count() } else { levels[l - 1].nodes } as u64;
        let of = |bytes: &dyn Fn(usize, &Level) -> u64| -> Vec<u64> {
            levels.iter().enumerate().map(|(l, level)| bytes(l, level)).collect()
        };
        let restrict = of(&|l, level| list(&level.restriction) + VECTOR * (finer(l) + level.nodes as u64));
        let prolongate = of(&|l, level| {
            // At the network itself it is added to what is there.
            let written = if l == 0 { 2 * VECTOR } else { VECTOR };
            list(&level.interpolation) + VECTOR * level.nodes as u64 + written * finer(l)
        });
        let smooth_level = of(&|_, level| {
            let (nodes, springs) = (level.nodes as u64, level.springs.len() as u64);
            (2 * ENTRY + BLOCK) * springs + (START + BLOCK + 3 * VECTOR) * nodes
        });
        let coarsen = of(&|l, level| {
            let grounds = BLOCK * (finer(l) + level.nodes as u64);
            let springs = match l {
                0 => 0, // in parts
                _ => {
                    let made = (levels[l - 1].springs.len() + level.springs.len()) as u64;
                    list(&level.gather) + BLOCK * made
                }
            };
            restrict[l] + grounds + springs
        });
        // Ends, rest length and stiffness of the network's springs, and the positions of their ends.
        let network = VECTOR * (model.springs().len() + model.node_count()) as u64;
        let entries: u64 = table.parts.iter().map(|(_, lists)| lists.entries.len() as u64).sum();
        let coarsen_springs = table.parts.iter().map(|(part, lists)| {
            let own = lists.entries.len() as u64;
            let share = (network * own).checked_div(entries).unwrap_or(0);
            share + ENTRY * own + (START + BLOCK) * u64::from(part.part_count)
        });
        let deeper = restrict.iter().zip(&prolongate).skip(table.tail + 1).map(|(down, up)| down + up);
        let tail = smooth_level[table.tail..].iter().sum::<u64>() + deeper.sum::<u64>();
        Self { coarsen_springs: coarsen_springs.collect(), coarsen, restrict, prolongate, smooth_level, tail }
    }
}

fn list(rows: &Rows) -> u64 {
    ENTRY * rows.indices.len() as u64 + START * rows.len() as u64
}
