//! Bending as a constant quadratic energy: 1/2 sum over stencils of |sum_a c_a x_a|^2.
//!
//! A stencil is a few nodes with coefficients c_a [sqrt(N/m)] that add up to zero; the vector
//! sum_a c_a x_a is a second difference of the cloth, zero while it is flat. The matrix
//! Q = sum c c^T never changes and is the same for x, y and z. [`GridBending`] makes the stencils of grids
//! from a fabric's bending stiffness B [N m], `mesh.rs` those of triangle meshes. Both have the energy
//! B/2 (|x_uu|^2 + |x_vv|^2 + 2 |x_uv|^2) per area.
//!
//! Since the coefficients add up to zero, a stencil is a set of linear springs of rest length zero,
//! (sum c_a x_a)^2 = -sum_(a<b) c_a c_b |x_a - x_b|^2: the force on node a is
//! -kappa_ab (x_a - x_b) from every other node b, kappa_ab = -c_a c_b, some of them negative.
//! [`BendingRows`] holds these, summed over stencils.
//!
//! Flat cloth is at rest, whatever its initial shape. The energy depends on positions alone, so stretching
//! adds to it only where it varies along the cloth.

mod fit;
mod grid;
mod mesh;
mod rows;

use super::order::sorted_by_key;
use super::{Body, Order};

pub use grid::GridBending;
pub use rows::BendingRows;

/// The factor on the energy of a stencil that is centered on the inner edge of a clamp. Half of its cell
/// belongs to the free cloth, and the second difference, with one side held straight, is half the
/// curvature: (1/2) (2)^2 = 2.
pub(super) const CLAMPED: f64 = 2.0;

/// Largest stiffness c^2 [N/m] of a stencil: sums of several must fit f32.
const LARGEST: f64 = 1e30;

/// Stencils one after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stencils {
    /// End of each stencil in the two lists.
    ends: Vec<u32>,
    nodes: Vec<u32>,
    coefficients: Vec<f64>,
}

impl Stencils {
    /// Appends a stencil: nodes, and coefficients [sqrt(N/m)] that add up to zero.
    pub fn push(&mut self, nodes: &[u32], coefficients: &[f64]) {
        self.nodes.extend_from_slice(nodes);
        self.coefficients.extend_from_slice(coefficients);
        self.ends.push(self.nodes.len() as u32);
    }

    /// Appends all stencils of `other`.
    pub(super) fn append(&mut self, other: &Self) {
        let offset = self.nodes.len() as u32;
        self.nodes.extend_from_slice(&other.nodes);
        self.coefficients.extend_from_slice(&other.coefficients);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
    }

    /// A node of a stencil, if there is any.
    pub(super) fn first_node(&self) -> Option<u32> {
        self.nodes.first().copied()
    }

    /// The same stencils with the nodes in another order, sorted by the first place of each.
    pub(super) fn reordered(&self, order: &Order) -> Self {
        let first = |s| self.get(s).0.iter().map(|&node| order.place(node)).min();
        let mut all = Self {
            ends: Vec::with_capacity(self.ends.len()),
            nodes: Vec::with_capacity(self.nodes.len()),
            coefficients: Vec::with_capacity(self.coefficients.len()),
        };
        let mut places = Vec::new();
        for s in sorted_by_key(self.len(), first) {
            let (nodes, coefficients) = self.get(s as usize);
            places.clear();
            places.extend(nodes.iter().map(|&node| order.place(node)));
            all.push(&places, coefficients);
        }
        all
    }

    /// Number of stencils.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Nodes and coefficients [sqrt(N/m)] of stencil `s`.
    pub fn get(&self, s: usize) -> (&[u32], &[f64]) {
        let first = if s == 0 { 0 } else { self.ends[s - 1] as usize };
        let range = first..self.ends[s] as usize;
        (&self.nodes[range.clone()], &self.coefficients[range])
    }
}

/// Bending of one body.
#[derive(Clone, Debug)]
pub(super) enum Bending {
    /// A grid whose first node has this index.
    Grid(u32, GridBending),
    /// Any triangle mesh.
    Mesh(Stencils),
}

impl Bending {
    /// Bending of a body whose first node has the index `first`, if it has any; `pinned` is by node of the
    /// body. The error is the text of what is allowed.
    pub fn of(body: &Body, first: u32, pinned: &[bool]) -> Result<Option<Self>, &'static str> {
        if !body.bending.is_finite() || body.bending < 0.0 {
            return Err("it must be finite and not negative");
        }
        if body.bending == 0.0 {
            return Ok(None);
        }
        let bending = match &body.grid {
            None if body.triangles.is_empty() => return Err("it needs triangles to act on"),
            None => Bending::Mesh(mesh::stencils(body, first, pinned)),
            Some(grid) => {
                let spacing = [grid.links[0].rest_length, grid.links[1].rest_length];
                let nodes = [grid.columns, grid.rows];
                Bending::Grid(first, GridBending::new(body.bending, nodes, spacing, pinned))
            }
        };
        let mut fits = true;
        match &bending {
            // Four times the weight, twice that where clamped.
            Bending::Grid(_, grid) => fits = grid.weights().iter().all(|weight| 8.0 * weight <= LARGEST),
            mesh => mesh.for_each(&mut |_, c| fits &= c.iter().all(|c| c * c <= LARGEST)),
        }
        if fits { Ok(Some(bending)) } else { Err("it is too much for cells or triangles this small or thin") }
    }

    /// The same with all indices of nodes larger by `by`.
    pub fn moved(self, by: u32) -> Self {
        match self {
            Bending::Grid(first, grid) => Bending::Grid(first + by, grid),
            Bending::Mesh(mut stencils) => {
                stencils.nodes.iter_mut().for_each(|node| *node += by);
                Bending::Mesh(stencils)
            }
        }
    }

    pub fn for_each(&self, visit: &mut dyn FnMut(&[u32], &[f64])) {
        match self {
            Bending::Grid(first, grid) => grid.for_each(*first, visit),
            Bending::Mesh(stencils) => (0..stencils.len()).for_each(|s| {
                let (nodes, coefficients) = stencils.get(s);
                visit(nodes, coefficients);
            }),
        }
    }
}

#[cfg(test)]
mod tests;
