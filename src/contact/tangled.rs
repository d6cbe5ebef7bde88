//! Nodes of features that cross or touch to begin with.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::elements::{LEAF, NONE, Surface};
use super::parted::{Triangle, are_parted};
use crate::measure::distance::{between_edges, from_edge, from_triangle, goes_through};

/// Features that are closer than this part of their coordinates touch: a gap that rounding may close, as `ROUNDING` in
/// `shaders/contact/bindings.wgsl`.
const ROUNDING: f32 = 1.9e-6;

/// Elements that a thread looks at together.
const CHUNK: usize = 256;

#[derive(Clone, Copy)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    const NONE: Self = Self { low: Vec3::MAX, high: Vec3::MIN };

    fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::NONE, |b, p| Self { low: b.low.min(p), high: b.high.max(p) })
    }

    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether they come closer than `margin`.
    fn meets(&self, other: &Self, margin: f32) -> bool {
        self.low.cmple(other.high + margin).all() && other.low.cmple(self.high + margin).all()
    }

    /// What rounding may do to a gap here \[m\].
    fn rounding(&self) -> f32 {
        let size = self.low.abs().max(self.high.abs()) + (self.high - self.low);
        ROUNDING * size.element_sum()
    }
}

/// A bit for each node, in words of 32: whether it is part of an edge and a triangle, or of two features, that share no node and
/// cross or touch at positions in the order of memory.
pub fn tangled(surface: &Surface, position: &[Vec3]) -> Vec<u32> {
    let per_copy = surface.leaves as usize * LEAF;
    let mut bits = vec![0u32; position.len().div_ceil(32)];
    for elements in surface.elements.chunks(per_copy) {
        let tree = Tree::of(elements, position);
        let chunks: Vec<usize> = (0..per_copy).step_by(CHUNK).collect();
        let found: Vec<u32> = chunks
            .par_iter()
            .flat_map_iter(|&first| {
                let last = per_copy.min(first + CHUNK);
                (first..last).flat_map(|index| tree.touching(index)).collect::<Vec<_>>()
            })
            .collect();
        found.into_iter().for_each(|node| bits[node as usize / 32] |= 1 << (node % 32));
    }
    bits
}

/// The elements of a copy and the boxes over them: node k has the children 2k and 2k + 1, the leaves are the last half.
struct Tree<'a> {
    elements: &'a [[u32; 4]],
    position: &'a [Vec3],
    /// Of each element, and of each node of the tree.
    bounds: Vec<Bounds>,
    boxes: Vec<Bounds>,
    leaves: usize,
}

impl<'a> Tree<'a> {
    fn of(elements: &'a [[u32; 4]], position: &'a [Vec3]) -> Self {
        let leaves = elements.len() / LEAF;
        let of = |e: &[u32; 4]| match e[0] {
            NONE => Bounds::NONE,
            _ => Bounds::of(e[..3].iter().map(|&node| position[node as usize])),
        };
        let bounds: Vec<Bounds> = elements.par_iter().map(of).collect();
        let mut boxes = vec![Bounds::NONE; 2 * leaves];
        for (leaf, bounds) in boxes[leaves..].iter_mut().zip(bounds.chunks(LEAF)) {
            *leaf = bounds.iter().copied().fold(Bounds::NONE, Bounds::with);
        }
        for k in (1..leaves).rev() {
            boxes[k] = boxes[2 * k].with(boxes[2 * k + 1]);
        }
        Self { elements, position, bounds, boxes, leaves }
    }

    fn triangle(&self, &[a, b, c, _]: &[u32; 4]) -> Triangle {
        Triangle { nodes: [a, b, c], at: [a, b, c].map(|node| self.position[node as usize].as_dvec3()) }
    }

    /// Nodes of what crosses or touches between an element and those behind it.
    fn touching(&self, index: usize) -> Vec<u32> {
        let own = &self.elements[index];
        let mut found = Vec::new();
        if own[0] == NONE {
            return found;
        }
        let bounds = self.bounds[index];
        let margin = bounds.rounding();
        let triangle = self.triangle(own);
        let mut node = self.leaves + index / LEAF;
        loop {
            let is_near = bounds.meets(&self.boxes[node], margin);
            if is_near && node < self.leaves {
                node *= 2;
                continue;
            }
            if is_near {
                let first = (node - self.leaves) * LEAF;
                for (number, other) in (first..).zip(&self.elements[first..first + LEAF]) {
                    let is_next = number > index && other[0] != NONE;
                    if is_next
                        && bounds.meets(&self.bounds[number], margin)
                        && !are_parted(&triangle, &self.triangle(other), margin.into())
                    {
                        self.compare(own, other, margin, &mut found);
                    }
                }
            }
            node += 1;
            node >>= node.trailing_zeros();
            if node == 1 {
                return found;
            }
        }
    }

