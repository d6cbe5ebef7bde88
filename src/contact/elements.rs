//! The triangles of a surface in the order of the tree's leaves, and which of them owns which node and edge.

use std::collections::HashSet;

use glam::Vec3;

use super::tree;
use crate::model::{BodyRange, Model};

/// Triangles of a leaf, as `LEAF` in `shaders/contact/bindings.wgsl`.
pub const LEAF: usize = 4;

/// Most nodes of a leaf, and words that tell of them, as `LEAF_NODES` and `LEAF_WORDS` in `shaders/contact/leaf_nodes.wgsl`.
const LEAF_NODES: usize = 3 * LEAF;
const LEAF_WORDS: usize = LEAF_NODES + 4;

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
    /// Neighbors at rest are in one leaf, and in one subtree: `tree.rs`.
    pub fn new(model: &Model) -> Option<Self> {
        let copies = model.copies() as usize;
        let leaves = leaves(model)?;
        let mut elements = Vec::with_capacity(copies * leaves * LEAF);
        for copy in 0..copies {
            let mut owned = Owned::default();
            let of_bodies = touching(model, copy).map(|body| centers(model, body)).collect();
            for leaf in tree::leaves(of_bodies, leaves) {
                let first = elements.len();
                elements.extend(leaf.into_iter().map(|t| owned.by(model.triangles()[t as usize])));
                elements.resize(first + LEAF, [NONE, NONE, NONE, 0]);
            }
        }
        Some(Self { elements, leaves: leaves as u32 })
    }

    /// The nodes of each leaf, once: `leaf_nodes` in `shaders/contact/leaf_nodes.wgsl`.
    pub fn leaf_nodes(&self) -> Vec<u32> {
        self.elements.chunks(LEAF).flat_map(leaf_words).collect()
    }
}

/// The nodes of a leaf, in bytes behind them the corners that each is, and how many nodes and triangles there are.
fn leaf_words(leaf: &[[u32; 4]]) -> [u32; LEAF_WORDS] {
    let mut words = [0; LEAF_WORDS];
    let (mut nodes, mut triangles) = (0, 0);
    for (t, element) in leaf.iter().enumerate() {
        for (corner, node) in corners(element).into_iter().flatten().enumerate() {
            let n = words[..nodes].iter().position(|other| *other == node).unwrap_or(nodes);
            words[n] = node;
            nodes = nodes.max(n + 1);
            words[LEAF_NODES + n / 4] |= (corner as u32 + 1) << (8 * (n % 4) + 2 * t);
            triangles = t as u32 + 1;
        }
    }
    // Those that are not there repeat the first one, so that the kernel need not know.
    for n in 0..nodes {
        let corner = words[LEAF_NODES + n / 4] >> (8 * (n % 4)) & 3;
        (triangles as usize..LEAF).for_each(|t| words[LEAF_NODES + n / 4] |= corner << (8 * (n % 4) + 2 * t));
    }
    words[LEAF_WORDS - 1] = nodes as u32 | triangles << 8;
    words
}

/// Leaves of the tree of a copy, two at least; `None` if there are no triangles.
pub fn leaves(model: &Model) -> Option<usize> {
    let of_copy = |copy| touching(model, copy).map(|body| tree::leaf_count(body.triangles.len())).sum();
    // Copies may differ.
    let most = (0..model.copies() as usize).map(of_copy).max();
    most.filter(|most: &usize| *most > 0).map(|most| most.next_power_of_two().max(2))
}

/// The bodies of a copy that touch.
fn touching(model: &Model, copy: usize) -> impl Iterator<Item = &BodyRange> {
    let is_in = move |body: &&BodyRange| {
        body.layer.touches && body.nodes.start as usize / model.nodes_per_copy() == copy
    };
    model.bodies().iter().filter(is_in)
}

