//! Patches of the surface: subtrees of the tree, each with a region around it that is flat and convex at rest.
//!
//! A region that is neither folded nor squeezed is injective as a whole (`shaders/contact/flatten.wgsl`), so that the features in it
//! need no comparison. That holds where the shape at rest is one convex piece of a plane inside the region's box. By a
//! theorem of Tietze and Nakajima a connected closed set is convex if it is so around each of its points: it is enough to look at
//! the nodes in the box.

use std::f64::consts::{PI, TAU};

use glam::{Vec3, Vec4};

use super::elements::{LEAF, Surface, around, corners, turn};
use crate::method::contact as soft;
use crate::model::{BodyRange, Model};

/// Leaves of a patch, as `PATCH_LEAVES` in `shaders/contact/patches.wgsl`, of trees that have as many.
const PATCH_LEAVES: u32 = 32;
/// A region reaches beyond its patch by what its triangles may be apart at rest that lie within reach of each other, and this
/// many spacings, so that leaves are inside as a whole.
const LEAF_SIZE: f32 = 3.3;
/// The body of a box without nodes.
const NO_BODY: f32 = -2.0;
/// The body of a box with nodes of several.
const MIXED: f32 = -1.0;
/// How far nodes may be from a plane, as a part of the spacing.
const FLAT: f32 = 1e-3;
/// How far angles around a node may be from their sum in a plane [rad]. A border that turns in by as little at each node of a region
/// lengthens ways by less than a part in a thousand.
const ANGLE: f64 = 1e-3;

/// What is known of the surface at rest.
pub struct Patches {
    /// Of each node of each copy's tree: a box around it at rest \[m\], as (low, body) and (high, least spacing),
    /// the spacing negative where a pin moves.
    pub rest_boxes: Vec<[Vec4; 2]>,
    /// Of each patch: the box of its region, as (low, 0) and (high, body), room for two
    /// vectors, and two unit vectors of the plane at rest.
    pub patches: Vec<[Vec4; 6]>,
    /// Where each patch's leaves begin below, one more than patches; then leaves that reach into regions. Those of a patch without a
    /// region are none.
    pub regions: Vec<u32>,
    /// Of each node where it is at rest \[m\], and a patch with a triangle at it.
    pub rests: Vec<Vec4>,
}

#[derive(Clone, Copy)]
struct Box3 {
    low: Vec3,
    high: Vec3,
    body: f32,
    spacing: f32,
    is_driven: bool,
}

impl Box3 {
    const NOTHING: Self = Self {
        low: Vec3::splat(1e30),
        high: Vec3::splat(-1e30),
        body: NO_BODY,
        spacing: f32::MAX,
        is_driven: false,
    };

