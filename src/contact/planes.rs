//! Which regions of a surface are one convex piece of a plane at rest.
//!
//! By a theorem of Tietze and Nakajima a connected closed set is convex if it is so around each of its points: it is enough to look at
//! the nodes in the box of the region.

use std::f64::consts::{PI, TAU};

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::elements::{LEAF, Surface, around, corners, turn};
use crate::method::contact as soft;
use crate::model::Model;

/// The body of a box without nodes, as `NOTHING` in `shaders/contact/patches.wgsl`.
const NO_BODY: f32 = -2.0;
/// The body of a box with nodes of several.
const MIXED: f32 = -1.0;
/// How far nodes may be from a plane, as a part of the spacing.
const FLAT: f32 = 1e-3;
/// How far angles around a node may be from their sum in a plane [rad]. A border that turns in by as little at each node of a region
/// lengthens ways by less than a part in a thousand.
const ANGLE: f64 = 1e-3;

/// A box around nodes at rest.
#[derive(Clone, Copy)]
pub struct Box3 {
    /// \[m\].
    pub low: Vec3,
    /// \[m\].
    pub high: Vec3,
    /// The body of all of them, or one of the constants above.
    pub body: f32,
    /// The least of their bodies \[m\].
    spacing: f32,
    /// Whether one of them is a pin that moves.
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

    /// As (low, body) and (high, spacing), which is negative where a pin moves.
    pub fn words(&self) -> [Vec4; 2] {
        let sign = if self.is_driven { -1.0 } else { 1.0 };
        [self.low.extend(self.body), self.high.extend(sign * self.spacing)]
    }

    /// Wider by so much on all sides \[m\].
    pub fn widened(&self, by: f32) -> Self {
        Self { low: self.low - by, high: self.high + by, ..*self }
    }

    /// Whether a place is in it.
    pub fn contains(&self, x: Vec3) -> bool {
        self.low.cmple(x).all() && x.cmple(self.high).all()
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
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
    around.par_iter().enumerate().map(is_convex).collect()
}

/// The shape at rest, and the tree over it.
pub struct Rest<'a> {
    model: &'a Model,
    surface: &'a Surface,
    body_of: Vec<f32>,
    /// Of each body \[m\].
    pub spacings: Vec<f32>,
    /// Whether each node is a pin that moves.
    is_driven: Vec<bool>,
    is_convex: Vec<bool>,
}

impl<'a> Rest<'a> {
    /// That of a model.
    pub fn new(model: &'a Model, surface: &'a Surface) -> Self {
        let mut body_of = vec![NO_BODY; model.node_count()];
        for (index, body) in model.bodies().iter().enumerate() {
            body_of[body.nodes.start as usize..body.nodes.end as usize].fill(index as f32);
        }
        let mut is_driven = vec![false; model.node_count()];
        let moving = model.moving_pins().iter().filter(|pin| !pin.is_still());
        moving.flat_map(|pin| &pin.nodes).for_each(|&i| is_driven[i as usize] = true);
        let spacings = model.bodies().iter().map(|body| soft::spacing(model, body)).collect();
        Self { model, surface, body_of, spacings, is_driven, is_convex: convex(model) }
    }
}

impl Rest<'_> {
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
    pub fn boxes(&self, copy: usize) -> Vec<Box3> {
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
    pub fn region(&self, copy: usize, boxes: &[Box3], region: &Box3) -> Vec<u32> {
        let found = self.leaves_in(boxes, region);
        // What a leaf is bent by is looked at as one (`refit.wgsl`), so all of it has to be in the plane.
        let all: Vec<[u32; 3]> =
            found.iter().flat_map(|&leaf| self.leaf(copy, leaf as usize)).filter_map(corners).collect();
        let triangles: Vec<[u32; 3]> =
            all.iter().filter(|t| self.around(**t).meets(region)).copied().collect();
        if self.is_plane(&all) && self.is_one_convex_piece(&triangles, region) { found } else { Vec::new() }
    }

    /// The leaves of a region's body that reach into it.
    pub fn leaves_in(&self, boxes: &[Box3], region: &Box3) -> Vec<u32> {
        let leaves = boxes.len() / 2;
        let (mut found, mut open) = (Vec::new(), vec![1]);
        while let Some(node) = open.pop() {
            if region.body < 0.0 || !boxes[node].meets(region) {
                continue;
            }
            if node < leaves {
                open.extend([2 * node + 1, 2 * node]);
            } else if boxes[node].body == region.body {
                found.push((node - leaves) as u32);
            }
        }
        found
    }

    /// The leaves in a part of a region, of those that reach into it by more than `touches` \[m\], or are inside of it.
    pub fn leaves_of_part(&self, boxes: &[Box3], part: &Box3, touches: f32) -> Vec<u32> {
        let inner = part.widened(-touches);
        let counts = |leaf: &u32| {
            let own = &boxes[boxes.len() / 2 + *leaf as usize];
            own.meets(&inner) || (part.contains(own.low) && part.contains(own.high))
        };
        let mut found = self.leaves_in(boxes, part);
        found.retain(counts);
        found
    }

    /// The box around a region and all leaves that reach into it by more than `touches` \[m\].
    pub fn whole_leaves(&self, boxes: &[Box3], region: &Box3, touches: f32) -> Box3 {
        let found = self.leaves_in(boxes, &region.widened(-touches));
        found.iter().fold(*region, |all, &leaf| all.join(boxes[boxes.len() / 2 + leaf as usize]))
    }

    /// What is known of a region whose first leaf is `first`.
    pub fn words(&self, first: usize, region: &Box3) -> [Vec4; 6] {
        let [u, v] = self.plane(&self.surface.elements[first * LEAF]);
        [region.low.extend(0.0), region.high.extend(region.body), Vec4::ZERO, Vec4::ZERO, u, v]
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
