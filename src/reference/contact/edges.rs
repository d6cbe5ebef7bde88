//! Pairs of edges that can touch in a substep.
//!
//! ```text
//! lines nearest at a + s (b - a) and p + t (q - p) with 0 < s, t < 1, at a distance as in [`super::search`]; sine of their angle above .4
//! n from the second to the first: each triangle at the first rises along n, each at the second along -n, by .05 of its height at least
//! thickness D (1 - .15 (.15 - r) / .1), r the least of these parts, at most .15
//! ```
//!
//! Such edges point at each other: their distance is the least one between the surfaces there. Where a triangle comes nearer than its
//! edge, vertices and triangles hold the surfaces apart. The edge with the lower ends has the pair, at its nearer end.

use std::collections::BTreeMap;

use glam::DVec3;

use super::search::{Kind, SQUEEZED, Slot, reach, thickness_within};
use super::surface::Surface;
use crate::model::Edge;

/// Least sine by which triangles rise.
const BLUNT: f64 = 0.05;
/// That from which on pairs keep their whole thickness.
const SHARP: f64 = 0.15;
/// What the bluntest lack of it.
const SOFTENED: f64 = 0.15;
/// Least sine of the angle between edges.
const CROSSING: f64 = 0.4;

/// Where two lines are nearest.
pub struct Lines {
    /// s and t \[1\].
    pub parts: [f64; 2],
    /// Of the angle between them.
    pub sine: f64,
}

impl Lines {
    /// Those through two points each: C. Ericson, "Real-Time Collision Detection", 2005, 5.1.8.
    pub fn between([a, b]: [DVec3; 2], [p, q]: [DVec3; 2]) -> Self {
        let (one, other, apart) = (b - a, q - p, a - p);
        let (length, along, width) = (one.length_squared(), one.dot(other), other.length_squared());
        let determinant = length * width - along * along;
        let s = (along * other.dot(apart) - width * one.dot(apart)) / determinant;
        let t = (length * other.dot(apart) - along * one.dot(apart)) / determinant;
        Self { parts: [s, t], sine: one.cross(other).length() / (length * width).sqrt() }
    }

    fn cross_inside(&self) -> bool {
        self.parts.iter().all(|part| *part > 0.0 && *part < 1.0)
    }
}

/// The pairs of each vertex, the nearest first.
pub fn slots(surface: &Surface, x: &[DVec3], moves: &[DVec3]) -> BTreeMap<usize, Vec<Slot>> {
    let mut found: BTreeMap<usize, Vec<(f64, Slot)>> = BTreeMap::new();
    let ridges: Vec<&Edge> = surface.edges.iter().filter(|edge| is_ridge(edge, x)).collect();
    let largest = ridges.iter().map(|edge| length(edge, x)).fold(0.0, f64::max);
    let thickest = surface.skins.iter().map(|skin| skin.thickness).fold(0.0, f64::max);
    let coarsest = surface.spacings.iter().copied().fold(0.0, f64::max);
    let reach = reach(coarsest, thickest, f64::INFINITY) + largest;
    for (k, own) in ridges.iter().enumerate() {
        for other in &ridges[k + 1..] {
            if middle(own, x).distance(middle(other, x)) < reach
                && let Some((distance, slot)) = pair(surface, x, moves, own, other)
            {
                found.entry(slot.vertex).or_default().push((distance, slot));
            }
        }
    }
    let sorted = |mut pairs: Vec<(f64, Slot)>| {
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.corners.cmp(&b.1.corners)));
        pairs.into_iter().map(|(_, slot)| slot).collect()
    };
    found.into_iter().map(|(vertex, pairs)| (vertex, sorted(pairs))).collect()
}

fn ends(edge: &Edge) -> [usize; 2] {
    edge.ends.map(|i| i as usize)
}

fn length(edge: &Edge, x: &[DVec3]) -> f64 {
    let [a, b] = ends(edge);
    x[a].distance(x[b])
}

fn middle(edge: &Edge, x: &[DVec3]) -> DVec3 {
    let [a, b] = ends(edge);
    0.5 * (x[a] + x[b])
}

/// Of each triangle at an edge a unit vector square to the edge, towards its third corner.
fn heights(edge: &Edge, x: &[DVec3]) -> Vec<DVec3> {
    let [a, b] = ends(edge);
    let along = (x[b] - x[a]).normalize_or_zero();
    let height = |third: u32| (x[third as usize] - x[a]).reject_from(along).normalize_or_zero();
    std::iter::once(edge.thirds.0).chain(edge.thirds.1).map(height).collect()
}

/// Whether its triangles can rise along any one direction.
fn is_ridge(edge: &Edge, x: &[DVec3]) -> bool {
    match heights(edge, x)[..] {
        [one, other] => (one + other).length() >= 2.0 * BLUNT,
        _ => true,
    }
}

fn pair(surface: &Surface, x: &[DVec3], moves: &[DVec3], own: &Edge, other: &Edge) -> Option<(f64, Slot)> {
    let ([a, b], [p, q]) = (ends(own), ends(other));
    if a == p || a == q || b == p || b == q {
        return None;
    }
    let lines = Lines::between([x[a], x[b]], [x[p], x[q]]);
    let [s, t] = lines.parts;
    let combined = |of: &[DVec3]| of[a].lerp(of[b], s) - of[p].lerp(of[q], t);
    let apart = combined(x);
    let between = surface.between(a, p);
    let reach =
        reach(surface.spacing(a).max(surface.spacing(p)), between.thickness, combined(moves).length());
    if !lines.cross_inside() || lines.sine <= CROSSING || apart.length() >= reach {
        return None;
    }
    let rest = if surface.body[a] == surface.body[p] {
        at_rest([a, b].map(|i| surface.rest[i]), [p, q].map(|i| surface.rest[i]))
    } else {
        f64::INFINITY
    };
    let n = apart.normalize_or_zero();
    let rise =
        |edge: &Edge, n: DVec3| heights(edge, x).iter().map(|height| height.dot(n)).fold(SHARP, f64::min);
    let rise = rise(own, n).min(rise(other, -n));
    if apart.length() > SQUEEZED * rest || rise < BLUNT {
        return None;
    }
    let whole = thickness_within(surface.spacing(a), between.thickness, rest);
    let thickness = whole * (1.0 - SOFTENED * (SHARP - rise) / (SHARP - BLUNT));
    let (vertex, end) = if s <= 0.5 { (a, b) } else { (b, a) };
    let side = (x[end] - x[vertex]).cross(x[q] - x[p]).dot(n).signum();
    let slot =
        Slot { vertex, triangle: usize::MAX, corners: [p, q, end], side, thickness, kind: Kind::Edges };
    Some((apart.length(), slot))
}

/// Distance of two edges at rest.
fn at_rest(own: [DVec3; 2], other: [DVec3; 2]) -> f64 {
    let to_segment = |x: DVec3, [a, b]: [DVec3; 2]| {
        let part = (x - a).dot(b - a) / (b - a).length_squared();
        x.distance(a.lerp(b, part.clamp(0.0, 1.0)))
    };
    let lines = Lines::between(own, other);
    let [s, t] = lines.parts;
    let inside = own[0].lerp(own[1], s).distance(other[0].lerp(other[1], t));
    let ends = own.map(|x| to_segment(x, other)).into_iter().chain(other.map(|x| to_segment(x, own)));
    ends.fold(if lines.cross_inside() { inside } else { f64::INFINITY }, f64::min)
}
