//! Colliders that come through between the nodes of cloth.
//!
//! Only nodes are tested against colliders, and kept at `thickness` t from them; between nodes cloth is flat. For a point
//! Q of a triangle with corners v_i and Q = sum l_i v_i, l_i >= 0, sum l_i = 1, and for any point C,
//!
//! ```text
//! |Q - C|^2 = sum l_i |v_i - C|^2 - sum l_i |v_i - Q|^2        (Leibniz)
//! ```
//!
//! The last sum is at most rho^2, rho the radius of the smallest disc that holds the triangle: r^2 - |Q - O|^2 for the
//! circumcircle of radius r about O; where an angle is obtuse, O is outside, and the middle of the longest side d has the
//! most, d^2/4.
//!
//! **Sphere** of radius R about C, or capsule, C the point of its line nearest to Q: |v_i - C| >= R + t, so that Q stays
//! outside, |Q - C| >= R, where (R + t)^2 >= R^2 + rho^2. A chord of length s = 2 rho sinks in by this much, too:
//!
//! ```text
//! t = sqrt(R^2 + rho^2) - R
//! ```
//!
//! **Box**: let Q = 0 be the corner of the octant x, y, z <= 0. Its distance from v_i is |v_i+|, the length of the
//! positive components alone. If all |v_i+| >= t, then sum l_i |v_i+|^2 >= t^2. Negative components cancel them, for
//! sum l_i v_i = 0, so that by Cauchy's inequality
//!
//! ```text
//! sum l_i |v_i-|^2  >=  sum l_i^2 / (1 - l_i) |v_i+|^2  >=  t^2 / 2        (convex in l_i, least at 1/3)
//! ```
//!
//! Together 3/2 t^2 <= rho^2: no triangle comes through with
//!
//! ```text
//! t = sqrt(2/3) rho
//! ```
//!
//! Corners along (2, -1, -1), (-1, 2, -1) and (-1, -1, 2) need as much. A side of length d across an edge needs
//! d / (2 sqrt 2), more than on any ball of R > 0.18 d. A box is such an octant, seen from any Q of it, as far as half its
//! size along each axis: enough where that is 2 rho, the furthest that a v_i is away. A thinner one is a plate or a rod,
//! whose rim comes up between nodes like a needle: t = rho, as of a sphere with R = 0.

use glam::DVec3;

use super::{Warning, digits, round_up};
use crate::model::{BodyRange, ColliderShape, Model};

/// A body's largest triangle.
struct Widest<'a> {
    body: &'a BodyRange,
    /// Radius of the smallest disc that holds it \[m\].
    rho: f64,
    /// Its longest side \[m\].
    side: f64,
}

/// A thickness that is too small by less than this part gives no warning: too little comes through to be seen.
const SLACK: f64 = 0.1;

/// Warns of colliders whose thickness does not hide their edges under the body with the largest triangles.
pub(super) fn of(model: &Model) -> Option<Warning> {
    if model.colliders().iter().all(|c| needed(&c.shape, 1.0) == 0.0) {
        return None;
    }
    let bodies = &model.bodies()[..model.bodies().len() / model.copies() as usize];
    let widest = bodies.iter().filter_map(|body| widest(model, body));
    let widest = widest.reduce(|a, b| if b.rho > a.rho { b } else { a })?;
    // Colliders that need the same thickness are told together, as the steps of a stair.
    let mut mends: Vec<(String, Vec<String>)> = Vec::new();
    for (collider, number) in model.colliders().iter().zip(1..) {
        let needed = needed(&collider.shape, widest.rho);
        if f64::from(collider.thickness) >= (1.0 - SLACK) * needed {
            continue;
        }
        let (needed, number) = (digits(round_up(needed)), format!("{number}"));
        match mends.iter_mut().find(|mend| mend.0 == needed) {
            Some(mend) => mend.1.push(number),
            None => mends.push((needed, vec![number])),
        }
    }
    if mends.is_empty() {
        return None;
    }
    let mend = |(needed, numbers): &(String, Vec<String>)| {
        format!("thickness = {needed} in [[collider]] number {}", numbers.join(", "))
    };
    let text = format!(
        "its triangles have sides of up to {} m, and only their corners are kept out of colliders: edges and round \
         parts come through between them. Set {}; a finer network needs less",
        digits(widest.side),
        mends.iter().map(mend).collect::<Vec<_>>().join(", and ")
    );
    Some(Warning { body: Some(widest.body.name.clone()), key: "thickness", text })
}

/// The thickness \[m\] that keeps triangles that fit discs of radius `rho` \[m\] out of a collider.
fn needed(shape: &ColliderShape, rho: f64) -> f64 {
    match *shape {
        ColliderShape::Plane { .. } => 0.0,
        ColliderShape::Sphere { radius, .. } | ColliderShape::Capsule { radius, .. } => {
            let radius = f64::from(radius);
            // sqrt(R^2 + rho^2) - R without the difference.
            rho * rho / (radius.hypot(rho) + radius)
        }
        ColliderShape::Box { size, .. } => match f64::from(size.min_element()) >= 4.0 * rho {
            true => rho * (2.0f64 / 3.0).sqrt(),
            false => rho,
        },
    }
}

