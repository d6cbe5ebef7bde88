//! How fast parts of surfaces come nearer to each other that may meet soon.
//!
//! A part is a group of triangles. In a frame of length T its nodes move by T v. Two parts may meet if the boxes around their nodes come
//! within reach of each other along each axis, while the second moves against the first by anything between the least and the
//! most of `ahead` such ways, and if balls around the middles of the boxes do, as these move on. Parts of one body whose balls nearly
//! touch at rest are neighbors: they come nearer by what shortens the line between the middles of their boxes. Others come
//! nearer by all of the way of one middle against the other, and by `least` at least, as does what comes within reach of a
//! collider, and by `rubbing`, whatever drives them. Where both of these come nearer to colliders within their reach, each may stop anywhere on its way: boxes and balls count all
//! of that, and they come nearer by at least twice the longer way to a collider. All in spacings, and twice where a pin drives one of
//! them. A part that comes within reach of a collider also counts five and a half times its way to it, seven and a half spacings at
//! most, and that not twice. Folds are not looked at.

use glam::DVec3;

use crate::measure::surface::surface;
use crate::model::Collider;
use crate::reference::State64;

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
    /// The same for friction between surfaces, of parts that may touch each other \[1\].
    pub rubbing: f64,
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
        let stop = |place, way, radius| {
            let ways = around.iter().filter_map(|c| nearer([place, way], radius, c, state.time, look));
            ways.reduce(f64::max)
        };
        let own_stop = stop(place, way, own);
        if let Some(way) = own_stop {
            most = most.max(times(a.is_driven) * look.least).max((5.5 * way / a.spacing).min(7.5));
        }
        for b in &parts[..k] {
            let (other, other_way) = (of(b, &state.position), of(b, &ways));
            let other_stop = stop(other, other_way, radius(b, other));
            let stops = [own_stop, other_stop].map(|stop| stop.unwrap_or(0.0));
            let stop = if stops[0].min(stops[1]) > 0.0 { stops[0].max(stops[1]) } else { 0.0 };
            // With where each of both may stop.
            let or_none = |[least, most]: Range| match stop > 0.0 {
                true => [least.min(DVec3::ZERO), most.max(DVec3::ZERO)],
                false => [least, most],
            };
            let ([least, most_way], [other_least, other_most]) = (or_none(way), or_none(other_way));
            let against = [look.ahead * (other_least - most_way), look.ahead * (other_most - least)];
            if !may_meet(place, other, against, look.reach) {
                continue;
            }
            let (apart, way) = (middle(other) - middle(place), middle(other_way) - middle(way));
            let nearest = (-way.dot(apart) / way.length_squared().max(1e-30)).clamp(0.0, look.ahead);
            let nearer = match are_neighbors(a, b, of(a, rest), of(b, rest), look.reach) {
                true => -way.dot(apart.normalize_or_zero()),
                false => {
                    let least = (apart + nearest * way).length().min(apart.length() - look.ahead * stop);
                    let may_touch = least <= own + radius(b, other) + look.reach;
                    if may_touch {
                        most = most.max(look.rubbing);
                        way.length().max(2.0 * stop).max(look.least * a.spacing.min(b.spacing))
                    } else {
                        0.0
                    }
                }
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

/// How far a part comes nearer to a collider in a frame \[m\], by the way of its middle, if it comes within its reach: the ball around it, or
/// the box, seen along the normal where the middle is nearest.
fn nearer([place, way]: [Range; 2], radius: f64, collider: &Collider, time: f64, look: Look) -> Option<f64> {
    let x = middle(place);
    let (distance, normal) = surface(collider, time, x);
    let moved = collider.center(time + look.frame) - collider.center(time);
    let turned = look.frame * collider.spin.as_dvec3().cross(x - collider.center(time));
    let nearer = (-normal.dot(middle(way) - moved - turned)).max(0.0);
    let corners = (0..8).map(|k| DVec3::from_array([0, 1, 2].map(|axis| place[k >> axis & 1][axis])));
    let lowest = corners.map(|corner| normal.dot(corner - x)).fold(f64::INFINITY, f64::min);
    (distance - radius.min(-lowest) - look.ahead * nearer <= look.reach).then_some(nearer)
}
