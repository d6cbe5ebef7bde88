//! Distances of features in f64: a node and a triangle, or two edges.

use glam::DVec3;

/// From the nearest point of the edge to a point.
pub fn from_edge(p: DVec3, [a, b]: [DVec3; 2]) -> DVec3 {
    let along = b - a;
    let square = along.length_squared();
    let part = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    p - (a + part * along)
}

fn shortest(offsets: impl IntoIterator<Item = DVec3>) -> DVec3 {
    let shorter = |a: DVec3, b: DVec3| if b.length_squared() < a.length_squared() { b } else { a };
    offsets.into_iter().reduce(shorter).expect("there is always one")
}

/// From the nearest point of a triangle to a point.
pub fn from_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let inside = [[a, b], [b, c], [c, a]].iter().all(|&[a, b]| normal.dot((b - a).cross(p - a)) >= 0.0);
    if inside && normal.length_squared() > 0.0 {
        return normal * (normal.dot(p - a) / normal.length_squared());
    }
    shortest([[a, b], [b, c], [c, a]].map(|edge| from_edge(p, edge)))
}

/// From the nearest point of the second edge to that of the first.
pub fn between_edges(p: [DVec3; 2], q: [DVec3; 2]) -> DVec3 {
    let ends = [from_edge(p[0], q), from_edge(p[1], q), -from_edge(q[0], p), -from_edge(q[1], p)];
    let (u, v, r) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let determinant = uu * vv - uv * uv;
    if determinant > 0.0 {
        let s = (uv * v.dot(r) - vv * u.dot(r)) / determinant;
        let t = (uu * v.dot(r) - uv * u.dot(r)) / determinant;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            return shortest(ends.into_iter().chain([r + s * u - t * v]));
        }
    }
    shortest(ends)
}

/// Whether an edge goes through a triangle. An edge in the plane of the triangle does not.
pub fn goes_through([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    let (above, below) = (normal.dot(p - a), normal.dot(q - a));
    if above * below > 0.0 || above == below {
        return false;
    }
    let point = p.lerp(q, above / (above - below));
    from_triangle(point, [a, b, c]).length() <= 1e-9 * p.distance(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    #[test]
    fn a_node_is_nearest_to_the_inside_an_edge_or_a_corner() {
        let at = |x, y, z| from_triangle(DVec3::new(x, y, z), TRIANGLE);
        assert_eq!(at(0.25, 0.25, -2.0), DVec3::new(0.0, 0.0, -2.0));
        assert_eq!(at(0.5, -1.0, 1.0), DVec3::new(0.0, -1.0, 1.0));
        assert_eq!(at(3.0, 0.0, 1.0), DVec3::new(2.0, 0.0, 1.0));
    }

    #[test]
    fn edges_are_nearest_inside_or_at_their_ends() {
        let x = [DVec3::NEG_X, DVec3::X];
        let over = |z: f64, y: f64| [DVec3::new(0.5, y, z), DVec3::new(0.5, y + 2.0, z)];
        assert_eq!(between_edges(x, over(0.25, -1.0)), DVec3::new(0.0, 0.0, -0.25));
        assert_eq!(between_edges(x, over(0.25, 1.0)), DVec3::new(0.0, -1.0, -0.25));
        let parallel = x.map(|p| p + DVec3::new(0.5, 0.0, 3.0));
        assert_eq!(between_edges(x, parallel).length(), 3.0);
        assert_eq!(between_edges(x, [DVec3::Z; 2]), DVec3::NEG_Z);
    }

    #[test]
    fn an_edge_goes_through_or_passes_by() {
        let through = |x, y| [DVec3::new(x, y, -1.0), DVec3::new(x, y, 0.5)];
        assert!(goes_through(through(0.25, 0.25), TRIANGLE));
        assert!(!goes_through(through(0.75, 0.75), TRIANGLE));
        let above = through(0.25, 0.25).map(|p| p + 2.0 * DVec3::Z);
        assert!(!goes_through(above, TRIANGLE));
    }
}