/// A body's triangles, with the centers of their boxes at rest \[m\]: those of the two triangles of a square are the same, which keeps
/// them together.
fn centers(model: &Model, body: &BodyRange) -> Vec<(u32, Vec3)> {
    let center = |t: usize| {
        let [a, b, c] = model.triangles()[t].map(|i| model.rest_position()[i as usize]);
        0.5 * (a.min(b).min(c) + a.max(b).max(c))
    };
    body.triangles.clone().map(|t| (t as u32, center(t))).collect()
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

/// Corners of a triangle; `None` in a leaf that is not full.
pub fn corners(&[a, b, c, _]: &[u32; 4]) -> Option<[u32; 3]> {
    (a != NONE).then_some([a, b, c])
}

/// Of each node the edges of its triangles that it is no end of, turned as the triangles are.
pub fn around(model: &Model) -> Vec<Vec<[u32; 2]>> {
    let mut edges = vec![Vec::new(); model.node_count()];
    for &[a, b, c] in model.triangles() {
        for (node, opposite) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            edges[node as usize].push(opposite);
        }
    }
    edges
}

/// One bit for each node: whether the triangles around it are one closed ring, all turned the same way.
pub fn rings(model: &Model) -> Vec<u32> {
    let mut bits = vec![0u32; model.node_count().div_ceil(32)];
    for (node, edges) in around(model).iter().enumerate() {
        bits[node / 32] |= u32::from(turn(edges) == Some(true)) << (node % 32);
    }
    bits
}

/// Whether edges, each from one node to another, are one closed ring, or one open chain; `None` if they are neither.
pub fn turn(edges: &[[u32; 2]]) -> Option<bool> {
    let is_start = |edge: &&[u32; 2]| edges.iter().all(|other| other[1] != edge[0]);
    let &[first, mut at] = edges.iter().find(is_start).or(edges.first())?;
    for _ in 1..edges.len() {
        let mut next = edges.iter().filter(|edge| edge[0] == at);
        match (next.next(), next.next()) {
            (Some(edge), None) if at != first => at = edge[1],
            _ => return None,
        }
    }
    let meets = |node: u32| edges.iter().filter(|edge| edge[1] == node).count();
    edges.iter().all(|edge| meets(edge[1]) == 1).then_some(at == first)
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
    fn a_leaf_has_each_of_its_nodes_once() {
        let surface = Surface::new(&sheet(7, 5)).unwrap();
        let all = surface.leaf_nodes();
        for (leaf, words) in surface.elements.chunks(LEAF).zip(all.chunks(LEAF_WORDS)) {
            let (nodes, triangles) = (words[LEAF_WORDS - 1] & 0xff, words[LEAF_WORDS - 1] >> 8);
            let mut found = [[NONE; 3]; LEAF];
            for n in 0..nodes as usize {
                let corners = words[LEAF_NODES + n / 4] >> (8 * (n % 4));
                for (t, found) in found.iter_mut().enumerate() {
                    match (corners >> (2 * t)) & 3 {
                        0 => {}
                        corner => found[corner as usize - 1] = words[n],
                    }
                }
            }
            let own: Vec<[u32; 3]> = leaf.iter().filter_map(corners).collect();
            assert_eq!(found[..triangles as usize], own);
            let once: HashSet<u32> = own.into_iter().flatten().collect();
            assert_eq!(nodes as usize, once.len());
        }
    }

    #[test]
    fn rings_are_inside() {
        assert_eq!(turn(&[[1, 2], [3, 1], [2, 3]]), Some(true));
        assert_eq!(turn(&[[2, 3], [1, 2]]), Some(false), "open");
        assert_eq!(turn(&[[1, 2], [2, 3], [1, 3]]), None, "turned both ways");
        assert_eq!(turn(&[[1, 2], [2, 3], [3, 1], [4, 5], [5, 6], [6, 4]]), None, "two of them");
        assert_eq!(turn(&[[1, 2], [3, 4]]), None, "two open ones");
        assert_eq!(turn(&[]), None);
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
