//! Nodes of features that cross or touch to begin with.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::elements::{LEAF, NONE, Surface};
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
    boxes: Vec<Bounds>,
    leaves: usize,
}

impl<'a> Tree<'a> {
    fn of(elements: &'a [[u32; 4]], position: &'a [Vec3]) -> Self {
        let leaves = elements.len() / LEAF;
        let mut tree = Self { elements, position, boxes: vec![Bounds::NONE; 2 * leaves], leaves };
        for (leaf, elements) in elements.chunks(LEAF).enumerate() {
            let all = elements.iter().filter(|e| e[0] != NONE).map(|e| tree.bounds(e));
            tree.boxes[leaves + leaf] = all.fold(Bounds::NONE, Bounds::with);
        }
        for k in (1..leaves).rev() {
            tree.boxes[k] = tree.boxes[2 * k].with(tree.boxes[2 * k + 1]);
        }
        tree
    }

    fn bounds(&self, element: &[u32; 4]) -> Bounds {
        Bounds::of(element[..3].iter().map(|&node| self.position[node as usize]))
    }

    /// Nodes of what crosses or touches between an element and those behind it.
    fn touching(&self, index: usize) -> Vec<u32> {
        let own = &self.elements[index];
        let mut found = Vec::new();
        if own[0] == NONE {
            return found;
        }
        let triangle = Triangle::of(own, self.position);
        let bounds = triangle.bounds;
        let margin = bounds.rounding();
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
                    if is_next && bounds.meets(&self.bounds(other), margin) {
                        self.compare(&triangle, &Triangle::of(other, self.position), margin, &mut found);
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

    /// Adds the nodes of what crosses or touches between two elements.
    fn compare(&self, own: &Triangle, other: &Triangle, margin: f32, found: &mut Vec<u32>) {
        for (p, q) in [(own, other), (other, own)] {
            for corner in p.corners.into_iter().filter(|corner| !q.has(corner)) {
                if Bounds::of([self.position[corner.0 as usize]]).meets(&q.bounds, margin) {
                    found.extend(touched(corner, &q.corners, margin).into_iter().flatten());
                }
            }
            for (edge, bounds) in p.edges.iter().filter(|(edge, _)| !edge.iter().any(|corner| q.has(corner)))
            {
                if bounds.meets(&q.bounds, margin) && goes_through(edge.map(|c| c.1), q.corners.map(|c| c.1))
                {
                    found.extend(edge.iter().chain(&q.corners).map(|corner| corner.0));
                }
            }
        }
        for (p, of_p) in &own.edges {
            for (q, of_q) in &other.edges {
                let is_joined = p.iter().any(|corner| q.iter().any(|other| other.0 == corner.0));
                if is_joined || !of_p.meets(of_q, margin) {
                    continue;
                }
                if touches(between_edges(p.map(|c| c.1), q.map(|c| c.1)), margin) {
                    let of_p = p.iter().find_map(|&corner| touched(corner, q, margin));
                    let ends = of_p.or_else(|| q.iter().find_map(|&corner| touched(corner, p, margin)));
                    found.extend(ends.unwrap_or_else(|| p.iter().chain(q).map(|corner| corner.0).collect()));
                }
            }
        }
    }
}

/// A node and where it is \[m\].
type Corner = (u32, DVec3);

/// An element whose features are compared.
struct Triangle {
    corners: [Corner; 3],
    /// Each with a box around it.
    edges: [([Corner; 2], Bounds); 3],
    bounds: Bounds,
}

impl Triangle {
    fn of(element: &[u32; 4], position: &[Vec3]) -> Self {
        let nodes = [element[0], element[1], element[2]];
        let at = nodes.map(|node| position[node as usize]);
        let corners: [Corner; 3] = std::array::from_fn(|k| (nodes[k], at[k].as_dvec3()));
        let edge = |k: usize| {
            let next = (k + 1) % 3;
            ([corners[k], corners[next]], Bounds::of([at[k], at[next]]))
        };
        Self { corners, edges: std::array::from_fn(edge), bounds: Bounds::of(at) }
    }

    fn has(&self, corner: &Corner) -> bool {
        self.corners.iter().any(|own| own.0 == corner.0)
    }
}

fn touches(offset: DVec3, margin: f32) -> bool {
    offset.length() <= f64::from(margin)
}

/// A node and the smallest part of a feature that it touches: a node, an edge, a triangle.
fn touched((node, p): Corner, feature: &[Corner], margin: f32) -> Option<Vec<u32>> {
    let is_near = |part: &[Corner]| match *part {
        [a] => touches(p - a.1, margin),
        [a, b] => touches(from_edge(p, [a.1, b.1]), margin),
        [a, b, c] => touches(from_triangle(p, [a.1, b.1, c.1]), margin),
        _ => false,
    };
    // What does not touch the whole touches no part of it: nearly all end here.
    if !is_near(feature) {
        return None;
    }
    let corners = feature.iter().map(|&a| vec![a]);
    let sides = (0..feature.len()).map(|k| vec![feature[k], feature[(k + 1) % feature.len()]]);
    let smallest = corners.chain(sides).find(|part| is_near(part));
    let part = smallest.as_deref().unwrap_or(feature);
    Some(part.iter().map(|corner| corner.0).chain([node]).collect())
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
