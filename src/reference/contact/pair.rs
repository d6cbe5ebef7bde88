//! A vertex against a triangle, or two edges.
//!
//! ```text
//! face: n = side * normal(z), d = n . (z_v - z_a), b = weights of the projection, in [-1/2, 3/2]
//! else: p = closest point of the triangle, d = |z_v - p|, n = (z_v - p) / d, b = weights of p
//! w = (1, -b_1, -b_2, -b_3)
//!
//! edges vw and pq: n = side * normal of both, d = n . (z_v - z_p), v + s (w - v) and p + t (q - p) where the lines are nearest
//! w = (1 - s, -(1 - t), -t, s), s in [-1/2, 3/4], t in [-1/2, 3/2]; none where the sine of their angle is below .1
//! ```
//!
//! so that d changes with the four nodes by w_i n.

use glam::DVec3;

use super::edges::Lines;
use super::search::{Kind, Slot};

/// Weights of a face contact stay within these.
const WEIGHTS: [f64; 2] = [-0.5, 1.5];
/// s of the edge that has the pair stays within these.
const OWN_PARTS: [f64; 2] = [-0.5, 0.75];
/// Edges whose angle has a smaller sine do not touch.
const PARALLEL: f64 = 0.1;

/// A pair at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Vertex and corners.
    pub nodes: [usize; 4],
    /// w \[1\]; sums to zero.
    pub weights: [f64; 4],
    /// Unit vector from the triangle to the vertex.
    pub normal: DVec3,
    /// d \[m\].
    pub distance: f64,
}

impl Touch {
    /// sum w_i x_i: from the point of the triangle to the vertex.
    pub fn of(&self, x: &[DVec3]) -> DVec3 {
        self.nodes.iter().zip(self.weights).map(|(&i, w)| w * x[i]).sum()
    }

    /// A pair at `z` \[m\]. Without a direction n is zero.
    pub fn at(z: &[DVec3], slot: &Slot) -> Self {
        let Slot { vertex: v, corners: [a, b, c], side, .. } = *slot;
        let (nodes, corners) = ([v, a, b, c], [z[a], z[b], z[c]]);
        if slot.kind == Kind::Edges {
            return Self::of_edges(nodes, nodes.map(|i| z[i]), side);
        }
        let touch = |[p, q, r]: [f64; 3], normal, distance| Self {
            nodes,
            weights: [1.0, -p, -q, -r],
            normal,
            distance,
        };
        if side == 0.0 {
            let weights @ [p, q, r] = match slot.kind {
                Kind::Hinge(weights) => weights,
                _ => closest(z[v], corners),
            };
            let away = z[v] - (p * corners[0] + q * corners[1] + r * corners[2]);
            return touch(weights, away.normalize_or_zero(), away.length());
        }
        let normal = side * (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        let weights = projected(z[v], corners).map(|w| w.clamp(WEIGHTS[0], WEIGHTS[1]));
        let sum: f64 = weights.iter().sum();
        touch(weights.map(|w| w / sum), normal, normal.dot(z[v] - corners[0]))
    }

    /// Of the edges vw and pq.
    fn of_edges(nodes: [usize; 4], [v, p, q, w]: [DVec3; 4], side: f64) -> Self {
        let lines = Lines::between([v, w], [p, q]);
        if lines.sine <= PARALLEL {
            return Self {
                nodes,
                weights: [0.5, -0.25, -0.25, 0.0],
                normal: DVec3::ZERO,
                distance: f64::INFINITY,
            };
        }
        let normal = side * (w - v).cross(q - p).normalize();
        let s = lines.parts[0].clamp(OWN_PARTS[0], OWN_PARTS[1]);
        let t = lines.parts[1].clamp(WEIGHTS[0], WEIGHTS[1]);
        Self { nodes, weights: [1.0 - s, t - 1.0, -t, s], normal, distance: normal.dot(v - p) }
    }
}

/// Weights of the projection of `x` on the plane of a triangle.
pub fn projected(x: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    if area == 0.0 {
        return [1.0 / 3.0; 3];
    }
    let part = |p: DVec3, q: DVec3| (q - p).cross(x - p).dot(normal) / area;
    let (second, third) = (part(c, a), part(a, b));
    [1.0 - second - third, second, third]
}

/// Weights of the closest point of a triangle: C. Ericson, "Real-Time Collision Detection", 2005, 5.1.5.
pub fn closest(x: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (ab, ac, ax) = (b - a, c - a, x - a);
    let (d1, d2) = (ab.dot(ax), ac.dot(ax));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bx = x - b;
    let (d3, d4) = (ab.dot(bx), ac.dot(bx));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cx = x - c;
    let (d5, d6) = (ab.dot(cx), ac.dot(cx));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}
