//! The triangles of a surface in the order of the tree's leaves, and which of them owns which node and edge.

use std::collections::HashSet;

use glam::Vec3;

use crate::model::{BodyRange, Model, curve_along};

/// Triangles of a leaf, as `LEAF` in `shaders/contact/bindings.wgsl`.
pub const LEAF: usize = 4;

/// No node, in the fourth of a leaf that is not full.
pub const NONE: u32 = u32::MAX;

/// The triangles of a model, copy by copy, each copy filled up to a power of two of leaves.
pub struct Surface {
    /// Nodes of each triangle, and bits of what it owns: its nodes (0 to 2), the edges behind them (3 to 5).
    pub elements: Vec<[u32; 4]>,
    /// Leaves of the tree of a copy.
    pub leaves: u32,
}

impl Surface {
    /// The surface of all bodies of `model` that touch; `None` if there are no triangles.
    ///
    /// Triangles are sorted along a curve through the shape at rest, body by body, so that a leaf, and a node of the tree, is a
    /// patch of one body.
    pub fn new(model: &Model) -> Option<Self> {
        let copies = model.copies() as usize;
        let bodies = |copy: usize| {
            let is_in = move |body: &&BodyRange| {
                body.layer.touches && body.nodes.start as usize / model.nodes_per_copy() == copy
            };
            model.bodies().iter().filter(is_in)
        };
        // Copies may differ.
        let most = (0..copies).map(|copy| bodies(copy).map(|body| body.triangles.len()).sum()).max();
        let leaves = most.filter(|most: &usize| *most > 0)?.div_ceil(LEAF).next_power_of_two();
        let mut elements = Vec::with_capacity(copies * leaves * LEAF);
        for copy in 0..copies {
            let first = elements.len();
            let mut owned = Owned::default();
            for body in bodies(copy) {
                let triangles = &model.triangles()[body.triangles.clone()];
                for index in in_order(model, triangles) {
                    elements.push(owned.by(triangles[index as usize]));
                }
            }
            elements.resize(first + leaves * LEAF, [NONE, NONE, NONE, 0]);
        }
        Some(Self { elements, leaves: leaves as u32 })
    }
}

/// Indices of triangles along a curve through their centers at rest.
fn in_order(model: &Model, triangles: &[[u32; 3]]) -> Vec<u32> {
    let rest = model.rest_position();
    let center = |t: &[u32; 3]| t.iter().map(|&i| rest[i as usize] / 3.0).sum::<Vec3>();
    curve_along(&triangles.iter().map(center).collect::<Vec<_>>())
}

/// What triangles own so far.
#[derive(Default)]
struct Owned {
    nodes: HashSet<u32>,
    edges: HashSet<[u32; 2]>,
}

impl Owned {
    /// The triangle with the bits of its nodes and edges that no triangle before it has.
    fn by(&mut self, triangle: [u32; 3]) -> [u32; 4] {
        let mut bits = 0;
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            bits |= u32::from(self.nodes.insert(a)) << k;
            bits |= u32::from(self.edges.insert([a.min(b), a.max(b)])) << (3 + k);
        }
        [triangle[0], triangle[1], triangle[2], bits]
    }
}

/// One bit for each node: whether the triangles around it are one closed ring, all turned the same way.
pub fn rings(model: &Model) -> Vec<u32> {
    let mut corners = vec![Vec::new(); model.node_count()];
    for &[a, b, c] in model.triangles() {
        for (node, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            corners[node as usize].push(others);
        }
    }
    let mut bits = vec![0u32; model.node_count().div_ceil(32)];
    for (node, corners) in corners.iter().enumerate().filter(|(_, corners)| is_ring(corners)) {
        bits[node / 32] |= u32::from(!corners.is_empty()) << (node % 32);
    }
    bits
}

/// Whether edges, each from one node to another, are one closed ring.
fn is_ring(edges: &[[u32; 2]]) -> bool {
    let Some(&[first, mut at]) = edges.first() else { return false };
    for _ in 1..edges.len() {
        let mut next = edges.iter().filter(|edge| edge[0] == at);
        match (next.next(), next.next()) {
            (Some(edge), None) if at != first => at = edge[1],
            _ => return false,
        }
    }
    at == first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Cloth, ClothMaterial, RawSprings};

    fn sheet(columns: u32, rows: u32) -> Model {
        let raw = RawSprings { structural: 1.0, shear: 0.5, flexion: 0.1, node_mass: 1e-3, dashpot: 0.0 };
        let material = ClothMaterial::Raw(raw);
        let [corner, u, v] = [Vec3::ZERO, Vec3::X, Vec3::Z];
        Model::of(Cloth { corner, u, v, columns, rows, material }.build().unwrap()).unwrap()
    }

    #[test]
    fn every_node_and_every_edge_has_one_owner() {
        let model = sheet(7, 5);
        let surface = Surface::new(&model).unwrap();
        let bits = |mask: u32| -> u32 { surface.elements.iter().map(|e| (e[3] & mask).count_ones()).sum() };
        assert_eq!(bits(0b111), 35);
        // Along rows, along columns, and one diagonal of each cell.
        assert_eq!(bits(0b111_000), 6 * 5 + 7 * 4 + 24);
        let triangles = surface.elements.iter().filter(|e| e[0] != NONE).count();
        assert_eq!((triangles, surface.leaves, surface.elements.len()), (48, 16, 64));
    }

    #[test]
    fn rings_are_inside() {
        assert!(is_ring(&[[1, 2], [3, 1], [2, 3]]));
        assert!(!is_ring(&[[1, 2], [2, 3]]), "open");
        assert!(!is_ring(&[[1, 2], [2, 3], [1, 3]]), "turned both ways");
        assert!(!is_ring(&[[1, 2], [2, 3], [3, 1], [4, 5], [5, 6], [6, 4]]), "two of them");
        let inside: u32 = rings(&sheet(7, 5)).iter().map(|bits| bits.count_ones()).sum();
        assert_eq!(inside, 5 * 3);
    }

    #[test]
    fn triangles_of_a_leaf_are_neighbors() {
        let model = sheet(33, 33);
        let surface = Surface::new(&model).unwrap();
        let spacing = 1.0 / 32.0;
        for leaf in surface.elements.chunks(LEAF) {
            let nodes = leaf.iter().filter(|e| e[0] != NONE).flat_map(|e| &e[..3]);
            let at: Vec<Vec3> = nodes.map(|&i| model.rest_position()[i as usize]).collect();
            assert!(crate::model::extent(&at).max_element() < 4.5 * spacing);
        }
    }
}
