//! Bending of a triangle mesh: E = B/2 sum |sum_j c_ij (x_j - x_i)|^2 / A_i over interior vertices,
//! with the cotangent weights c_ij of the rest shape and the Voronoi area A_i (M. Meyer, M. Desbrun,
//! P. Schroeder, A. Barr, "Discrete differential-geometry operators for triangulated 2-manifolds",
//! 2003, doi:10.1007/978-3-662-05105-4_2, equations 5 and 7; M. Wardetzky, M. Bergou, D. Harmon,
//! D. Zorin, E. Grinspun, "Discrete quadratic curvature energies", 2007,
//! doi:10.1016/j.cagd.2007.07.006).
//!
//! Interior is a vertex whose every edge has exactly two triangles. Limit: this is the square of the
//! sum of the two principal curvatures; a saddle whose two cancel costs nothing but the stretch that
//! it needs.

use glam::DVec3;
use rayon::prelude::*;

use super::{CLAMPED, Stencils};
use crate::model::Body;

/// The part of its share of the triangles' area that a vertex has at least: Voronoi areas of badly
/// shaped triangles can vanish.
const LEAST_AREA: f64 = 0.5;
/// Nodes that one task works on.
const CHUNK: usize = 4096;

/// The stencils of `body`, whose nodes get the indices from `first` on; `pinned` by node of the body.
pub(super) fn stencils(body: &Body, first: u32, pinned: &[bool]) -> Stencils {
    let mut corners: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * body.triangles.len());
    for &[a, b, c] in &body.triangles {
        corners.extend([(a, b, c), (b, c, a), (c, a, b)]);
    }
    corners.par_sort_unstable_by_key(|corner| corner.0);
    let nodes: Vec<&[(u32, u32, u32)]> = corners.chunk_by(|a, b| a.0 == b.0).collect();
    let chunk = |nodes: &[&[(u32, u32, u32)]]| {
        let mut stencils = Stencils::default();
        for corners in nodes {
            if let Some(vertex) = Vertex::new(body, corners) {
                vertex.push(body, first, pinned, &mut stencils);
            }
        }
        stencils
    };
    let parts: Vec<Stencils> = nodes.par_chunks(CHUNK).map(chunk).collect();
    let mut all = Stencils::default();
    parts.iter().for_each(|part| all.append(part));
    all
}

fn position(body: &Body, node: u32) -> DVec3 {
    body.rest_position[node as usize].as_dvec3()
}

/// An interior vertex.
struct Vertex {
    node: u32,
    /// A_i [m^2].
    area: f64,
    /// The vertices around it and their weights c_ij \[1\].
    ring: Vec<(u32, f64)>,
}

impl Vertex {
    /// From all corners (i, b, c) at one vertex i; `None` on a border.
    fn new(body: &Body, corners: &[(u32, u32, u32)]) -> Option<Self> {
        let (mut voronoi, mut share) = (0.0, 0.0);
        let mut sides = Vec::with_capacity(2 * corners.len());
        for &(a, b, c) in corners {
            let [a, pb, pc] = [a, b, c].map(|n| position(body, n));
            let (to_b, to_c) = (pb - a, pc - a);
            let double_area = to_b.cross(to_c).length();
            let cotangent = |p: DVec3, q: DVec3| p.dot(q) / double_area;
            // The angle at c lies opposite of edge ab, the one at b opposite of ac.
            let (at_b, at_c) = (cotangent(-to_b, pc - pb), cotangent(-to_c, pb - pc));
            sides.push((b, 0.5 * at_c));
            sides.push((c, 0.5 * at_b));
            voronoi += (to_b.length_squared() * at_c + to_c.length_squared() * at_b) / 8.0;
            share += double_area / 6.0;
        }
        sides.sort_by_key(|side| side.0);
        let mut ring = Vec::with_capacity(corners.len());
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            let &[one, other] = edge else { return None };
            ring.push((one.0, one.1 + other.1));
        }
        Some(Self { node: corners[0].0, area: voronoi.max(LEAST_AREA * share), ring })
    }

    /// Whether it lies on the inner edge of a clamp: it is pinned, so is a vertex beside it, and the
    /// free ones lie to one side. (On a line of pins between two free sides the cloth may bend.)
    fn is_clamped(&self, body: &Body, pinned: &[bool]) -> bool {
        let is_pinned = |node: u32| pinned[node as usize];
        if !is_pinned(self.node) || !self.ring.iter().any(|side| is_pinned(side.0)) {
            return false;
        }
        let (mut sum, mut size) = (DVec3::ZERO, 0.0);
        for &(j, c) in self.ring.iter().filter(|side| !is_pinned(side.0)) {
            let pull = c * (position(body, j) - position(body, self.node));
            sum += pull;
            size += pull.length();
        }
        sum.length() > 0.5 * size
    }

    fn push(&self, body: &Body, first: u32, pinned: &[bool], stencils: &mut Stencils) {
        let factor = if self.is_clamped(body, pinned) { CLAMPED } else { 1.0 };
        let root = f64::sqrt(factor * f64::from(body.bending) / self.area);
        let sum: f64 = self.ring.iter().map(|side| side.1).sum();
        let nodes = std::iter::once(self.node).chain(self.ring.iter().map(|side| side.0));
        let coefficients = std::iter::once(-sum).chain(self.ring.iter().map(|side| side.1));
        stencils.push(
            &nodes.map(|n| first + n).collect::<Vec<_>>(),
            &coefficients.map(|c| root * c).collect::<Vec<_>>(),
        );
    }
}
