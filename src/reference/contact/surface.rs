//! The triangles that can touch.

use glam::DVec3;

use crate::model::{Edge, Hinge, Model, edges, hinges};

/// The outside of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skin {
    /// Thickness \[m\]: two bodies repel each other below the mean of theirs.
    pub thickness: f64,
    /// Coulomb's coefficient \[1\]: between two bodies it is the geometric mean of theirs.
    pub friction: f64,
}

/// Triangles of all bodies, and what decides which of them can touch.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Corners of each triangle.
    pub triangles: Vec<[usize; 3]>,
    /// The skin of each body.
    pub skins: Vec<Skin>,
    /// The body of each node.
    pub body: Vec<usize>,
    /// Rest position of each node \[m\].
    pub rest: Vec<DVec3>,
    /// Pairs of triangles with a common edge.
    pub hinges: Vec<Hinge>,
    /// Edges of one or two triangles.
    pub edges: Vec<Edge>,
    /// Whether each node is a corner of a triangle.
    pub is_vertex: Vec<bool>,
    /// s, the median length of edges \[m\].
    pub spacing: f64,
}

impl Surface {
    /// That of a model whose bodies have these skins.
    pub fn of(model: &Model, skins: Vec<Skin>) -> Self {
        let rest: Vec<DVec3> = model.rest_position().iter().map(|x| x.as_dvec3()).collect();
        let triangles: Vec<[usize; 3]> = model.triangles().iter().map(|t| t.map(|i| i as usize)).collect();
        let mut body = vec![0; rest.len()];
        for (b, range) in model.bodies().iter().enumerate() {
            range.nodes.clone().for_each(|i| body[i as usize] = b);
        }
        let mut is_vertex = vec![false; rest.len()];
        let mut sides = Vec::new();
        for &[a, b, c] in &triangles {
            for (i, j) in [(a, b), (b, c), (c, a)] {
                is_vertex[i] = true;
                sides.push([i.min(j), i.max(j)]);
            }
        }
        sides.sort_unstable();
        sides.dedup();
        let mut lengths: Vec<f64> = sides.iter().map(|&[i, j]| rest[i].distance(rest[j])).collect();
        lengths.sort_by(f64::total_cmp);
        let spacing = lengths.get(lengths.len() / 2).copied().unwrap_or(0.0);
        let edges = edges(model);
        let hinges = hinges(model, &edges);
        Self { triangles, skins, body, rest, hinges, edges, is_vertex, spacing }
    }

    /// Thickness \[m\] and friction \[1\] between the bodies of two nodes.
    pub fn between(&self, i: usize, j: usize) -> Skin {
        let [a, b] = [i, j].map(|i| self.skins[self.body[i]]);
        Skin { thickness: 0.5 * (a.thickness + b.thickness), friction: (a.friction * b.friction).sqrt() }
    }
}
