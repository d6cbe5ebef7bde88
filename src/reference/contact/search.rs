//! Which triangles each vertex can touch in a substep: of every layer near it the nearest one.
//!
//! ```text
//! distance at x_n < D + min(1.5 s, 0.5 s + 2 h |v|), v the velocity of the one against the other
//! not those that contain the vertex
//! of its own body only below 0.6 r, r the distance at rest; where r < max(1.9 s, 1.5 D), with a thickness of r / 2 at most
//! ```
//!
//! Hinges and pairs of edges (`edges`) have slots that are left.
//!
//! Nearest first (then by number), each is taken unless a corner lies within 3.1 s, at rest, of a corner of one taken before,
//! of the same body and not more than 90 degrees aside; at most four. To decide what is nearest, .05 D are subtracted for a triangle that
//! the vertex had in the substep before, and as much where it is above the face, or a hundredth of the triangle beyond its border.
//! The fourth is dropped where its distance is not below its thickness, or 1.1 of it if the vertex had it in the substep before: a hinge or a pair of edges may need the slot.
//! In the slot, what is so far beyond counts as above the face if it did in the substep before.

use std::collections::HashSet;

use glam::DVec3;

use super::edges;
use super::pair::{closest, projected};
use super::surface::Surface;

/// Most triangles of a vertex.
pub const SLOTS: usize = 4;
/// How far beyond D pairs are looked for, in spacings.
const BEYOND: f64 = 1.5;
/// The same, beyond D and what they move.
const MARGIN: f64 = 0.5;
/// Rest distance of neighbors, in spacings and in D.
const NEIGHBORS: [f64; 2] = [1.9, 1.5];
/// Pairs of one body count below this part of their rest distance.
pub const SQUEEZED: f64 = 0.6;
/// By how much less the distance counts of what is favored, in D.
const KEEPS: f64 = 0.05;
/// The last slot is kept for what parts up to this, in its thickness.
const PARTED: f64 = 1.1;
/// Weights down to minus this count as above the face, so that vertices that slide along an edge are above something.
const BORDER: f64 = 0.01;
/// Corners that are at rest within this many spacings belong to the same layer.
pub const LAYER: f64 = 3.1;

/// What a pair is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A vertex and a triangle.
    Triangle,
    /// Two triangles with a common edge; the weights of the second's corners, which it has for good \[1\].
    Hinge([f64; 3]),
    /// Two edges.
    Edges,
}

/// Something that a vertex can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// The vertex.
    pub vertex: usize,
    /// The triangle's number.
    pub triangle: usize,
    /// Its corners; of edges the ends of the other one, and the second end of the vertex's own.
    pub corners: [usize; 3],
    /// The side of the triangle that the vertex is on, 1 or -1, where it is above its face; of edges the side of the vertex's own
    /// along their cross product; else 0.
    pub side: f64,
    /// Distance below which they repel each other \[m\].
    pub thickness: f64,
    /// What it is.
    pub kind: Kind,
}

impl Slot {
    /// Corners on the other side.
    pub fn other_side(&self) -> &[usize] {
        &self.corners[..if self.kind == Kind::Edges { 2 } else { 3 }]
    }
}

