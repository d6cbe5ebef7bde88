//! Whether a plane parts two triangles: a cheap test that saves most comparisons of their features where a surface is flat.

use glam::DVec3;

/// Least sine of an angle of a triangle whose plane counts.
const FLAT: f64 = 1e-6;

/// A triangle: its nodes, and where they are \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Their numbers.
    pub nodes: [u32; 3],
    /// \[m\].
    pub at: [DVec3; 3],
}

/// Whether no features of two triangles come within m \[m\] of each other, but for those with a common node, because a plane is between
/// them. False says nothing.
///
/// The plane goes through all nodes that both have. What is at it of one triangle is a side a b, or the one common node a, and all other
/// nodes are farther from it than H. Points of two features within m of each other are within m of the plane. So, where L is the longest side, each
/// is within m L / H of a or b, if its feature has that node, or else nowhere. Features without a common node have different ones: then
/// |a b| < m + 2 m L / H, which is not so for |a b| > H = sqrt(3 m L), while H < L. Without common nodes H = m is enough, on one side.
pub fn are_parted(p: &Triangle, q: &Triangle, m: f64) -> bool {
    let common = p.nodes.iter().filter(|node| q.nodes.contains(node)).count();
    let longest = longest_side(p).max(longest_side(q));
    let height = if common == 0 { m } else { (3.0 * m * longest).sqrt() };
    let is_parted =
        |[own, other]: [&Triangle; 2]| (0..3).any(|k| is_behind_side(own, k, other, height, common > 0));
    height < longest
        && common < 3
        && ([[p, q], [q, p]].into_iter().any(is_parted) || common == 1 && are_opposite(p, q, height))
}

/// Whether the other triangle is on the far side of the plane through a side, at right angles to its own triangle.
fn is_behind_side(own: &Triangle, k: usize, other: &Triangle, height: f64, has_common: bool) -> bool {
    let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3];
    if other.nodes.contains(&own.nodes[c]) {
        return false;
    }
    let side = own.at[b] - own.at[a];
    let inward = own.at[c] - own.at[a];
    let inward = inward * side.length_squared() - side * side.dot(inward);
    let size = inward.length();
    // Without area it would be rounding alone.
    let has_area = size > FLAT * side.length_squared() * (own.at[c] - own.at[a]).length();
    if !has_area {
        return false;
    }
    let ahead = |x: DVec3| inward.dot(x - own.at[a]);
    let is_far = |i: usize| own.nodes.contains(&other.nodes[i]) || ahead(other.at[i]) < -height * size;
    (0..3).all(is_far) && (!has_common || ahead(own.at[c]) > height * size && side.length() > height)
}

/// Whether triangles with one common node are on both sides of the plane between their directions from there.
fn are_opposite(p: &Triangle, q: &Triangle, height: f64) -> bool {
    let Some(node) = (0..3).find(|&k| q.nodes.contains(&p.nodes[k])) else { return false };
    let beside = |own: &Triangle, other: &Triangle| {
        [0, 1, 2].map(|k| (!other.nodes.contains(&own.nodes[k])).then(|| own.at[k] - p.at[node]))
    };
    let (of_p, of_q) = (beside(p, q), beside(q, p));
    let toward =
        |all: &[Option<DVec3>; 3]| all.iter().flatten().map(|x| x.normalize_or_zero()).sum::<DVec3>();
    let normal = (toward(&of_p) - toward(&of_q)).normalize_or_zero();
    of_p.iter().flatten().all(|x| normal.dot(*x) > height)
        && of_q.iter().flatten().all(|x| normal.dot(*x) < -height)
}

fn longest_side(&Triangle { at: [a, b, c], .. }: &Triangle) -> f64 {
    a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::distance::{between_edges, from_triangle};

    /// The least distance of features without a common node.
    fn distance(p: &Triangle, q: &Triangle) -> f64 {
        let mut least = f64::MAX;
        for (own, other) in [(p, q), (q, p)] {
            for k in (0..3).filter(|&k| !other.nodes.contains(&own.nodes[k])) {
                least = least.min(from_triangle(own.at[k], other.at).length());
            }
        }
        for (j, k) in (0..9).map(|n| (n / 3, n % 3)) {
            let [a, b] = [(p, j), (q, k)].map(|(t, k)| [t.nodes[k], t.nodes[(k + 1) % 3]]);
            let [x, y] = [(p, j), (q, k)].map(|(t, k)| [t.at[k], t.at[(k + 1) % 3]]);
            if !a.iter().any(|node| b.contains(node)) {
                least = least.min(between_edges(x, y).length());
            }
        }
        least
    }

    #[test]
    fn a_triangle_without_area_parts_nothing() {
        let e = 43.0 / 4_294_967_296.0;
        let p = [DVec3::ZERO, DVec3::new(1.0, e, 0.0), DVec3::new(3.0, 3.0 * e, 0.0)];
        let q = [DVec3::new(0.5, -1.0, -1.0), DVec3::new(0.5, 1.0, -1.0), DVec3::new(0.5, 0.0, 1.0)];
        let of = |nodes, at| Triangle { nodes, at };
        assert!(!are_parted(&of([0, 1, 2], p), &of([3, 4, 5], q), 1e-5));
    }

    /// Triangles of six nodes at places of a coarse grid, moved a little: they are often flat, folded over, or without area.
    #[test]
    fn what_is_parted_is_apart() {
        let mut seed = 1u32;
        let mut roll = |below: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            f64::from((seed >> 8) % below)
        };
        let mut counts = [[0; 2]; 3];
        for round in 0..30_000 {
            let noise = [0.0, 1e-6, 1e-3, 0.1][round % 4];
            let mut coordinate = || roll(3) + noise * roll(1000) / 1000.0;
            let place = [(); 6].map(|()| DVec3::from_array([(); 3].map(|()| coordinate())));
            let of = |nodes: [u32; 3]| Triangle { nodes, at: nodes.map(|i| place[i as usize]) };
            let common = round % 3;
            let (p, q) = (of([0, 1, 2]), of([[3, 4, 5], [3, 2, 4], [1, 0, 3]][common]));
            let m = 10f64.powi(-(round as i32 % 7));
            let is_parted = are_parted(&p, &q, m);
            assert!(!is_parted || distance(&p, &q) > m, "{p:?} {q:?} {m}");
            counts[common][usize::from(is_parted)] += 1;
        }
        assert!(counts.iter().flatten().all(|count| *count > 1000), "{counts:?}");
    }

    #[test]
    fn so_are_all_triangles_of_a_flat_sheet() {
        let node = |x: u32, z: u32| x + 5 * z;
        let at = |i: u32| DVec3::new(f64::from(i % 5), 0.0, 0.5 * f64::from(i / 5));
        let mut all = Vec::new();
        for (x, z) in (0..16).map(|k| (k % 4, k / 4)) {
            for nodes in [
                [node(x, z), node(x, z + 1), node(x + 1, z)],
                [node(x + 1, z), node(x, z + 1), node(x + 1, z + 1)],
            ] {
                all.push(Triangle { nodes, at: nodes.map(at) });
            }
        }
        for (i, p) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|q| are_parted(p, q, 1e-3)), "{p:?}");
        }
    }
}