    fn join(self, other: Self) -> Self {
        let body = match (self.body, other.body) {
            (own, other) if own == other || other == NO_BODY => own,
            (NO_BODY, other) => other,
            _ => MIXED,
        };
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            body,
            spacing: self.spacing.min(other.spacing),
            is_driven: self.is_driven || other.is_driven,
        }
    }

    fn words(&self) -> [Vec4; 2] {
        let sign = if self.is_driven { -1.0 } else { 1.0 };
        [self.low.extend(self.body), self.high.extend(sign * self.spacing)]
    }

    fn contains(&self, x: Vec3) -> bool {
        self.low.cmple(x).all() && x.cmple(self.high).all()
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

impl Patches {
    /// Those of a model's surface.
    pub fn new(model: &Model, surface: &Surface) -> Self {
        let leaves = surface.leaves as usize;
        let copies = surface.elements.len() / (leaves * LEAF);
        let patch_leaves = PATCH_LEAVES.min(surface.leaves) as usize;
        let mut body_of = vec![NO_BODY; model.node_count()];
        let (mut margins, mut spacings) = (Vec::new(), Vec::new());
        for (index, body) in model.bodies().iter().enumerate() {
            body_of[body.nodes.start as usize..body.nodes.end as usize].fill(index as f32);
            margins.push(margin(model, body));
            spacings.push(soft::spacing(model, body));
        }
        let mut is_driven = vec![false; model.node_count()];
        let moving = model.moving_pins().iter().filter(|pin| !pin.is_still());
        moving.flat_map(|pin| &pin.nodes).for_each(|&i| is_driven[i as usize] = true);
        let looking = Looking { model, surface, body_of, spacings, is_driven, is_convex: convex(model) };
        let mut all = Self {
            rest_boxes: Vec::with_capacity(2 * leaves * copies),
            patches: Vec::new(),
            regions: Vec::new(),
            rests: model.rest_position().iter().map(|x| x.extend(0.0)).collect(),
        };
        let (mut starts, mut lists) = (vec![0], Vec::new());
        for copy in 0..copies {
            let boxes = looking.boxes(copy);
            for patch in 0..leaves / patch_leaves {
                let of_patch = boxes[leaves / patch_leaves + patch];
                let margin = margins.get(of_patch.body as usize).copied().unwrap_or(0.0);
                let region = Box3 { low: of_patch.low - margin, high: of_patch.high + margin, ..of_patch };
                let index = all.patches.len() as f32;
                let first = copy * leaves + patch * patch_leaves;
                for element in &surface.elements[first * LEAF..][..patch_leaves * LEAF] {
                    corners(element).into_iter().flatten().for_each(|i| all.rests[i as usize].w = index);
                }
                let bounds = [region.low.extend(0.0), region.high.extend(region.body)];
                let [u, v] = looking.plane(&surface.elements[first * LEAF]);
                all.patches.push([bounds[0], bounds[1], Vec4::ZERO, Vec4::ZERO, u, v]);
                lists.extend(looking.region(copy, &boxes, &region));
                starts.push(lists.len() as u32);
            }
            all.rest_boxes.extend(boxes.iter().map(Box3::words));
        }
        let count = starts.len() as u32;
        all.regions = starts.iter().map(|start| start + count).chain(lists).collect();
        all
    }

    /// What the buffer of boxes begins with: room for those of a substep, then boxes at rest, then patches.
    pub fn boxes(&self) -> Vec<Vec4> {
        let room = vec![Vec4::ZERO; 3 * self.rest_boxes.len()];
        let rest = self.rest_boxes.iter().flatten().chain(self.patches.iter().flatten());
        room.into_iter().chain(rest.copied()).collect()
    }
}

/// How far a body's regions reach beyond their patches \[m\]: in a region without squeezed cells, pairs within reach of each other are no
/// farther apart at rest, while they hardly move against each other.
fn margin(model: &Model, body: &BodyRange) -> f32 {
    let spacing = soft::spacing(model, body);
    soft::still_reach(soft::thickness(model, body), spacing) / soft::SQUEEZED + LEAF_SIZE * spacing
}

/// Of each node whether the surface around it is a piece of a plane that is convex, as long as its triangles are: a closed ring of
/// triangles, or a fan that is no wider than a half turn.
fn convex(model: &Model) -> Vec<bool> {
    let rest = model.rest_position();
    let around = around(model);
    let is_convex = |(node, edges): (usize, &Vec<[u32; 2]>)| {
        let to = |i: u32| rest[i as usize].as_dvec3() - rest[node].as_dvec3();
        let angle: f64 = edges.iter().map(|&[a, b]| to(a).angle_between(to(b))).sum();
        match turn(edges) {
            Some(true) => (angle - TAU).abs() < ANGLE,
            Some(false) => angle < PI + ANGLE,
            None => false,
        }
    };
    around.iter().enumerate().map(is_convex).collect()
}

/// What regions are found with.
struct Looking<'a> {
    model: &'a Model,
    surface: &'a Surface,
    body_of: Vec<f32>,
    /// Of each body \[m\].
    spacings: Vec<f32>,
    /// Whether each node is a pin that moves.
    is_driven: Vec<bool>,
    is_convex: Vec<bool>,
}

