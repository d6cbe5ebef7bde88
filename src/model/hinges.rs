//! Pairs of triangles with a common edge.

use glam::DVec3;
use rayon::prelude::*;

use super::{Edge, Model};

/// Two triangles with a common edge: the corner of one, and the other one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// v, the corner of the first.
    pub vertex: u32,
    /// p, q, b: the edge, and the corner of the second.
    pub other: [u32; 3],
}

/// The hinges of all bodies that touch anything, by vertex. Of the two corners v is that which is nearer to the edge at rest: of
/// both the one with the lower number where rounding decides.
pub fn hinges(model: &Model, edges: &[Edge]) -> Vec<Hinge> {
    let at = |i: u32| model.rest_position()[i as usize].as_dvec3();
    let mut found = Vec::new();
    for &Edge { ends: [p, q], thirds: (one, other) } in edges {
        let Some(other) = other else { continue };
        let [near, far] = [height(at(one), at(p), at(q)), height(at(other), at(p), at(q))];
        let is_usable = near.min(far) > 0.0 && one != other;
        let is_first = if (near - far).abs() < 1e-5 * near.max(far) { one < other } else { near < far };
        let (vertex, b) = if is_first { (one, other) } else { (other, one) };
        if is_usable {
            found.push(Hinge { vertex, other: [p, q, b] });
        }
    }
    found.par_sort_unstable_by_key(|hinge| (hinge.vertex, hinge.other));
    found
}

fn height(x: DVec3, p: DVec3, q: DVec3) -> f64 {
    let edge = (q - p).normalize_or_zero();
    (x - p).reject_from(edge).length()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::edges;
    use crate::shape::Cloth;

    #[test]
    fn every_inner_edge_is_a_hinge() {
        let model = Model::of(Cloth::new([4, 3], Vec3::X, Vec3::Z).build().unwrap()).unwrap();
        let hinges = hinges(&model, &edges(&model));
        // Along rows, along columns, and one diagonal of each cell.
        assert_eq!(hinges.len(), 3 + 4 + 6);
        for Hinge { vertex, other: [p, q, b] } in hinges {
            let has = |i: u32| model.triangles().iter().any(|t| [p, q, i].iter().all(|n| t.contains(n)));
            assert!(has(vertex) && has(b), "{vertex} {p} {q} {b}");
        }
    }
}
