//! How fast parts of surfaces come nearer to each other that may meet soon.
//!
//! A part is a group of triangles. In a frame of length T its nodes move by T v. Two parts may meet if the boxes around their nodes come
//! within reach of each other along each axis, while the second moves against the first by anything between the least and the
//! most of `ahead` such ways, and if balls around the middles of the boxes do, as these move on. Parts of one body whose balls nearly
//! touch at rest are neighbors: they come nearer by what shortens the line between the middles of their boxes. Others come
//! nearer by all of the way of one middle against the other, and by `least` at least, as does what comes within reach of a
//! collider. All in spacings, and twice where a pin drives one of them. Folds are not looked at.

use glam::DVec3;

use crate::model::Collider;
use crate::reference::{State64, colliders};

/// Triangles that stand for one another.
#[derive(Clone, Debug)]
pub struct Part {
    /// Nodes of the triangles.
    pub nodes: Vec<usize>,
    /// The body that they are of.
    pub body: usize,
    /// Spacing of the body \[m\].
    pub spacing: f64,
    /// Whether a node is a pin that moves.
    pub is_driven: bool,
}

/// How much larger than at rest a part may be.
const WIDER: f64 = 1.2;

/// What the answer depends on beside parts and state.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// T \[s\].
    pub frame: f64,
    /// Frames.
    pub ahead: f64,
    /// What others come nearer at least \[1\].
    pub least: f64,
    /// \[m\].
    pub reach: f64,
}

/// Low and high corner of a box.
type Range = [DVec3; 2];

fn range(points: impl Iterator<Item = DVec3>) -> Range {
    let nothing = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.fold(nothing, |[low, high], x| [low.min(x), high.max(x)])
}

fn middle([low, high]: Range) -> DVec3 {
    0.5 * (low + high)
}

/// The largest number of all pairs of parts, and of parts with colliders; 0 without any.
pub fn closing(parts: &[Part], rest: &[DVec3], state: &State64, around: &[Collider], look: Look) -> f64 {
    let of = |part: &Part, values: &[DVec3]| range(part.nodes.iter().map(|&i| values[i]));
    let ways: Vec<DVec3> = state.velocity.iter().map(|v| look.frame * *v).collect();
    let mut most: f64 = 0.0;
    let radius = |part: &Part, [low, high]: Range| {
        let [rest_low, rest_high] = of(part, rest);
        (0.5 * low.distance(high)).min(WIDER * 0.5 * rest_low.distance(rest_high))
    };
    for (k, a) in parts.iter().enumerate() {
        let (place, way) = (of(a, &state.position), of(a, &ways));
        let own = radius(a, place);
        if around.iter().any(|collider| meets([middle(place), middle(way)], own, collider, state.time, look))
        {
            most = most.max(times(a.is_driven) * look.least);
        }
        for b in &parts[..k] {
            let (other, other_way) = (of(b, &state.position), of(b, &ways));
            let against = [look.ahead * (other_way[0] - way[1]), look.ahead * (other_way[1] - way[0])];
            if !may_meet(place, other, against, look.reach) {
                continue;
            }
            let (apart, way) = (middle(other) - middle(place), middle(other_way) - middle(way));
            let nearest = (-way.dot(apart) / way.length_squared().max(1e-30)).clamp(0.0, look.ahead);
            let nearer = match are_neighbors(a, b, of(a, rest), of(b, rest), look.reach) {
                true => -way.dot(apart.normalize_or_zero()),
                false if (apart + nearest * way).length() > own + radius(b, other) + look.reach => 0.0,
                false => way.length().max(look.least * a.spacing.min(b.spacing)),
            };
            most = most.max(times(a.is_driven || b.is_driven) * nearer / a.spacing.min(b.spacing));
        }
    }
    most
}

fn times(is_driven: bool) -> f64 {
    if is_driven { 2.0 } else { 1.0 }
}

/// Whether boxes come within `reach` of each other along each axis while the second moves by anything in `against`.
fn may_meet([low, high]: Range, [other_low, other_high]: Range, [least, most]: Range, reach: f64) -> bool {
    (0..3).all(|axis| {
        let nearest = other_low[axis] + least[axis].min(0.0) - high[axis];
        let farthest = other_high[axis] + most[axis].max(0.0) - low[axis];
        nearest <= reach && farthest >= -reach
    })
}

fn are_neighbors(a: &Part, b: &Part, own: Range, other: Range, reach: f64) -> bool {
    let radius = |[low, high]: Range| 0.5 * WIDER * low.distance(high);
    a.body == b.body && middle(own).distance(middle(other)) <= radius(own) + radius(other) + 2.0 * reach
}

/// Whether a ball comes within reach of the collider, by the way of its middle.
fn meets([x, way]: [DVec3; 2], radius: f64, collider: &Collider, time: f64, look: Look) -> bool {
    let (distance, normal) = colliders::surface(collider, time, x);
    let moved = collider.center(time + look.frame) - collider.center(time);
    let turned = look.frame * collider.spin.as_dvec3().cross(x - collider.center(time));
    let nearer = -normal.dot(way - moved - turned);
    distance - radius - look.ahead * nearer.max(0.0) <= look.reach
}