/// The slots of all vertices, vertex by vertex, at `x` \[m\]; `moves` is 2 h v \[m\], and `before` are those of the substep before.
pub fn slots(surface: &Surface, x: &[DVec3], moves: &[DVec3], before: &[Slot]) -> Vec<Slot> {
    let had: HashSet<(usize, usize)> = before.iter().map(|slot| (slot.vertex, slot.triangle)).collect();
    let above = before.iter().filter(|slot| slot.kind == Kind::Triangle && slot.side != 0.0);
    let was_above: HashSet<(usize, usize)> = above.map(|slot| (slot.vertex, slot.triangle)).collect();
    let sphere = |corners: &[usize; 3]| {
        let middle = corners.iter().map(|&i| x[i]).sum::<DVec3>() / 3.0;
        (middle, corners.iter().map(|&i| x[i].distance(middle)).fold(0.0, f64::max))
    };
    let spheres: Vec<(DVec3, f64)> = surface.triangles.iter().map(sphere).collect();
    let mut found = Vec::new();
    let crossings = edges::slots(surface, x, moves);
    for v in (0..x.len()).filter(|&v| surface.is_vertex[v]) {
        let mut near: Vec<(f64, usize, f64)> = Vec::new();
        for (t, &corners) in surface.triangles.iter().enumerate() {
            let thickness = surface.between(v, corners[0]).thickness;
            let spacing = surface.spacing(v).max(surface.spacing(corners[0]));
            let reach = reach(spacing, thickness, f64::INFINITY);
            let (middle, radius) = spheres[t];
            if x[v].distance_squared(middle) >= (reach + radius).powi(2) || corners.contains(&v) {
                continue;
            }
            let (distance, weights) = distance(x[v], corners.map(|i| x[i]));
            let [p, q, r] = corners.map(|i| moves[i]);
            let moved = (moves[v] - weights[0] * p - weights[1] * q - weights[2] * r).length();
            let reach = self::reach(spacing, thickness, moved);
            let at_rest = || self::distance(surface.rest[v], corners.map(|i| surface.rest[i])).0;
            let same_body = surface.body[v] == surface.body[corners[0]];
            if distance >= reach {
                continue;
            }
            let at_rest = if same_body { at_rest() } else { f64::INFINITY };
            if distance <= SQUEEZED * at_rest {
                let is_above = is_above(x[v], corners.map(|i| x[i]), BORDER);
                let favors = f64::from(u8::from(is_above) + u8::from(had.contains(&(v, t))));
                near.push((
                    distance - favors * KEEPS * thickness,
                    t,
                    thickness_within(surface.spacing(v), thickness, at_rest),
                ));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let first = found.len();
        for (_, triangle, thickness) in near {
            let corners = surface.triangles[triangle];
            let toward = |corners: [usize; 3]| nearest(x[v], corners.map(|i| x[i])) - x[v];
            let is_taken = |slot: &Slot| {
                is_same_layer(surface, &slot.corners, &corners)
                    && toward(corners).dot(toward(slot.corners)) >= 0.0
            };
            if found.len() - first < SLOTS && !found[first..].iter().any(is_taken) {
                found.push(Slot {
                    vertex: v,
                    triangle,
                    corners,
                    side: side(x, v, corners, if was_above.contains(&(v, triangle)) { BORDER } else { 0.0 }),
                    thickness,
                    kind: Kind::Triangle,
                });
            }
        }
        let overlaps = |slot: &Slot| {
            let most = if had.contains(&(v, slot.triangle)) { PARTED } else { 1.0 };
            distance(x[v], slot.corners.map(|i| x[i])).0 < most * slot.thickness
        };
        if found.len() - first == SLOTS && !found.last().is_some_and(overlaps) {
            found.pop();
        }
        for hinge in surface.hinges.iter().filter(|hinge| hinge.vertex as usize == v) {
            let own = hinge_slot(surface, x, moves, v, hinge.other.map(|i| i as usize));
            found.extend(own.filter(|_| found.len() - first < SLOTS));
        }
        let crossing = crossings.get(&v).into_iter().flatten().copied();
        found.extend(crossing.take(SLOTS - (found.len() - first)));
    }
    found
}

/// How far apart pairs of this spacing and thickness are looked for that move by this against each other \[m\].
pub fn reach(spacing: f64, thickness: f64, moved: f64) -> f64 {
    thickness + (BEYOND * spacing).min(MARGIN * spacing + moved)
}

/// The thickness of a pair that is `rest` apart at rest \[m\]; infinitely far if it is of two bodies.
pub fn thickness_within(spacing: f64, thickness: f64, rest: f64) -> f64 {
    let is_neighbor = rest < (NEIGHBORS[0] * spacing).max(NEIGHBORS[1] * thickness);
    if is_neighbor { thickness.min(0.5 * rest) } else { thickness }
}

/// A hinge of vertex v with the triangle (p, q, b): two triangles with the common edge pq, folded onto each other.
///
/// v is kept from the point of the other triangle's plane that is as far from the edge, at the same height along it, at rest.
fn hinge_slot(
    surface: &Surface,
    x: &[DVec3],
    moves: &[DVec3],
    v: usize,
    corners: [usize; 3],
) -> Option<Slot> {
    let [p, q, b] = corners.map(|i| surface.rest[i]);
    let line = |y: DVec3| {
        let along = (y - p).dot(q - p) / (q - p).length_squared();
        (along, y.distance(p.lerp(q, along)))
    };
    let ((along_v, height_v), (along_b, height_b)) = (line(surface.rest[v]), line(b));
    let part = height_v / height_b;
    let to_q = along_v - part * along_b;
    let weights = [1.0 - part - to_q, to_q, part];
    let combined = |of: &[DVec3]| corners.iter().zip(weights).map(|(&i, w)| w * of[i]).sum::<DVec3>();
    let rest = surface.rest[v].distance(combined(&surface.rest));
    let thickness = surface.between(v, v).thickness.min(0.5 * rest);
    let reach = reach(surface.spacing(v), thickness, (moves[v] - combined(moves)).length());
    (x[v].distance(combined(x)) < reach.min(SQUEEZED * rest)).then_some(Slot {
        vertex: v,
        triangle: usize::MAX,
        corners,
        side: 0.0,
        thickness,
        kind: Kind::Hinge(weights),
    })
}

/// Whether two triangles belong to one layer.
pub fn is_same_layer(surface: &Surface, one: &[usize], other: &[usize]) -> bool {
    let reach = LAYER * surface.spacing(one[0]);
    let near = |i: usize, j: usize| surface.rest[i].distance(surface.rest[j]) < reach;
    surface.body[one[0]] == surface.body[other[0]] && one.iter().any(|&i| other.iter().any(|&j| near(i, j)))
}

fn distance(x: DVec3, corners: [DVec3; 3]) -> (f64, [f64; 3]) {
    (x.distance(nearest(x, corners)), closest(x, corners))
}

fn nearest(x: DVec3, corners: [DVec3; 3]) -> DVec3 {
    closest(x, corners).into_iter().zip(corners).map(|(weight, corner)| weight * corner).sum()
}

/// Nothing is above a triangle without area.
fn is_above(x: DVec3, corners @ [a, b, c]: [DVec3; 3], beyond: f64) -> bool {
    let has_area = (b - a).cross(c - a) != DVec3::ZERO;
    has_area && projected(x, corners).iter().all(|weight| *weight >= -beyond)
}

fn side(x: &[DVec3], v: usize, corners: [usize; 3], beyond: f64) -> f64 {
    let [a, b, c] = corners.map(|i| x[i]);
    if is_above(x[v], [a, b, c], beyond) { (b - a).cross(c - a).dot(x[v] - a).signum() } else { 0.0 }
}
