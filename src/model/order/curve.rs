//! Nodes along a Z curve (G. M. Morton, "A computer oriented geodetic data base and a new technique in file sequencing",
//! IBM, 1966).

use glam::Vec3;

use super::sorted_by_key;

/// Bits of a coordinate: three of them fill 63.
const BITS: u32 = 21;

/// The indices of `positions` along the curve through their bounding cube; within one cell by index.
pub fn along(positions: &[Vec3]) -> Vec<u32> {
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let size = (high - low).max_element();
    let scale = if size > 0.0 { ((1 << BITS) - 1) as f32 / size } else { 0.0 };
    sorted_by_key(positions.len(), |i| cell((positions[i] - low) * scale))
}

/// The number of a cell along the curve. With extents near the limit of f32 it may be outside the cube, harmlessly.
fn cell(at: Vec3) -> u64 {
    let [x, y, z] = at.to_array().map(|c| spread((c as u64).min((1 << BITS) - 1)));
    x | y << 1 | z << 2
}

/// Puts two zeros before each of the lowest 21 bits.
fn spread(mut x: u64) -> u64 {
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread() {
        for bit in 0..BITS {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread((1 << BITS) - 1), 0x1249_2492_4924_9249);
    }

    #[test]
    fn the_corners_of_cubes_come_in_turn() {
        let corner = |i: usize| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
        let large: Vec<Vec3> = (0..8).map(|i| 1e3 * corner(i) - Vec3::splat(7e4)).collect();
        assert_eq!(along(&large), [0, 1, 2, 3, 4, 5, 6, 7]);
        // Two levels: eight cubes of eight corners each, given in reverse order.
        let nested: Vec<Vec3> = (0..64).rev().map(|i| 2.0 * corner(i / 8) + corner(i % 8)).collect();
        assert_eq!(along(&nested), (0..64).rev().collect::<Vec<u32>>());
    }

    #[test]
    fn nodes_in_one_place_keep_their_order() {
        assert_eq!(along(&[Vec3::ONE; 5]), [0, 1, 2, 3, 4]);
        assert!(along(&[]).is_empty());
    }
}
