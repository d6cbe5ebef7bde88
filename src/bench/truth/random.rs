//! Random numbers for starts and networks.

use glam::Vec3;

/// A small reproducible generator (xorshift64*), of any seed but 0.
pub struct Random(pub u64);

impl Random {
    /// A random number in [0, 1).
    pub fn unit(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A vector of three random numbers in [-1, 1).
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }
}
