//! Bending of a triangle mesh: E = B/2 sum A_i ( |x_uu|^2 + |x_vv|^2 + 2 |x_uv|^2 ) over interior
//! vertices (whose every edge has exactly two triangles). The second derivatives are those of the
//! quadratic polynomial that fits a vertex and its neighbors in the tangent plane of the rest shape,
//! by least squares; A_i is the Voronoi area (M. Meyer, M. Desbrun, P. Schroeder, A. Barr, "Discrete
//! differential-geometry operators for triangulated 2-manifolds", 2003,
//! doi:10.1007/978-3-662-05105-4_2, equation 7). They are exact for quadratic shapes, on any mesh.
//!
//! The square of the cotangent Laplacian alone (M. Bergou, M. Wardetzky, D. Harmon, D. Zorin,
//! E. Grinspun, "A quadratic bending model for inextensible surfaces", 2006,
//! doi:10.2312/SGP/SGP06/227-230) does not resist a saddle, and cloth with free edges then takes that
//! shape. A strip clamped at one end dropped up to 20 times too far.
//!
//! Border vertices have no second derivatives of their own, so their area is divided among their interior
//! neighbors: without it a narrow strip of a few triangles would be too soft. Border vertices inside a
//! clamp, where all nodes around them are pinned, keep their area.

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::fit::{hessian, mean_square};
use super::{CLAMPED, Stencils};
use crate::model::Body;

/// Least area of a vertex, as a fraction of its share of the triangles' area: Voronoi areas of badly
/// shaped triangles can vanish.
const LEAST_AREA: f64 = 0.5;
/// Number of unknowns of a fit: vertices with fewer neighbors also use the corners beyond the edges of
/// their ring.
const UNKNOWNS: usize = 5;
/// If the sum of a fit's coefficients \[1\], in units of the neighbors' mean squared distance, is larger than this,
/// the fit also uses corners beyond the ring. The sum is 4 for six neighbors at equal angles.
const LARGEST_SUM: f64 = 6.0;
/// Most neighbors of one fit: the number of pairs of a stencil is their square. Vertices with more neighbors, such as
/// the hub of a fan, have several fits, whose energies are averaged.
const MOST_NEIGHBORS: usize = 32;
/// Vertices that one task works on.
const CHUNK: usize = 4096;

/// The stencils of `body`, whose nodes have indices from `first` on; `pinned` is by node of the body.
pub(super) fn stencils(body: &Body, first: u32, pinned: &[bool]) -> Stencils {
    let corners = Corners::new(&body.triangles, body.rest_position.len());
    let nodes = 0..body.rest_position.len() as u32;
    let vertices: Vec<Vertex> = nodes.into_par_iter().map(|node| Vertex::new(body, &corners, node)).collect();
    let lent = lent_areas(&vertices, pinned);
    let chunk = |vertices: &[Vertex]| {
        let mut stencils = Stencils::default();
        for vertex in vertices.iter().filter(|vertex| vertex.is_inner) {
            let borrowed: f64 = vertex.ring.iter().map(|&node| lent[node as usize]).sum();
            let factor = if vertex.is_clamped(body, pinned) { CLAMPED } else { 1.0 };
            let stiffness = factor * f64::from(body.bending) * (vertex.area + borrowed);
            vertex.push(body, &corners, first, stiffness, &mut stencils);
        }
        stencils
    };
    let parts: Vec<Stencils> = vertices.par_chunks(CHUNK).map(chunk).collect();
    let mut all = Stencils::default();
    parts.iter().for_each(|part| all.append(part));
    all
}

/// The area [m^2] that each border vertex gives to each of its interior neighbors, all of it in total.
fn lent_areas(vertices: &[Vertex], pinned: &[bool]) -> Vec<f64> {
    let is_held = |vertex: &Vertex| {
        pinned[vertex.node as usize] && vertex.ring.iter().all(|&node| pinned[node as usize])
    };
    let lends = |vertex: &Vertex| !vertex.is_inner && !is_held(vertex);
    let each = |vertex: &Vertex| {
        let takers = vertex.ring.iter().filter(|&&node| vertices[node as usize].is_inner).count();
        if lends(vertex) { vertex.area / takers.max(1) as f64 } else { 0.0 }
    };
    vertices.iter().map(each).collect()
}