/// The largest triangle of a body at rest, if it has any.
fn widest<'a>(model: &Model, body: &'a BodyRange) -> Option<Widest<'a>> {
    let corners = |t: &[u32; 3]| t.map(|node| model.rest_position()[node as usize].as_dvec3());
    let (rho, side) = model.triangles()[body.triangles.clone()]
        .iter()
        .map(|t| disc(corners(t)))
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
    Some(Widest { body, rho, side })
}

/// Radius of the smallest disc that holds a triangle, and its longest side.
fn disc([a, b, c]: [DVec3; 3]) -> (f64, f64) {
    let mut squares = [(b - a).length_squared(), (c - b).length_squared(), (a - c).length_squared()];
    squares.sort_by(f64::total_cmp);
    let [p, q, longest] = squares;
    let side = longest.sqrt();
    if p + q <= longest {
        return (0.5 * side, side);
    }
    let twice_area = (b - a).cross(c - a).length();
    ((p * q * longest).sqrt() / (2.0 * twice_area), side)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, EulerRot, Quat, Vec3};

    use super::*;

    const R: f64 = 0.3;
    const BALL: ColliderShape = ColliderShape::Sphere { center: Vec3::ZERO, radius: R as f32 };

    fn cuboid(size: f32) -> ColliderShape {
        ColliderShape::Box { center: Vec3::ZERO, size: Vec3::new(size, 9.0, 9.0), rotation: Quat::IDENTITY }
    }

    /// Numbers from 0 to 1 that fill the unit cube evenly.
    fn spread(i: u32) -> [f64; 3] {
        [0.819_172_5, 0.671_043_6, 0.549_700_5].map(|step| (f64::from(i) * step).fract())
    }

    #[test]
    fn the_disc_of_a_triangle_holds_it() {
        let of = |x: f64, y: f64| disc([DVec3::ZERO, DVec3::X, DVec3::new(x, y, 0.0)]);
        let close = |(a, b): (f64, f64), [c, d]: [f64; 2]| (a - c).abs() < 1e-12 && (b - d).abs() < 1e-12;
        assert!(close(of(0.0, 1.0), [0.5f64.sqrt(), 2f64.sqrt()]));
        assert!(close(of(0.5, 0.75f64.sqrt()), [1.0 / 3f64.sqrt(), 1.0]));
        // Obtuse: its circumcircle is larger.
        assert!(close(of(0.5, 0.1), [0.5, 1.0]));
    }

    #[test]
    fn a_chord_on_a_ball_touches_it() {
        for s in [0.01, 0.1, 0.5] {
            let t = needed(&BALL, 0.5 * s);
            // Its middle, with both ends at R + t from the middle of the ball.
            assert!((((R + t).powi(2) - 0.25 * s * s).sqrt() - R).abs() < 1e-7, "{t}");
        }
        assert!(needed(&ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y }, 1.0) == 0.0);
    }

    #[test]
    fn no_triangle_reaches_the_corner_of_a_box() {
        let rho = 0.02;
        let t = needed(&cuboid(9.0), rho);
        let distance = |v: DVec3| v.max(DVec3::ZERO).length();
        let reach = |corners: [DVec3; 3]| corners.map(distance).into_iter().fold(f64::INFINITY, f64::min);
        let worst = [DVec3::new(2.0, -1.0, -1.0), DVec3::new(-1.0, 2.0, -1.0), DVec3::new(-1.0, -1.0, 2.0)];
        assert!((reach(worst.map(|v| v * (rho / 6f64.sqrt()))) - t).abs() < 1e-9, "{t}");
        // Any triangle turned any way, with any of its points in the corner.
        for i in 1..40_000 {
            let [x, y, z] = spread(i);
            let corners = [DVec3::ZERO, DVec3::X, DVec3::new(x, y + 0.05, 0.0)];
            let scale = rho / disc(corners).0;
            let [x, y, z] = [x, y, z].map(|angle| std::f64::consts::TAU * angle * 7.0);
            let turn = DQuat::from_euler(EulerRot::XYZ, x, y, z);
            let [a, b, _] = spread(i * 31 + 7);
            let l = if a + b < 1.0 { [a, b, 1.0 - a - b] } else { [1.0 - a, 1.0 - b, a + b - 1.0] };
            let corners = corners.map(|v| turn * v * scale);
            let q: DVec3 = corners.into_iter().zip(l).map(|(v, l)| v * l).sum();
            assert!(reach(corners.map(|v| v - q)) <= t * (1.0 + 1e-9), "{corners:?}");
        }
        // A plate comes up like a needle: the middle of a side is half of it from both ends.
        assert_eq!(needed(&cuboid(0.05), rho), rho);
    }
}
