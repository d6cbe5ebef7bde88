//! Key-framed paths, which are piecewise linear over time.

use std::ops::{Add, Mul, Sub};

use glam::Vec3;

/// Why a list of key frames is not a path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PathError {
    /// No key frame at all.
    #[error("a path needs at least one key frame")]
    Empty,
    /// A time is not after the one before it.
    #[error("key frame {index}: time {time} s is not after the one before it")]
    NotIncreasing {
        /// Position in the list, from zero.
        index: usize,
        /// The offending time \[s\].
        time: f64,
    },
    /// A time or value is NaN or infinite.
    #[error("key frame {index}: time and value must be finite numbers")]
    NotFinite {
        /// Position in the list, from zero.
        index: usize,
    },
}

/// A quantity that can change along a path.
pub trait Quantity:
    Copy + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
    /// Whether it has no NaN and no infinity.
    fn is_finite(self) -> bool;
}

impl Quantity for f32 {
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
}

impl Quantity for Vec3 {
    fn is_finite(self) -> bool {
        Vec3::is_finite(self)
    }
}

/// A displacement \[m\], force \[N\] or pressure \[Pa\] over time: linear between key frames, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Path<T = Vec3> {
    keys: Vec<(f64, T)>,
}

impl<T: Quantity> Path<T> {
    /// A path through (time \[s\], value) pairs with strictly increasing times.
    pub fn new(keys: Vec<(f64, T)>) -> Result<Self, PathError> {
        if keys.is_empty() {
            return Err(PathError::Empty);
        }
        for (index, (time, displacement)) in keys.iter().enumerate() {
            if !time.is_finite() || !displacement.is_finite() {
                return Err(PathError::NotFinite { index });
            }
            if index > 0 && *time <= keys[index - 1].0 {
                return Err(PathError::NotIncreasing { index, time: *time });
            }
        }
        Ok(Self { keys })
    }

    /// Its key frames: time \[s\] and value.
    pub fn keys(&self) -> &[(f64, T)] {
        &self.keys
    }

    /// Whether it has the same value at all times.
    pub fn is_constant(&self) -> bool {
        self.keys.iter().all(|k| k.1 == self.keys[0].1)
    }

    /// Its values at the key frames.
    pub fn values(&self) -> impl Iterator<Item = T> {
        self.keys.iter().map(|key| key.1)
    }

    /// Its value at `time` \[s\].
    pub fn at(&self, time: f64) -> T {
        let after = self.keys.partition_point(|k| k.0 <= time);
        if after == 0 {
            return self.keys[0].1;
        }
        let (t0, a) = self.keys[after - 1];
        match self.keys.get(after) {
            None => a,
            Some(&(t1, b)) => a + (b - a) * (((time - t0) / (t1 - t0)) as f32),
        }
    }
}

impl Path {
    /// A path that stays where it is.
    pub fn still() -> Self {
        Self { keys: vec![(0.0, Vec3::ZERO)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_linear_between_keys_and_constant_outside() {
        let path = Path::new(vec![(1.0, Vec3::ZERO), (3.0, Vec3::X)]).unwrap();
        assert_eq!(path.at(0.0), Vec3::ZERO);
        assert_eq!(path.at(2.0), Vec3::X * 0.5);
        assert_eq!(path.at(9.0), Vec3::X);
    }

    #[test]
    fn a_path_that_goes_back_in_time_is_refused() {
        let keys = vec![(1.0, Vec3::ZERO), (1.0, Vec3::X)];
        assert_eq!(Path::new(keys), Err(PathError::NotIncreasing { index: 1, time: 1.0 }));
    }
}
