//! A tree of boxes around the triangles of each copy. Its shape is made once, from the rest state; boxes follow the positions.

use glam::Vec3;
use rayon::prelude::*;

use crate::model::{BodyRange, Model};

/// Triangles of a leaf, at most.
const LEAF: usize = 4;
/// Fewer triangles are not worth another thread.
const ALONE: usize = 4096;

/// A box between two corners \[m\]; the empty one has its first corner above the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    /// Touches nothing.
    const EMPTY: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    /// Around points; empty if any of them is not finite.
    pub fn of<const N: usize>(points: [Vec3; N]) -> Self {
        let with = |all: Self, &p: &Vec3| Self { low: all.low.min(p), high: all.high.max(p) };
        match points.iter().all(|p| p.is_finite()) {
            true => points.iter().fold(Self::EMPTY, with),
            false => Self::EMPTY,
        }
    }

    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether both have a point in common, of their borders, too.
    pub fn touches(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Whether both lie in one plane across an axis.
    pub fn share_a_plane(&self, other: &Self) -> bool {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        low.cmpeq(high).any()
    }
}

/// A node of a tree: itself, its first child with all below, its second child with all below.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Triangles from here ...
    first: u32,
    /// ... up to here.
    end: u32,
    /// The node after all that is below this one. A leaf is followed by it.
    after: u32,
}

/// The trees of all copies, one behind the other.
#[derive(Clone, Debug)]
pub struct Forest {
    nodes: Vec<Node>,
    /// The first node of each copy's tree, and the end of the last one.
    starts: Vec<u32>,
    /// All triangles: those of a node follow one another.
    triangles: Vec<[u32; 3]>,
}

/// The boxes at some positions.
pub struct Boxes {
    nodes: Vec<Bounds>,
    triangles: Vec<Bounds>,
}

impl Forest {
    /// Trees for the triangles of `model`: neighbors at rest are neighbors in the tree, and stay so as long as springs keep
    /// them together. Bodies stand apart: they are told from one another by where they start.
    pub fn new(model: &Model) -> Self {
        let mut forest = Self { nodes: Vec::new(), starts: vec![0], triangles: model.triangles().to_vec() };
        let rest = model.rest_position();
        let parts: Vec<&BodyRange> = model.bodies().iter().filter(|b| !b.triangles.is_empty()).collect();
        let mut left = &mut forest.triangles[..];
        let mut own = Vec::new();
        for part in &parts {
            let (of_part, others) = left.split_at_mut(part.triangles.len());
            own.push(of_part);
            left = others;
        }
        own.into_par_iter().for_each(|triangles| arrange(rest, triangles));

        let start = &model.initial_state().position;
        let mut parts: Vec<(Vec3, &BodyRange)> =
            parts.into_iter().map(|part| (center(start, model, part), part)).collect();
        let mut rest = &mut parts[..];
        for copy in 0..model.copies() {
            let end = (copy + 1) * model.nodes_per_copy() as u32;
            let (of_copy, others) = rest.split_at_mut(rest.partition_point(|p| p.1.nodes.end <= end));
            if !of_copy.is_empty() {
                forest.grow_over(of_copy);
            }
            forest.starts.push(forest.nodes.len() as u32);
            rest = others;
        }
        forest
    }

    /// Adds nodes for these bodies.
    fn grow_over(&mut self, parts: &mut [(Vec3, &BodyRange)]) {
        if let [(_, part)] = parts {
            return self.grow(part.triangles.start, part.triangles.end);
        }
        let node = self.nodes.len();
        // Bodies in the order of their places no longer follow one another, so these nodes have no range of triangles.
        self.nodes.push(Node { first: 0, end: 0, after: 0 });
        let middle = parts.len() / 2;
        let axis = widest(parts.iter().map(|part| part.0));
        parts.sort_by(|a, b| a.0[axis].total_cmp(&b.0[axis]));
        let (below, above) = parts.split_at_mut(middle);
        self.grow_over(below);
        self.grow_over(above);
        self.nodes[node].after = self.nodes.len() as u32;
    }

    /// Adds nodes for triangles that have been arranged.
    fn grow(&mut self, first: usize, end: usize) {
        let node = self.nodes.len();
        self.nodes.push(Node { first: first as u32, end: end as u32, after: 0 });
        if end - first > LEAF {
            let middle = first + (end - first) / 2;
            self.grow(first, middle);
            self.grow(middle, end);
        }
        self.nodes[node].after = self.nodes.len() as u32;
    }

    /// The boxes at `position`.
    pub fn boxes(&self, position: &[Vec3]) -> Boxes {
        let of = |triangle: &[u32; 3]| Bounds::of(triangle.map(|node| position[node as usize]));
        let triangles: Vec<Bounds> = self.triangles.par_iter().map(of).collect();
        let mut nodes = vec![Bounds::EMPTY; self.nodes.len()];
        // Children stand behind their parents.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            nodes[at] = if node.after as usize == at + 1 {
                let own = &triangles[node.first as usize..node.end as usize];
                own.iter().fold(Bounds::EMPTY, |all, one| all.join(*one))
            } else {
                nodes[at + 1].join(nodes[self.nodes[at + 1].after as usize])
            };
        }
        Boxes { nodes, triangles }
    }

    /// Visits every triangle of a copy whose box touches `bounds`.
    pub fn visit(
        &self,
        boxes: &Boxes,
        copy: u32,
        bounds: &Bounds,
        mut visit: impl FnMut(&[u32; 3], &Bounds),
    ) {
        let [mut at, end] = [copy, copy + 1].map(|copy| self.starts[copy as usize] as usize);
        while at < end {
            let node = self.nodes[at];
            if !boxes.nodes[at].touches(bounds) {
                at = node.after as usize;
                continue;
            }
            at += 1;
            if node.after as usize == at {
                for triangle in node.first as usize..node.end as usize {
                    let own = &boxes.triangles[triangle];
                    if own.touches(bounds) {
                        visit(&self.triangles[triangle], own);
                    }
                }
            }
        }
    }
}

/// Arranges triangles so that each half, each quarter and so on lies together.
fn arrange(rest: &[Vec3], triangles: &mut [[u32; 3]]) {
    if triangles.len() <= LEAF {
        return;
    }
    let center = |t: &[u32; 3]| t.iter().map(|&node| rest[node as usize]).sum::<Vec3>();
    let axis = widest(triangles.iter().map(center));
    let middle = triangles.len() / 2;
    let key = |t: &[u32; 3]| center(t)[axis];
    // Ties are told apart by the nodes, so that one model has one tree.
    triangles.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
    let (below, above) = triangles.split_at_mut(middle);
    if below.len() < ALONE {
        arrange(rest, below);
        arrange(rest, above);
    } else {
        rayon::join(|| arrange(rest, below), || arrange(rest, above));
    }
}

/// The middle of the nodes of a body's triangles \[m\].
fn center(position: &[Vec3], model: &Model, body: &BodyRange) -> Vec3 {
    let triangles = &model.triangles()[body.triangles.clone()];
    let nodes = triangles.iter().flatten().map(|&node| position[node as usize]);
    nodes.sum::<Vec3>() / (3 * triangles.len()) as f32
}

/// The axis along which points reach farthest.
fn widest(points: impl Iterator<Item = Vec3>) -> usize {
    let (low, high) =
        points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    (high - low).max_position()
}
