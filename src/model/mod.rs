//! The model: particles, springs, triangles, pins, handles, loads and colliders. It is immutable once built.
//!
//! [`ModelBuilder`] takes bodies (see [`crate::shape`]), checks every number once and returns a
//! [`Model`]; later stages need no checks.

mod batch;
mod bending;
mod body;
mod builder;
mod check;
mod collider;
mod coloring;
mod edges;
mod error;
mod grid;
mod hinges;
mod inextensible;
mod load;
mod moving_pin;
mod multipliers;
mod order;
mod path;
mod planar;

pub use batch::Stack;
pub use bending::{BendingRows, GridBending, Stencils};
pub use body::{Body, Family, Layer, MOST_FRICTION, Spring, extent, stored_stiffness};
pub use builder::{MAX_NODES, MAX_PULL, ModelBuilder};
pub use collider::{COLLIDER_NUMBERS, Collider, ColliderShape, MOST_COLLIDERS};
pub use coloring::Coloring;
pub use edges::{Edge, edges};
pub use error::ModelError;
pub use grid::{Grid, GridLink};
pub use hinges::{Hinge, hinges};
pub use load::{Load, MOST_LOADS, Push};
pub use moving_pin::{MovingPin, Turn};
pub use multipliers::Multipliers;
pub use order::Order;
pub use path::{Path, PathError, Quantity};

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use crate::state::State;
use bending::Bending;
use order::Arranged;

/// A range of nodes, springs and triangles that one body occupies in the model.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRange {
    /// Name from the scene, for messages and selections.
    pub name: String,
    /// Indices of its nodes.
    pub nodes: Range<u32>,
    /// Indices of its springs.
    pub springs: Range<usize>,
    /// Indices of its triangles.
    pub triangles: Range<usize>,
    /// Whether it is a rectangular cloth, whose nodes come row by row.
    pub is_grid: bool,
    /// The same as [`Body::strain_limit`].
    pub strain_limit: Option<f32>,
    /// The same as [`Body::layer`].
    pub layer: Layer,
}

impl BodyRange {
    /// Whether it has a surface that touches something, where contact is on.
    pub fn touches(&self) -> bool {
        self.layer.touches && !self.triangles.is_empty()
    }
}

/// A soft pull of nodes toward a target: a pick with the mouse, a scripted drag, or a soft pin.
///
/// Force on node i: `weight_i * stiffness * (target_i - x_i)` with
/// `target_i = initial position of i + displacement(time)`, bounded as
/// [`crate::Simulation::grab`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptedHandle {
    /// Node index and weight in (0, 1].
    pub nodes: Vec<(u32, f32)>,
    /// Stiffness of the pull on a node of weight one [N/m].
    pub stiffness: f32,
    /// Displacement of the targets from the nodes' initial positions \[m\].
    pub path: Path,
    /// Times between which it acts \[s\]; use `0.0..f64::INFINITY` for a soft pin.
    pub active: Range<f64>,
}

/// The mass-spring network, checked. Built by [`ModelBuilder`].
#[derive(Clone, Debug)]
pub struct Model {
    bodies: Vec<BodyRange>,
    rest_position: Vec<Vec3>,
    mass: Vec<f32>,
    pinned: Vec<bool>,
    springs: Vec<Spring>,
    triangles: Vec<[u32; 3]>,
    grid: Option<Grid>,
    copies: u32,
    bending: Vec<Bending>,
    bending_rows: OnceLock<Arc<BendingRows>>,
    arranged: OnceLock<Option<Arc<Arranged>>>,
    is_hard: OnceLock<bool>,
    moving_pins: Vec<MovingPin>,
    handles: Vec<ScriptedHandle>,
    loads: Vec<Load>,
    colliders: Vec<Collider>,
    initial: State,
}

