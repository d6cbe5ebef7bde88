//! Which leaf of the tree each triangle is in: halves along the longest side, down to leaves.
//!
//! The tree is complete, so that its nodes need no links. A subtree of c leaves takes up to c of them, about half of what there is
//! on each side; what is left over are empty leaves. Subtrees are then as compact as the body allows.

use glam::Vec3;

use super::elements::LEAF;
use crate::model::extent;

/// Subtrees of fewer leaves are not worth another thread.
const SHARED: usize = 256;

/// Triangles by their numbers, with a place of each at rest \[m\].
type Triangles = Vec<(u32, Vec3)>;

/// The triangles of each leaf of a tree with so many leaves, from those of each body. A leaf has triangles of one body.
pub fn leaves(bodies: Vec<Triangles>, leaves: usize) -> Vec<Vec<u32>> {
    let mut filled = vec![Vec::new(); leaves];
    fill(bodies, &mut filled);
    filled
}

/// Leaves that hold so many triangles of a body.
pub fn leaf_count(triangles: usize) -> usize {
    triangles.div_ceil(LEAF)
}

/// Fills empty leaves.
fn fill(mut bodies: Vec<Triangles>, filled: &mut [Vec<u32>]) {
    bodies.retain(|triangles| !triangles.is_empty());
    let room = filled.len();
    if room == 1 || bodies.is_empty() {
        filled[0].extend(bodies.into_iter().flatten().map(|(number, _)| number));
        filled[0].sort_unstable();
        return;
    }
    let all: usize = bodies.iter().map(|triangles| leaf_count(triangles.len())).sum();
    let half = all.div_ceil(2);
    let (mut left, mut right, mut taken) = (Vec::new(), Vec::new(), 0);
    for mut triangles in bodies {
        let count = leaf_count(triangles.len());
        let part = half.saturating_sub(taken).min(count);
        // A body that is nearly whole on one side stays whole if there is room.
        let part = match part {
            part if 4 * part > 3 * count && taken + count <= room / 2 => count,
            part if 4 * part < count && all - taken <= room / 2 => 0,
            part => part,
        };
        taken += part;
        let rest = if part == count { Vec::new() } else { split(&mut triangles, LEAF * part) };
        left.push(triangles);
        right.push(rest);
    }
    let (first, second) = filled.split_at_mut(room / 2);
    if room < SHARED {
        fill(left, first);
        fill(right, second);
    } else {
        rayon::join(|| fill(left, first), || fill(right, second));
    }
}

/// Takes all but the first `count` triangles along the longest side.
fn split(triangles: &mut Triangles, count: usize) -> Triangles {
    let centers: Vec<Vec3> = triangles.iter().map(|(_, center)| *center).collect();
    let size = extent(&centers);
    let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
    if count > 0 {
        triangles
            .select_nth_unstable_by(count - 1, |a, b| a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0)));
    }
    triangles.split_off(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of triangles along x.
    fn row(first: u32, count: usize) -> Triangles {
        (0..count).map(|k| (first + k as u32, Vec3::X * k as f32)).collect()
    }

    #[test]
    fn every_triangle_is_in_one_leaf_of_its_own_body() {
        for counts in [vec![1], vec![4, 4], vec![13, 1, 30], vec![3, 200, 5, 5], vec![0, 9]] {
            let room = counts.iter().map(|&n| leaf_count(n)).sum::<usize>().next_power_of_two();
            let bodies = counts.iter().enumerate().map(|(b, &n)| row(1000 * b as u32, n)).collect();
            let filled = leaves(bodies, room);
            assert_eq!(filled.len(), room);
            assert!(filled.iter().all(|leaf| leaf.len() <= LEAF), "{filled:?}");
            assert!(filled.iter().all(|leaf| leaf.iter().all(|t| t / 1000 == leaf[0] / 1000)), "{filled:?}");
            let mut all: Vec<u32> = filled.into_iter().flatten().collect();
            all.sort_unstable();
            let expected =
                counts.iter().zip(0..).flat_map(|(&n, b)| (0..n as u32).map(move |k| 1000 * b + k));
            assert_eq!(all, expected.collect::<Vec<u32>>(), "{counts:?}");
        }
    }

    #[test]
    fn leaves_are_runs_of_neighbors() {
        let filled = leaves(vec![row(0, 61)], 16);
        assert!(filled.iter().filter(|leaf| !leaf.is_empty()).all(|leaf| leaf[leaf.len() - 1] - leaf[0] < 4));
    }
}
