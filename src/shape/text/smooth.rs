//! Moves inner points to improve the triangles around them.

use glam::DVec2;

use super::quality::angles;
use super::triangulate::Flat;

/// Number of visits of all points.
const ROUNDS: usize = 5;
/// If the smallest angle is above this \[radians\], an even size matters more than the angle.
const GOOD: f64 = 0.6;

/// For each point the center of the triangles around it; the point itself on the outline or without triangles.
pub(super) fn centers(flat: &Flat) -> Vec<DVec2> {
    let around = Around::new(flat);
    let center = |i: usize| if around.is_inner[i] { around.center(flat, i) } else { flat.points[i] };
    (0..flat.points.len()).map(center).collect()
}

/// Moves each inner point to the center of its triangles, unless this makes their smallest angle worse.
pub(super) fn smooth(flat: &mut Flat) {
    let around = Around::new(flat);
    for _ in 0..ROUNDS {
        for i in (0..flat.points.len()).filter(|&i| around.is_inner[i]) {
            let before = flat.points[i];
            let was = around.smallest(flat, i);
            let center = around.center(flat, i);
            // Try the whole way, then half of it.
            let better = [1.0, 0.5].iter().any(|part| {
                flat.points[i] = before.lerp(center, *part);
                around.smallest(flat, i) >= was.min(GOOD)
            });
            if !better {
                flat.points[i] = before;
            }
        }
    }
}

/// The triangles around each point.
struct Around {
    first: Vec<u32>,
    triangles: Vec<u32>,
    /// Whether the triangles surround it completely.
    is_inner: Vec<bool>,
}

impl Around {
    fn new(flat: &Flat) -> Self {
        let count = flat.points.len();
        let mut first = vec![0; count + 1];
        flat.triangles.iter().flatten().for_each(|&n| first[n as usize + 1] += 1);
        (0..count).for_each(|i| first[i + 1] += first[i]);
        let mut next = first.clone();
        let mut triangles = vec![0; 3 * flat.triangles.len()];
        for (t, corners) in flat.triangles.iter().enumerate() {
            for &n in corners {
                triangles[next[n as usize] as usize] = t as u32;
                next[n as usize] += 1;
            }
        }
        let mut around = Self { first, triangles, is_inner: Vec::new() };
        around.is_inner = (0..count).map(|i| around.closes(flat, i)).collect();
        around
    }

    fn of(&self, i: usize) -> &[u32] {
        &self.triangles[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// Whether each side from the point lies between two triangles.
    fn closes(&self, flat: &Flat, i: usize) -> bool {
        let sides = self.of(i).iter().map(|&t| opposite(flat.triangles[t as usize], i as u32));
        let sides: Vec<[u32; 2]> = sides.collect();
        !sides.is_empty() && sides.iter().all(|[_, b]| sides.iter().any(|[a, _]| a == b))
    }

    /// Centroid of the area of the triangles.
    fn center(&self, flat: &Flat, i: usize) -> DVec2 {
        let (mut sum, mut total) = (DVec2::ZERO, 0.0);
        for &t in self.of(i) {
            let [a, b, c] = flat.triangles[t as usize].map(|n| flat.points[n as usize]);
            let area = (b - a).perp_dot(c - a);
            sum += area * (a + b + c) / 3.0;
            total += area;
        }
        sum / total
    }

    /// Smallest angle of the triangles; negative if one is inverted.
    fn smallest(&self, flat: &Flat, i: usize) -> f64 {
        let corners = self.of(i).iter().map(|&t| flat.triangles[t as usize].map(|n| flat.points[n as usize]));
        corners.map(|t| angles(t).into_iter().fold(f64::INFINITY, f64::min)).fold(f64::INFINITY, f64::min)
    }
}

/// The other two corners of a triangle, in its order.
fn opposite([a, b, c]: [u32; 3], i: u32) -> [u32; 2] {
    match () {
        () if a == i => [b, c],
        () if b == i => [c, a],
        () => [a, b],
    }
}
