//! Whether a segment crosses a triangle, without rounding.
//!
//! All is told from signs of 4 x 4 determinants, on which side of the plane of three points a fourth one lies. They are those
//! of J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997, in the
//! crate `robust`. It computes a determinant in f64, and exactly where rounding could change its sign. That is exact unless
//! a product of three coordinates leaves the range of f64, which it cannot if they come from f32: all bits of it lie
//! between 2^-447 and 2^392.

use glam::{DVec3, Vec3};
use robust::{Coord3D, orient3d};

/// The point \[m\] at which the segment between `ends` crosses the triangle: its ends lie strictly on opposite sides of the
/// triangle's plane, and it passes through the inside or the border. Nothing else depends on rounding than this point.
pub fn crossing(ends: [Vec3; 2], triangle: [Vec3; 3]) -> Option<DVec3> {
    let [p, q] = ends;
    let [a, b, c] = triangle;
    let (from, to) = (side(a, b, c, p), side(a, b, c, q));
    if !((from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0)) {
        return None;
    }
    // The line passes each of the three borders on the same side, or through it.
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    let is_inside = turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0);
    is_inside.then(|| p.as_dvec3().lerp(q.as_dvec3(), from / (from - to)))
}

/// Above zero if `d` is on one side of the plane through the others, below if it is on the other, zero if it is on it.
fn side(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|v| Coord3D { x: v.x, y: v.y, z: v.z });
    orient3d(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use glam::I64Vec3;

    use super::*;

    const TRIANGLE: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Z];

    fn at(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(x, y, z)
    }

    #[test]
    fn a_segment_crosses_the_inside_the_border_and_a_corner() {
        for (x, z) in [(0.25, 0.25), (0.5, 0.0), (0.5, 0.5), (0.0, 0.0), (1.0, 0.0)] {
            let ends = [at(x, -1.0, z), at(x, 3.0, z)];
            assert_eq!(crossing(ends, TRIANGLE), Some(DVec3::new(x.into(), 0.0, z.into())), "{x} {z}");
            let [p, q] = ends;
            assert!(crossing([q, p], TRIANGLE).is_some());
            let [a, b, c] = TRIANGLE;
            assert!(crossing(ends, [a, c, b]).is_some());
        }
        // The next number of f32 outside of each of them.
        for (x, z) in [(0.5, -1e-45), (0.5f32, 0.5f32.next_up()), (-1e-45, 0.0), (1.0f32.next_up(), 0.0)] {
            assert_eq!(crossing([at(x, -1.0, z), at(x, 1.0, z)], TRIANGLE), None, "{x} {z}");
        }
    }

    #[test]
    fn an_end_on_the_plane_does_not_cross() {
        let inside = at(0.25, 0.0, 0.25);
        for (p, q) in
            [(inside, at(0.25, 1.0, 0.25)), (at(0.0, -1.0, 0.5), at(0.0, 0.0, 0.5)), (inside, inside)]
        {
            assert_eq!(crossing([p, q], TRIANGLE), None);
            assert_eq!(crossing([q, p], TRIANGLE), None);
        }
        // In the plane, right through.
        assert_eq!(crossing([at(-1.0, 0.0, 0.25), at(1.0, 0.0, 0.25)], TRIANGLE), None);
        // The smallest number of f32 beside it.
        let tiny = f32::from_bits(1);
        assert!(crossing([at(0.25, -tiny, 0.25), at(0.25, 1.0, 0.25)], TRIANGLE).is_some());
        assert!(crossing([at(0.25, -tiny, 0.25), at(0.25, tiny, 0.25)], TRIANGLE).is_some());
        assert_eq!(crossing([at(0.25, tiny, 0.25), at(0.25, 1.0, 0.25)], TRIANGLE), None);
    }

    #[test]
    fn nothing_crosses_a_triangle_without_area() {
        let line = [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X];
        assert_eq!(crossing([at(0.5, -1.0, 0.0), at(0.5, 1.0, 0.0)], line), None);
        assert_eq!(crossing([at(0.0, -1.0, 0.0), at(0.0, 1.0, 0.0)], [Vec3::ZERO; 3]), None);
    }

    /// Numbers of f32 of any size within its range give neither infinity nor a zero that is none.
    #[test]
    fn size_does_not_matter() {
        for scale in [1e-44f32, 1e-30, 1.0, 1e38] {
            let ends = [at(0.25, -1.0, 0.25), at(0.25, 1.0, 0.25)].map(|v| scale * v);
            assert!(crossing(ends, TRIANGLE.map(|v| scale * v)).is_some(), "{scale}");
            assert_eq!(crossing(ends.map(|v| v + 2.0 * scale * Vec3::X), TRIANGLE.map(|v| scale * v)), None);
        }
    }

    fn next(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *seed >> 33
    }

    /// Points within a few units in the last place of one plane, against integers.
    #[test]
    fn signs_are_exact_beside_a_plane() {
        let exact = |p: [I64Vec3; 4]| {
            let [u, v, w] = [p[0] - p[3], p[1] - p[3], p[2] - p[3]].map(|d| d.to_array().map(i128::from));
            (u[0] * (v[1] * w[2] - v[2] * w[1])
                + u[1] * (v[2] * w[0] - v[0] * w[2])
                + u[2] * (v[0] * w[1] - v[1] * w[0]))
                .signum()
        };
        let mut seed = 1;
        let (mut zeros, mut wrong_in_f64) = (0, 0);
        for _ in 0..100_000 {
            let points: [I64Vec3; 4] = std::array::from_fn(|_| {
                let [x, z] = [0, 0].map(|_: i32| (next(&mut seed) % (1 << 20)) as i64);
                I64Vec3::new(x, 3 * x + 5 * z + (next(&mut seed) % 3) as i64 - 1, z)
            });
            let expected = exact(points);
            // Each coordinate is one of f32: at most 2^23 in absolute value.
            let [a, b, c, d] = points.map(|p| p.as_vec3());
            let found = side(a, b, c, d);
            assert_eq!(found.partial_cmp(&0.0).unwrap() as i128, expected, "{points:?}");
            let rough = (a - d).dot((b - d).cross(c - d));
            wrong_in_f64 += i32::from(rough.partial_cmp(&0.0).unwrap() as i128 != expected);
            zeros += i32::from(expected == 0);
        }
        assert!(zeros > 100 && wrong_in_f64 > 1000, "{zeros} {wrong_in_f64}");
    }
}
