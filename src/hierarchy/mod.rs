//! Coarser networks for multigrid: the finer nodes and springs that each level's nodes and springs sum.
//!
//! A level is a small network of its own. The correction of a finer node is a weighted mean of
//! coarser nodes, e = P e_c, with weights fixed in the rest state that sum to one, so that a coarser
//! stiffness block is a fixed weighted sum of finer ones and nothing has to be multiplied or
//! assembled while the simulation runs:
//!
//! ```text
//! K_IJ = sum_s w_s K_s  over finer springs s,    G_I = sum_i P_iI G_i,    D = G + sum K
//! r_I  = sum_i P_iI r_i,                         e_i = sum_I P_iI e_I
//! ```
//!
//! P is the prolongation, its transpose the restriction. K_s is the symmetric 3 x 3 stiffness block of a spring, G_i the
//! ground block of a node: inertia and whatever else holds it in place. Pinned nodes belong to the hierarchy as well, so that
//! the lists are valid for any set of pins. e = 0 at pinned nodes of the finest level; a spring that ends at a pin counts as
//! zero in the sums above and is part of the free end's G. A coarser node that stands for pins only has no stiffness, D = 0,
//! and must stay where it is.
//!
//! Bending is a constant scalar for each pair of nodes ([`crate::model::BendingRows`]). Each spring of a coarser level has such
//! a scalar, too; some springs exist for bending only and sum no finer spring. Each level of a grid has the bending energy of
//! its interpolation to the finer level, without clamps. Other networks have P^T Q P of the pairs between nodes that are free
//! in the model. The caller handles pairs that end at pins.
//!
//! [`Hierarchy::galerkin`] makes the levels of any network. They suit the pins of the model best; a batch has levels for each
//! copy. [`Hierarchy::structured`] makes the levels of a regular grid. Both are deterministic: the result does not depend on
//! the number of threads.

mod bending;
mod galerkin;
mod graph;
mod hardness;
mod interpolation;
mod least_squares;
mod part;
mod rows;
mod seeds;
mod stack;
mod structured;
mod ways;

pub use hardness::{is_hard, multipliers, takes_conjugate_gradients};
pub use rows::Rows;
pub use structured::{FEW, coarser_nodes};
pub use ways::{Way, of_grids, parents};

use crate::model::Model;

/// One coarser level, made of the level before it (the model's own network for the first).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Number of nodes.
    pub nodes: usize,
    /// Where the nodes of each copy of a batch begin; one more entry than there are copies.
    pub copies: Vec<u32>,
    /// The two nodes of each spring, which differ; no pair comes twice.
    pub springs: Vec<[u32; 2]>,
    /// For each spring of this level the springs of the finer one that it is made of, with weights.
    pub gather: Rows,
    /// kappa of bending [N/m] between the two nodes of each spring; it may be negative.
    pub bend: Vec<f32>,
    /// For each node of the finer level its coarser nodes and weights, which sum to one.
    pub interpolation: Rows,
    /// The transpose of `interpolation`: for each node of this level the finer nodes.
    pub restriction: Rows,
}

/// The coarser levels of a network, from fine to coarse.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hierarchy {
    /// The levels.
    pub levels: Vec<Level>,
}

impl Hierarchy {
    /// The levels that suit `model`: those of a grid where it is one.
    pub fn of(model: &Model) -> Self {
        match model.grid() {
            Some(grid) if grid.copies == 1 => {
                let weights = model.grid_bending(0).map_or([0.0; 3], |bending| bending.weights());
                Self::structured_with_bending([grid.columns, grid.rows], model.springs(), FEW, weights)
            }
            _ => Self::galerkin(model),
        }
    }
}

#[cfg(test)]
mod tests;
