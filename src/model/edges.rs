//! Edges of surfaces, with the triangles on both sides.

use rayon::prelude::*;

use super::Model;

/// An edge of one or two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its ends, the lower number first.
    pub ends: [u32; 2],
    /// The third corners of its triangles, the second none where it is a border.
    pub thirds: (u32, Option<u32>),
}

/// The edges of all bodies that touch anything, by their ends. Edges of three and more triangles are left out.
pub fn edges(model: &Model) -> Vec<Edge> {
    let mut sides: Vec<([u32; 2], u32)> = Vec::new();
    for body in model.bodies().iter().filter(|body| body.layer.touches) {
        for &[a, b, c] in &model.triangles()[body.triangles.clone()] {
            let of_triangle = [[a, b, c], [b, c, a], [c, a, b]];
            sides.extend(of_triangle.map(|[p, q, third]| ([p.min(q), p.max(q)], third)));
        }
    }
    sides.par_sort_unstable();
    let of_edge = |sides: &[([u32; 2], u32)]| match *sides {
        [(ends, third)] => Some(Edge { ends, thirds: (third, None) }),
        [(ends, one), (_, other)] => Some(Edge { ends, thirds: (one, Some(other)) }),
        _ => None,
    };
    sides.chunk_by(|a, b| a.0 == b.0).filter_map(of_edge).collect()
}
