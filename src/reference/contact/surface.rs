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
    /// s, the median length of the edges of each body's triangles \[m\].
    pub spacings: Vec<f64>,
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
        triangles.iter().flatten().for_each(|&i| is_vertex[i] = true);
        let of_body = |b| {
            let own = triangles.iter().filter(|t| body[t[0]] == b);
            let sides = own.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            median(&mut sides.map(|[i, j]| rest[i].distance(rest[j])).collect::<Vec<_>>())
        };
        let spacings = (0..model.bodies().len()).map(of_body).collect();
        let edges = edges(model);
        let hinges = hinges(model, &edges);
        Self { triangles, skins, body, rest, hinges, edges, is_vertex, spacings }
    }

    /// s of the body of node `i` \[m\].
    pub fn spacing(&self, i: usize) -> f64 {
        self.spacings[self.body[i]]
    }

    /// The part that node `i` has of what lies around node `j`: less than 1 where its body is finer.
    pub fn share(&self, i: usize, j: usize) -> f64 {
        (self.spacing(i) / self.spacing(j)).min(1.0).powi(2)
    }

    /// Thickness \[m\] and friction \[1\] between the bodies of two nodes.
    pub fn between(&self, i: usize, j: usize) -> Skin {
        let [a, b] = [i, j].map(|i| self.skins[self.body[i]]);
        Skin { thickness: 0.5 * (a.thickness + b.thickness), friction: (a.friction * b.friction).sqrt() }
    }
}

/// Zero of nothing.
pub fn median(lengths: &mut [f64]) -> f64 {
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(0.0)
}