impl Model {
    /// A model of one body; [`ModelBuilder`] joins several.
    pub fn of(body: Body) -> Result<Self, ModelError> {
        let mut builder = ModelBuilder::new();
        builder.add(body);
        builder.build()
    }
    /// The bodies, in the order in which they were added.
    pub fn bodies(&self) -> &[BodyRange] {
        &self.bodies
    }
    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.mass.len()
    }
    /// Position of each node in the shape's rest state \[m\].
    pub fn rest_position(&self) -> &[Vec3] {
        &self.rest_position
    }
    /// Mass of each node \[kg\], pinned ones included.
    pub fn mass(&self) -> &[f32] {
        &self.mass
    }
    /// Whether each node is pinned at the start.
    pub fn pinned(&self) -> &[bool] {
        &self.pinned
    }
    /// Inverse mass of node `i` [1/kg]; zero where pinned.
    pub fn inverse_mass(&self, i: usize) -> f32 {
        if self.pinned[i] { 0.0 } else { 1.0 / self.mass[i] }
    }
    /// All springs, body by body, for each copy followed by its attachments.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }
    /// Springs between bodies, which belong to no body.
    pub fn attachments(&self) -> impl Iterator<Item = &Spring> {
        let ends = self.bodies.iter().map(|b| b.springs.end);
        let next = self.bodies.iter().skip(1).map(|b| b.springs.start).chain([self.springs.len()]);
        ends.zip(next).flat_map(|(end, next)| &self.springs[end..next])
    }
    /// All triangles (node indices, counter-clockwise seen from the front).
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
    /// The regular grid, if the whole model is one rectangular cloth, or copies of one in a batch.
    pub fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }
    /// Number of independent copies of one scene in a batch; otherwise 1.
    pub fn copies(&self) -> u32 {
        self.copies
    }
    /// Number of nodes of a copy; the first node of copy c is c times this number.
    pub fn nodes_per_copy(&self) -> usize {
        self.mass.len() / self.copies as usize
    }
    /// The copy that node `i` belongs to.
    pub fn copy_of(&self, i: u32) -> u32 {
        i / self.nodes_per_copy() as u32
    }
    /// Whether any body has a bending stiffness.
    pub fn has_bending(&self) -> bool {
        !self.bending.is_empty()
    }
    /// Bending of the regular grid of a copy, if the whole model is one rectangular cloth, or copies of one, and this
    /// copy has bending.
    pub fn grid_bending(&self, copy: u32) -> Option<&GridBending> {
        self.grid.as_ref()?;
        let first = copy * self.nodes_per_copy() as u32;
        let at = self.bending.partition_point(|b| matches!(b, Bending::Grid(start, _) if *start < first));
        match self.bending.get(at) {
            Some(Bending::Grid(start, bending)) if *start == first => Some(bending),
            _ => None,
        }
    }
    /// Visits every bending stencil, always in the same order: its nodes, and its coefficients
    /// [sqrt(N/m)], which add up to zero. The bending energy is 1/2 sum |sum_a c_a x_a|^2. The pins at the
    /// start decide what is clamped (see [`GridBending`]).
    pub fn for_each_bending_stencil(&self, mut visit: impl FnMut(&[u32], &[f64])) {
        self.bending.iter().for_each(|bending| bending.for_each(&mut visit));
    }
    /// The stencils as summed pairs of nodes; computed at the first call.
    pub fn bending_rows(&self) -> &BendingRows {
        let rows = made_once(&self.bending_rows, || {
            let mut stencils = Stencils::default();
            self.for_each_bending_stencil(|nodes, coefficients| stencils.push(nodes, coefficients));
            Arc::new(BendingRows::new(&stencils, self.node_count()))
        });
        rows.as_ref()
    }
    /// For each node half of the sum of |Q| over its row [N/m], where Q is the matrix of bending. With D as this
    /// diagonal, Q <= 2 D. It is the sum of max(kappa, 0) of [`BendingRows`].
    pub fn bending_majorant(&self) -> Vec<f64> {
        if !self.has_bending() {
            return vec![0.0; self.node_count()];
        }
        if self.grid.is_none() {
            // Use the rows that the GPU needs anyway.
            let rows = self.in_memory().bending_rows();
            let by_place: Vec<f64> = (0..self.node_count()).map(|i| rows.majorant(i)).collect();
            return self.order().by_node(&by_place).into_owned();
        }
        let none = || vec![0.0; self.nodes_per_copy()];
        let of_copy = |copy| self.grid_bending(copy).map_or_else(none, GridBending::majorant);
        (0..self.copies).flat_map(of_copy).collect()
    }
    /// Whether, in any body, bending adds over a fiftieth of what springs add to the diagonal of the stiffness matrix.
    pub fn is_stiff_in_bending(&self) -> bool {
        self.bodies_stiff_in_bending().contains(&true)
    }
    /// The same for each body; empty if no body has bending.
    fn bodies_stiff_in_bending(&self) -> Vec<bool> {
        if !self.has_bending() {
            return Vec::new();
        }
        let majorant = self.bending_majorant();
        let is_stiff = |body: &BodyRange| {
            let nodes = body.nodes.start as usize..body.nodes.end as usize;
            let bending: f64 = majorant[nodes].iter().sum();
            let springs = &self.springs[body.springs.clone()];
            let springs: f64 = springs.iter().map(|s| 2.0 * f64::from(s.stiffness)).sum();
            bending > 0.02 * springs
        };
        self.bodies.iter().map(is_stiff).collect()
    }
    /// Whether multigrid cycles are slow on the network. `find` computes this at the first call: it needs levels, which
    /// a model does not have.
    pub(crate) fn is_hard_by(&self, find: impl FnOnce() -> bool) -> bool {
        *made_once(&self.is_hard, find)
    }
    /// Pins that follow a path.
    pub fn moving_pins(&self) -> &[MovingPin] {
        &self.moving_pins
    }
    /// Soft pins and scripted drags.
    pub fn handles(&self) -> &[ScriptedHandle] {
        &self.handles
    }
    /// Forces and pressures on selected nodes.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }
    /// The colliders.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }
    /// The state at time zero.
    pub fn initial_state(&self) -> &State {
        &self.initial
    }
    /// Whether any spring has a dashpot.
    pub fn has_dashpots(&self) -> bool {
        self.springs.iter().any(|s| s.dashpot > 0.0)
    }
    /// Lengths of a body at rest along x, y and z \[m\].
    pub fn size_of(&self, body: &BodyRange) -> Vec3 {
        extent(&self.rest_position[body.nodes.start as usize..body.nodes.end as usize])
    }
    /// The body that node `i` belongs to.
    pub fn body_of(&self, i: u32) -> &BodyRange {
        &self.bodies[self.body_index(i)]
    }
    fn body_index(&self, i: u32) -> usize {
        self.bodies.partition_point(|b| b.nodes.end <= i).min(self.bodies.len() - 1)
    }
}

/// The value of `cell`, computed at the first call, outside of the cell's lock: while rayon waits for a part of `make`,
/// it may run other work that needs the same value.
fn made_once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if cell.get().is_none() {
        let _ = cell.set(make()); // another thread may have set the same value first
    }
    cell.wait()
}