fn position(body: &Body, node: u32) -> DVec3 {
    body.rest_position[node as usize].as_dvec3()
}

/// The triangles at each vertex a, as (b, c), counter-clockwise.
struct Corners {
    starts: Vec<u32>,
    others: Vec<[u32; 2]>,
    /// From twice the index on, the same pairs as (b, c) and as (c, b), sorted by the first.
    by_side: Vec<[u32; 2]>,
}

impl Corners {
    fn new(triangles: &[[u32; 3]], count: usize) -> Self {
        let mut starts = vec![0u32; count + 1];
        triangles.iter().flatten().for_each(|&node| starts[node as usize + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut others = vec![[0; 2]; 3 * triangles.len()];
        for &[a, b, c] in triangles {
            for (node, pair) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                others[next[node as usize] as usize] = pair;
                next[node as usize] += 1;
            }
        }
        let mut by_side: Vec<[u32; 2]> = others.iter().flat_map(|&[b, c]| [[b, c], [c, b]]).collect();
        for range in starts.windows(2) {
            by_side[2 * range[0] as usize..2 * range[1] as usize].sort_by_key(|side| side[0]);
        }
        Self { starts, others, by_side }
    }

    fn of(&self, node: u32) -> &[[u32; 2]] {
        &self.others[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The corner opposite of edge bc in the triangle that is not (a, b, c).
    fn beyond(&self, a: u32, [b, c]: [u32; 2]) -> Option<u32> {
        let [begin, end] = [b, b + 1].map(|node| 2 * self.starts[node as usize] as usize);
        let sides = &self.by_side[begin..end];
        let at_c = sides[sides.partition_point(|side| side[0] < c)..].iter().take_while(|side| side[0] == c);
        at_c.map(|side| side[1]).find(|&d| d != a)
    }
}

/// A vertex and its surroundings.
struct Vertex {
    node: u32,
    /// Whether every edge has two triangles.
    is_inner: bool,
    /// A_i [m^2].
    area: f64,
    /// The vertices that it shares edges with, in ascending order.
    ring: Vec<u32>,
}

impl Vertex {
    fn new(body: &Body, corners: &Corners, node: u32) -> Self {
        let (mut voronoi, mut share) = (0.0, 0.0);
        let mut sides: Vec<u32> = corners.of(node).iter().flatten().copied().collect();
        for &[b, c] in corners.of(node) {
            let [a, b, c] = [node, b, c].map(|n| position(body, n));
            let (to_b, to_c) = (b - a, c - a);
            let double_area = to_b.cross(to_c).length();
            let cotangent = |p: DVec3, q: DVec3| p.dot(q) / double_area;
            // The angle at c lies opposite of edge ab, the one at b opposite of ac.
            let (at_b, at_c) = (cotangent(-to_b, c - b), cotangent(-to_c, b - c));
            voronoi += (to_b.length_squared() * at_c + to_c.length_squared() * at_b) / 8.0;
            share += double_area / 6.0;
        }
        sides.sort_unstable();
        let is_inner = !sides.is_empty() && sides.chunk_by(|a, b| a == b).all(|edge| edge.len() == 2);
        sides.dedup();
        Self { node, is_inner, area: voronoi.max(LEAST_AREA * share), ring: sides }
    }

    /// Whether it lies on the inner edge of a clamp: it is pinned, a vertex beside it is pinned, and all free
    /// neighbors are on one side. (Along a line of pins between two free sides the cloth may bend.)
    fn is_clamped(&self, body: &Body, pinned: &[bool]) -> bool {
        let is_pinned = |node: u32| pinned[node as usize];
        if !is_pinned(self.node) || !self.ring.iter().any(|&node| is_pinned(node)) {
            return false;
        }
        let (mut sum, mut size) = (DVec3::ZERO, 0.0);
        for &node in self.ring.iter().filter(|&&node| !is_pinned(node)) {
            let side = position(body, node) - position(body, self.node);
            sum += side;
            size += side.length();
        }
        sum.length() > 0.5 * size
    }

    /// Appends the stencils of x_uu, x_uv and x_vv; `stiffness` is B times the area they stand for
    /// [N m^3].
    fn push(&self, body: &Body, corners: &Corners, first: u32, stiffness: f64, stencils: &mut Stencils) {
        let plane = Plane::at(body, corners, self.node);
        if self.ring.len() > MOST_NEIGHBORS {
            return self.push_parts(body, &plane, first, stiffness, stencils);
        }
        let mut around = self.ring.clone();
        let mut points = plane.points(body, &around);
        let mut rows = hessian(&points);
        let sum = |row: &Vec<f64>| row.iter().map(|c| c.abs()).sum::<f64>() * mean_square(&points);
        if points.len() < UNKNOWNS || rows.iter().any(|row| sum(row) > LARGEST_SUM) {
            around.extend(corners.of(self.node).iter().filter_map(|&edge| corners.beyond(self.node, edge)));
            around.sort_unstable();
            around.dedup();
            points = plane.points(body, &around);
            rows = hessian(&points);
        }
        self.push_rows(first, stiffness, &around, &rows, stencils);
    }

    /// For many neighbors: splits them into n parts, as few as possible, each with every n-th neighbor by angle.
    fn push_parts(&self, body: &Body, plane: &Plane, first: u32, stiffness: f64, stencils: &mut Stencils) {
        let points = plane.points(body, &self.ring);
        let angle = |i: &usize| points[*i].y.atan2(points[*i].x);
        let mut turn: Vec<usize> = (0..points.len()).collect();
        turn.sort_by(|i, j| angle(i).total_cmp(&angle(j)));
        let count = points.len().div_ceil(MOST_NEIGHBORS);
        for part in 0..count {
            let of_part: Vec<usize> = turn.iter().copied().skip(part).step_by(count).collect();
            let around: Vec<u32> = of_part.iter().map(|&i| self.ring[i]).collect();
            let rows = hessian(&of_part.iter().map(|&i| points[i]).collect::<Vec<_>>());
            self.push_rows(first, stiffness / count as f64, &around, &rows, stencils);
        }
    }

    /// Appends stencils that have the coefficients `rows` [1/m^2] on the nodes `around`.
    fn push_rows(
        &self,
        first: u32,
        stiffness: f64,
        around: &[u32],
        rows: &[Vec<f64>; 3],
        stencils: &mut Stencils,
    ) {
        let nodes: Vec<u32> =
            std::iter::once(self.node).chain(around.iter().copied()).map(|n| first + n).collect();
        for (row, factor) in rows.iter().zip([1.0, 2.0, 1.0]) {
            let root = f64::sqrt(factor * stiffness);
            let sum: f64 = row.iter().sum();
            let coefficients: Vec<f64> =
                std::iter::once(-sum).chain(row.iter().copied()).map(|c| root * c).collect();
            stencils.push(&nodes, &coefficients);
        }
    }
}

/// The tangent plane of a vertex.
struct Plane {
    center: DVec3,
    u: DVec3,
    v: DVec3,
}

impl Plane {
    fn at(body: &Body, corners: &Corners, node: u32) -> Self {
        let center = position(body, node);
        let double_area = |&[b, c]: &[u32; 2]| (position(body, b) - center).cross(position(body, c) - center);
        let normal = corners.of(node).iter().map(double_area).sum::<DVec3>().normalize_or_zero();
        let u = normal.any_orthogonal_vector().normalize_or_zero();
        Self { center, u, v: normal.cross(u) }
    }

    /// Nodes projected into the plane with their distances from the vertex.
    fn points(&self, body: &Body, nodes: &[u32]) -> Vec<DVec2> {
        let flatten = |&node: &u32| {
            let side = position(body, node) - self.center;
            DVec2::new(side.dot(self.u), side.dot(self.v)).normalize_or_zero() * side.length()
        };
        nodes.iter().map(flatten).collect()
    }
}
