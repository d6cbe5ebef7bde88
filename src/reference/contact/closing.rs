//! How fast parts of surfaces come nearer to each other that may meet soon.
//!
//! A part is a group of triangles. In a frame of length T its nodes move by T v. Two parts may meet if the boxes around their nodes come
//! within reach of each other along each axis, while the second moves against the first by anything between the least and the most of
//! `ahead` such ways. Parts that are neighbors at rest come nearer by what shortens the line between
//! the middles of their boxes, others by all of the way of one middle against the other, and by `least` at least. What comes within
//! reach of a collider counts as `least`. All in spacings.

use glam::DVec3;

use crate::model::Collider;
use crate::reference::{State64, colliders};

/// Triangles that stand for one another, of one body, or of several, which are then neighbors of nothing.
#[derive(Clone, Debug)]
pub struct Part {
    /// Nodes of the triangles.
    pub nodes: Vec<usize>,
    /// The body, if there is one.
    pub body: Option<usize>,
    /// The least spacing of the bodies \[m\].
    pub spacing: f64,
}

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
    for (k, a) in parts.iter().enumerate() {
        let (place, way) = (of(a, &state.position), of(a, &ways));
        if around.iter().any(|collider| meets(place, way, collider, state.time, look)) {
            most = most.max(look.least);
        }
        for b in &parts[..k] {
            let (other, other_way) = (of(b, &state.position), of(b, &ways));
            let against = [look.ahead * (other_way[0] - way[1]), look.ahead * (other_way[1] - way[0])];
            if !may_meet(place, other, against, look.reach) {
                continue;
            }
            let way = middle(other_way) - middle(way);
            let nearer = match are_neighbors(a, b, of(a, rest), of(b, rest)) {
                true => -way.dot((middle(other) - middle(place)).normalize_or_zero()),
                false => way.length().max(look.least * a.spacing.min(b.spacing)),
            };
            most = most.max(nearer / a.spacing.min(b.spacing));
        }
    }
    most
}

/// Whether boxes come within `reach` of each other along each axis while the second moves by anything in `against`.
fn may_meet([low, high]: Range, [other_low, other_high]: Range, [least, most]: Range, reach: f64) -> bool {
    (0..3).all(|axis| {
        let nearest = other_low[axis] + least[axis].min(0.0) - high[axis];
        let farthest = other_high[axis] + most[axis].max(0.0) - low[axis];
        nearest <= reach && farthest >= -reach
    })
}

fn are_neighbors(a: &Part, b: &Part, [low, high]: Range, [other_low, other_high]: Range) -> bool {
    let between = (other_low - high).max(low - other_high).max(DVec3::ZERO);
    let width = low.distance(high).max(other_low.distance(other_high));
    a.body.is_some() && a.body == b.body && between.length() <= width
}

/// Whether a ball around the box comes within reach of the collider, by the way of its middle.
fn meets(place: Range, way: Range, collider: &Collider, time: f64, look: Look) -> bool {
    let x = middle(place);
    let (distance, normal) = colliders::surface(collider, time, x);
    let moved = collider.center(time + look.frame) - collider.center(time);
    let turned = look.frame * collider.spin.as_dvec3().cross(x - collider.center(time));
    let nearer = -normal.dot(middle(way) - moved - turned);
    distance - 0.5 * place[0].distance(place[1]) - look.ahead * nearer.max(0.0) <= look.reach
}