impl Looking<'_> {
    fn rest(&self, node: u32) -> Vec3 {
        self.model.rest_position()[node as usize]
    }

    fn leaf(&self, copy: usize, leaf: usize) -> &[[u32; 4]] {
        &self.surface.elements[(copy * self.surface.leaves as usize + leaf) * LEAF..][..LEAF]
    }

    fn around(&self, nodes: impl IntoIterator<Item = u32>) -> Box3 {
        nodes.into_iter().fold(Box3::NOTHING, |all, i| {
            let (x, body) = (self.rest(i), self.body_of[i as usize]);
            let spacing = self.spacings.get(body as usize).copied().unwrap_or(f32::MAX);
            all.join(Box3 { low: x, high: x, body, spacing, is_driven: self.is_driven[i as usize] })
        })
    }

    /// Boxes of a copy's tree; the first is not used.
    fn boxes(&self, copy: usize) -> Vec<Box3> {
        let leaves = self.surface.leaves as usize;
        let mut boxes = vec![Box3::NOTHING; 2 * leaves];
        for leaf in 0..leaves {
            boxes[leaves + leaf] = self.around(self.leaf(copy, leaf).iter().filter_map(corners).flatten());
        }
        for node in (1..leaves).rev() {
            boxes[node] = boxes[2 * node].join(boxes[2 * node + 1]);
        }
        boxes
    }

    /// The leaves whose triangles reach into a region; none if the surface in it is not one convex piece of a plane.
    fn region(&self, copy: usize, boxes: &[Box3], region: &Box3) -> Vec<u32> {
        if region.body < 0.0 {
            return Vec::new();
        }
        let leaves = boxes.len() / 2;
        let (mut found, mut open) = (Vec::new(), vec![1]);
        while let Some(node) = open.pop() {
            if !boxes[node].meets(region) {
                continue;
            }
            if node < leaves {
                open.extend([2 * node + 1, 2 * node]);
            } else if boxes[node].body == region.body {
                found.push((node - leaves) as u32);
            }
        }
        let triangles: Vec<[u32; 3]> = found
            .iter()
            .flat_map(|&leaf| self.leaf(copy, leaf as usize))
            .filter_map(corners)
            .filter(|t| self.around(*t).meets(region))
            .collect();
        if self.is_plane(&triangles) && self.is_one_convex_piece(&triangles, region) {
            found
        } else {
            Vec::new()
        }
    }

    /// Two unit vectors of the plane of a triangle.
    fn plane(&self, element: &[u32; 4]) -> [Vec4; 2] {
        let Some(triangle) = corners(element) else { return [Vec4::ZERO; 2] };
        let [a, b, c] = triangle.map(|i| self.rest(i));
        let u = (b - a).normalize_or_zero();
        let n = u.cross(c - a);
        [u, n.cross(u).normalize_or_zero()].map(|v| v.extend(0.0))
    }

    /// Whether triangles lie in a plane and are all turned the same way.
    fn is_plane(&self, triangles: &[[u32; 3]]) -> bool {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| self.rest(i));
            (b - a).cross(c - a)
        };
        let Some(first) = triangles.first() else { return false };
        let (origin, n) = (self.rest(first[0]), normal(first).normalize_or_zero());
        triangles.iter().all(|t| {
            let size = normal(t).length().sqrt();
            normal(t).dot(n) > (1.0 - FLAT) * size * size
                && t.iter().all(|&i| (self.rest(i) - origin).dot(n).abs() <= FLAT * size)
        })
    }

    fn is_one_convex_piece(&self, triangles: &[[u32; 3]], region: &Box3) -> bool {
        let is_inside = |&i: &u32| region.contains(self.rest(i));
        let inside: Vec<u32> = triangles.iter().flatten().copied().filter(is_inside).collect();
        if !inside.iter().all(|&i| self.is_convex[i as usize]) {
            return false;
        }
        // Connected through nodes in the box: triangles that share one, until nothing is added.
        let mut nodes = inside;
        nodes.sort_unstable();
        nodes.dedup();
        let at = |i: u32| nodes.binary_search(&i).ok();
        let mut group: Vec<usize> = (0..nodes.len()).collect();
        fn root(group: &mut [usize], mut i: usize) -> usize {
            while group[i] != i {
                group[i] = group[group[i]];
                i = group[i];
            }
            i
        }
        for triangle in triangles {
            let own: Vec<usize> = triangle.iter().filter_map(|&i| at(i)).collect();
            for pair in own.windows(2) {
                let (a, b) = (root(&mut group, pair[0]), root(&mut group, pair[1]));
                group[a] = b;
            }
        }
        (0..nodes.len()).all(|i| root(&mut group, i) == root(&mut group, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Model, ModelBuilder};

    /// A sheet of n x n cells of size 1, without those that `is_hole` names, bent by `to`.
    fn sheet(n: u32, is_hole: impl Fn(u32, u32) -> bool, to: impl Fn(Vec3) -> Vec3) -> Model {
        let at = |x: u32, z: u32| x + (n + 1) * z;
        let mut triangles = Vec::new();
        for (x, z) in (0..n * n).map(|k| (k % n, k / n)).filter(|&(x, z)| !is_hole(x, z)) {
            triangles.push([at(x, z), at(x, z + 1), at(x + 1, z)]);
            triangles.push([at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]);
        }
        let places =
            (0..(n + 1) * (n + 1)).map(|k| Vec3::new((k % (n + 1)) as f32, 0.0, (k / (n + 1)) as f32));
        let body = Body {
            rest_position: places.map(to).collect(),
            mass: vec![1.0; ((n + 1) * (n + 1)) as usize],
            triangles,
            ..Body::default()
        };
        Model::of(body).unwrap()
    }

    /// Patches with a region, and all that have triangles.
    fn counts(model: &Model) -> [usize; 2] {
        let surface = Surface::new(model).unwrap();
        let patches = Patches::new(model, &surface);
        let of_patch = PATCH_LEAVES.min(surface.leaves) as usize * LEAF;
        let filled = surface.elements.chunks(of_patch).filter(|e| e.iter().any(|e| corners(e).is_some()));
        let starts = &patches.regions[..=patches.patches.len()];
        [starts.windows(2).filter(|pair| pair[1] > pair[0]).count(), filled.count()]
    }

    #[test]
    fn regions_are_convex_pieces_of_a_plane() {
        let is_whole = |_: u32, _: u32| false;
        let [with, all] = counts(&sheet(40, is_whole, |x| x));
        assert!(with == all && all > 20, "{with} of {all}");
        let tilted = |x: Vec3| glam::Quat::from_rotation_z(0.7) * glam::Quat::from_rotation_x(0.4) * x;
        assert_eq!(counts(&sheet(40, is_whole, tilted)), [all, all]);
        // Around a hole, along a slit and on a curved body there are none.
        let [with, all] = counts(&sheet(40, |x, z| x == 20 && z == 20, |x| x));
        assert!(with < all && with > all / 2, "{with} of {all}");
        let [with, all] = counts(&sheet(40, |x, z| x == 20 && z < 39, |x| x));
        assert!(with < all - 5 && with > 0, "{with} of {all}");
        // Other bodies are another matter.
        let mut builder = ModelBuilder::new();
        for above in [0.0, 0.2] {
            let whole = sheet(40, is_whole, |x| x + above * Vec3::Y);
            builder.add(Body {
                rest_position: whole.rest_position().to_vec(),
                mass: vec![1.0; whole.node_count()],
                triangles: whole.triangles().to_vec(),
                ..Body::default()
            });
        }
        let [with, all] = counts(&builder.build().unwrap());
        assert!(with == all && all > 40, "{with} of {all}");
        let wavy = |x: Vec3| x + 0.2 * x.x.sin() * Vec3::Y;
        assert_eq!(counts(&sheet(40, is_whole, wavy))[0], 0);
    }
}
