//! Places where surfaces cross themselves or each other, counted exactly.
//!
//! Surfaces are the triangles of all bodies. A crossing is a pair of an edge and a triangle without a common node where the
//! edge goes through the triangle: the ends of the edge lie strictly on opposite sides of the triangle's plane, and the edge
//! meets the inside of the triangle or its border. So:
//!
//! - An edge counts once, however many triangles it belongs to.
//! - An edge that goes through the border between two triangles crosses both of them.
//! - An edge that ends on a triangle or lies in its plane does not cross it: a sheet that lies flat on another one has no
//!   crossing. But an edge that touches the side of a triangle across it does, as if it went through.
//! - Nothing crosses a triangle without area.
//! - Ropes and nets have no triangles, and are not counted.
//! - The copies of a batch do not meet.
//! - A node whose position is not finite takes its edges and triangles out of the count.
//!
//! Positions are those of f32, and no sign is rounded (`predicate.rs`): what is through by the last bit counts, and nothing else.
//! All pairs whose boxes touch are examined (`tree.rs`). A state alone does not tell what has passed: a body that flies through a
//! sheet within one frame leaves no crossing.
//!
//! ```
//! # use taffeta::{Model, glam::Vec3, measure::crossings, model::ModelBuilder, shape::Cloth};
//! let sheet = Cloth::new([2, 2], Vec3::X, Vec3::Z).build()?.named("sheet");
//! let across = Cloth::new([2, 2], Vec3::X, Vec3::Y).at(Vec3::new(0.1, -0.4, 0.3)).build()?.named("across");
//! let mut builder = ModelBuilder::new();
//! builder.add(sheet);
//! builder.add(across);
//! let model = builder.build()?;
//! let found = crossings::crossings(&model, &model.initial_state().position);
//! println!("{} places, one is {}", found.count, found.examples[0].text(&model));
//! # assert_eq!(found.count, 4);
//! # Ok::<(), taffeta::Error>(())
//! ```

mod predicate;
#[cfg(test)]
mod tests;
pub(crate) mod tree;

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::model::Model;
use tree::{Bounds, Boxes, Forest};

/// Crossings that are kept as examples, at most.
pub const EXAMPLES: usize = 5;

/// Edges that one thread examines at a time.
const CHUNK: usize = 1024;

/// An edge that goes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The nodes of the edge, the lower one first.
    pub edge: [u32; 2],
    /// The nodes of the triangle, as in [`Model::triangles`].
    pub triangle: [u32; 3],
    /// Where they meet \[m\].
    pub point: DVec3,
}

impl Crossing {
    /// One line with the nodes and the names of the bodies.
    pub fn text(&self, model: &Model) -> String {
        let ([p, q], [a, b, c]) = (self.edge, self.triangle);
        let DVec3 { x, y, z } = self.point;
        let [of_edge, of_triangle] = [p, a].map(|node| &model.body_of(node).name);
        format!(
            "the edge of nodes {p} and {q} of '{of_edge}' goes through the triangle of nodes {a}, {b} and {c} of \
             '{of_triangle}' at ({x:.4}, {y:.4}, {z:.4}) m"
        )
    }
}

/// The crossings between two bodies, or of one with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Indices of the two bodies in [`Model::bodies`], the lower one first; twice the same for a body that crosses itself.
    pub bodies: [usize; 2],
    /// Number of crossings, whichever of the two has the edge.
    pub count: usize,
}

/// The crossings of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crossings {
    /// Number of crossings.
    pub count: usize,
    /// The same for all pairs of bodies that cross, ordered by their indices.
    pub meetings: Vec<Meeting>,
    /// The first crossings by the nodes of their edges, [`EXAMPLES`] at most.
    pub examples: Vec<Crossing>,
}

/// Counts the crossings of `model` at positions \[m\]. A [`Checker`] is faster for many states of one model.
///
/// # Panics
///
/// If there is not one position for each node.
pub fn crossings(model: &Model, position: &[Vec3]) -> Crossings {
    Checker::new(model).count(position)
}

/// Counts crossings in any number of states of one model.
#[derive(Clone, Debug)]
pub struct Checker {
    forest: Forest,
    /// All edges, each once, sorted.
    edges: Vec<[u32; 2]>,
    nodes: usize,
    nodes_per_copy: u32,
    /// The end of the nodes of each body.
    ends: Vec<u32>,
}

impl Checker {
    /// Finds the edges of the model, and which triangles are neighbors.
    pub fn new(model: &Model) -> Self {
        let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]);
        let mut edges: Vec<[u32; 2]> = model.triangles().par_iter().flat_map_iter(sides).collect();
        edges.par_sort_unstable();
        edges.dedup();
        Self {
            forest: Forest::new(model),
            edges,
            nodes: model.node_count(),
            nodes_per_copy: model.nodes_per_copy() as u32,
            ends: model.bodies().iter().map(|body| body.nodes.end).collect(),
        }
    }

    /// Counts the crossings at positions \[m\]: the same for the same positions, whatever the number of threads.
    ///
    /// # Panics
    ///
    /// If there is not one position for each node.
    pub fn count(&self, position: &[Vec3]) -> Crossings {
        assert_eq!(position.len(), self.nodes, "one position for each node");
        let boxes = self.forest.boxes(position);
        let tallies: Vec<Tally> =
            self.edges.par_chunks(CHUNK).map(|edges| self.tally(position, &boxes, edges)).collect();
        let mut all = Tally::default();
        tallies.into_iter().for_each(|tally| all.add(tally));
        let meetings = all.meetings.into_iter();
        let meetings: Vec<Meeting> = meetings.map(|(bodies, count)| Meeting { bodies, count }).collect();
        Crossings { count: meetings.iter().map(|m| m.count).sum(), meetings, examples: all.examples }
    }

    /// The crossings of some edges.
    fn tally(&self, position: &[Vec3], boxes: &Boxes, edges: &[[u32; 2]]) -> Tally {
        let mut tally = Tally::default();
        let mut found = Vec::new();
        for &edge in edges {
            let ends = edge.map(|node| position[node as usize]);
            let around = Bounds::of(ends);
            self.forest.visit(boxes, edge[0] / self.nodes_per_copy, &around, |triangle, bounds| {
                // Flat cloth is the rule at the start of a scene, and determinants that are zero take long.
                if triangle.iter().any(|node| edge.contains(node)) || bounds.share_a_plane(&around) {
                    return;
                }
                let corners = triangle.map(|node| position[node as usize]);
                if let Some(point) = predicate::crossing(ends, corners) {
                    found.push(Crossing { edge, triangle: *triangle, point });
                }
            });
            // Examples do not depend on the order of the tree.
            found.sort_unstable_by_key(|crossing| crossing.triangle);
            for crossing in found.drain(..) {
                let [a, b] = [crossing.edge[0], crossing.triangle[0]].map(|node| self.body_of(node));
                *tally.meetings.entry([a.min(b), a.max(b)]).or_default() += 1;
                tally.keep(crossing);
            }
        }
        tally
    }

    fn body_of(&self, node: u32) -> usize {
        self.ends.partition_point(|&end| end <= node)
    }
}

/// What some edges cross.
#[derive(Default)]
struct Tally {
    meetings: BTreeMap<[usize; 2], usize>,
    examples: Vec<Crossing>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        for (bodies, count) in other.meetings {
            *self.meetings.entry(bodies).or_default() += count;
        }
        other.examples.into_iter().for_each(|crossing| self.keep(crossing));
    }

    fn keep(&mut self, crossing: Crossing) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(crossing);
        }
    }
}