    fn compare(&self, own: &[u32; 4], other: &[u32; 4], margin: f32, found: &mut Vec<u32>) {
        let at = |node: u32| self.position[node as usize].as_dvec3();
        let corners = |e: &[u32; 4]| [e[0], e[1], e[2]];
        let edges = |e: &[u32; 4]| [[e[0], e[1]], [e[1], e[2]], [e[2], e[0]]];
        let touches = |offset: DVec3| offset.length() <= f64::from(margin);
        let meets = |p: &[u32], q: &[u32]| {
            let of = |nodes: &[u32]| Bounds::of(nodes.iter().map(|&node| self.position[node as usize]));
            !p.iter().any(|node| q.contains(node)) && of(p).meets(&of(q), margin)
        };
        // The node, and the smallest part of a feature that it touches: a node, an edge, a triangle.
        let touched = |node: u32, feature: &[u32]| -> Option<Vec<u32>> {
            let p = at(node);
            let corners = feature.iter().map(|&q| vec![q]);
            let sides = (0..feature.len()).map(|k| vec![feature[k], feature[(k + 1) % feature.len()]]);
            let parts = corners.chain(sides).chain([feature.to_vec()]);
            let is_near = |q: &Vec<u32>| match q[..] {
                [a] => touches(p - at(a)),
                [a, b] => touches(from_edge(p, [at(a), at(b)])),
                [a, b, c] => touches(from_triangle(p, [at(a), at(b), at(c)])),
                _ => false,
            };
            parts.into_iter().find(is_near).map(|mut part| {
                part.push(node);
                part
            })
        };
        for (p, q) in [(own, other), (other, own)] {
            let triangle = corners(q);
            for node in corners(p).into_iter().filter(|&node| meets(&[node], &triangle)) {
                found.extend(touched(node, &triangle).into_iter().flatten());
            }
            for edge in edges(p).into_iter().filter(|edge| meets(edge, &triangle)) {
                if goes_through(edge.map(at), triangle.map(at)) {
                    found.extend(edge);
                    found.extend(triangle);
                }
            }
        }
        for p in edges(own) {
            for q in edges(other).into_iter().filter(|q| meets(&p, q)) {
                if touches(between_edges(p.map(at), q.map(at))) {
                    let of_p = p.into_iter().find_map(|node| touched(node, &q));
                    let ends = of_p.or_else(|| q.into_iter().find_map(|node| touched(node, &p)));
                    found.extend(ends.unwrap_or_else(|| [p, q].concat()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, ModelBuilder};
    use crate::shape::Cloth;

    /// Two sheets of 4 x 4 nodes, the second moved by `by`.
    fn pair(by: Vec3, v: Vec3) -> Model {
        let mut builder = ModelBuilder::new();
        builder.add(Cloth::new([4, 4], Vec3::X, Vec3::Z).build().unwrap());
        builder.add(Cloth::new([4, 4], Vec3::X, v).at(by).build().unwrap());
        builder.build().unwrap()
    }

    fn count(model: &Model) -> u32 {
        let surface = Surface::new(model).unwrap();
        let bits = tangled(&surface, &model.in_memory().initial_state().position);
        bits.iter().map(|word| word.count_ones()).sum()
    }

    #[test]
    fn flat_sheets_above_each_other_are_not_tangled() {
        assert_eq!(count(&pair(Vec3::new(0.1, 1e-3, 0.2), Vec3::Z)), 0);
    }

    #[test]
    fn sheets_that_cross_or_touch_are() {
        let crossing = count(&pair(Vec3::new(0.05, -0.4, 0.4), Vec3::Y));
        assert!((8..32).contains(&crossing), "{crossing}");
        assert_eq!(count(&pair(Vec3::ZERO, Vec3::Z)), 32);
        assert_eq!(count(&pair(Vec3::X, Vec3::Z)), 8, "along a seam");
    }
}
