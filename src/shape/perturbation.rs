//! A small smooth displacement from a seed, which decides in which direction a symmetric cloth buckles.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{ShapeError, check};

/// Number of plane waves in the sum.
const WAVES: u32 = 16;
/// Most periods of a wave over the length of the body; the fewest is one.
const MOST_PERIODS: f32 = 6.0;

/// A sum of plane waves of random directions and phases: the same displacement at any resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perturbation {
    /// Root mean square of the displacement \[m\].
    pub amplitude: f32,
    /// Seed of the random numbers.
    pub seed: u32,
    /// Whether nodes keep their z.
    pub planar: bool,
}

impl Perturbation {
    /// Displaces nodes at `positions` \[m\] that are not in `held`.
    pub fn apply(&self, positions: &mut [Vec3], held: &[u32]) -> Result<(), ShapeError> {
        check::positive("amplitude", self.amplitude)?;
        let (low, high) = positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let size = (high - low).max_element().max(f32::MIN_POSITIVE);
        let mut random = SplitMix(u64::from(self.seed));
        let waves: Vec<(Vec3, f32, Vec3)> = (0..WAVES)
            .map(|_| {
                let periods = 1.0 + (MOST_PERIODS - 1.0) * random.unit();
                let wave = random.direction() * (TAU * periods / size);
                let phase = TAU * random.unit();
                (wave, phase, if self.planar { random.direction_in_plane() } else { random.direction() })
            })
            .collect();
        let scale = self.amplitude * (2.0 / WAVES as f32).sqrt();
        let mut is_held = vec![false; positions.len()];
        held.iter().for_each(|&node| is_held[node as usize] = true);
        for (x, _) in positions.iter_mut().zip(is_held).filter(|(_, held)| !held) {
            let place = *x - low;
            *x += waves.iter().map(|&(q, phase, d)| scale * (q.dot(place) + phase).sin() * d).sum::<Vec3>();
        }
        Ok(())
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    /// A random number in [0, 1).
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A random direction, uniform on the unit circle around the z axis.
    fn direction_in_plane(&mut self) -> Vec3 {
        let (sin, cos) = (TAU * self.unit()).sin_cos();
        Vec3::new(cos, sin, 0.0)
    }

    /// A random direction, uniform on the unit sphere.
    fn direction(&mut self) -> Vec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = (TAU * self.unit()).sin_cos();
        let radius = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(radius * cos, radius * sin, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(n: u32) -> Vec<Vec3> {
        let at = |i: u32| i as f32 / (n - 1) as f32;
        (0..n * n).map(|i| Vec3::new(at(i % n), 0.0, at(i / n))).collect()
    }

    fn moved(n: u32, seed: u32, held: &[u32]) -> Vec<Vec3> {
        let mut positions = square(n);
        Perturbation { amplitude: 1e-2, seed, planar: false }.apply(&mut positions, held).unwrap();
        positions.iter().zip(square(n)).map(|(a, b)| *a - b).collect()
    }

    #[test]
    fn the_displacement_is_that_of_the_seed_at_any_resolution() {
        let (coarse, fine) = (moved(11, 3, &[]), moved(21, 3, &[]));
        for (i, d) in coarse.iter().enumerate() {
            let (c, r) = (i % 11, i / 11);
            assert!(d.distance(fine[2 * r * 21 + 2 * c]) < 1e-5);
        }
        assert_ne!(coarse, moved(11, 4, &[]));
        let rms = (fine.iter().map(|d| d.length_squared()).sum::<f32>() / fine.len() as f32).sqrt();
        assert!((0.5e-2..2e-2).contains(&rms), "{rms}");
    }

    #[test]
    fn a_planar_displacement_is_as_large_and_keeps_z() {
        let mut positions: Vec<Vec3> = square(21).iter().map(|x| Vec3::new(x.x, x.z, 0.3)).collect();
        let before = positions.clone();
        Perturbation { amplitude: 1e-2, seed: 3, planar: true }.apply(&mut positions, &[]).unwrap();
        assert!(positions.iter().all(|x| x.z == 0.3));
        let sum: f32 = positions.iter().zip(&before).map(|(a, b)| a.distance_squared(*b)).sum();
        let rms = (sum / 441.0).sqrt();
        assert!((0.5e-2..2e-2).contains(&rms), "{rms}");
    }

    #[test]
    fn held_nodes_stay() {
        let moved = moved(5, 1, &[0, 7]);
        assert!(moved.iter().enumerate().all(|(i, d)| (*d == Vec3::ZERO) == (i == 0 || i == 7)));
    }

    #[test]
    fn nonsense_is_refused() {
        for amplitude in [0.0, -1.0, f32::NAN] {
            let error =
                Perturbation { amplitude, seed: 0, planar: false }.apply(&mut square(2), &[]).unwrap_err();
            assert_eq!(error.key, "amplitude");
        }
    }
}
