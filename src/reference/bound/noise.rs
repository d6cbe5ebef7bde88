//! Random disturbances in place of rounding (Monte Carlo arithmetic: D. Parker, "Monte Carlo Arithmetic", UCLA, 1997).

use glam::DVec3;

/// Roundings that a sum of magnitudes stands for.
pub const ROUNDINGS: f64 = 2.0;
const RUNS: u64 = 4;
const SAFETY: f64 = 2.0;

/// Random vectors (xorshift).
pub struct Noise {
    size: f64,
    state: u64,
}

impl Noise {
    /// Each component within `bound`.
    pub fn vector(&mut self, bound: f64) -> DVec3 {
        let mut part = || {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            (self.state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        bound * self.size * DVec3::new(part(), part(), part())
    }
}

/// Twice the largest distance of any node in any of four disturbed runs from where it is without disturbance.
pub fn largest_deviation(run: impl Fn(&mut Noise) -> Vec<DVec3>) -> f64 {
    let exact = run(&mut Noise { size: 0.0, state: 1 });
    SAFETY
        * largest_change(|noise| {
            run(noise).iter().zip(&exact).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
        })
}

/// The largest of four disturbed runs.
pub fn largest_change(run: impl Fn(&mut Noise) -> f64) -> f64 {
    let deviation = |seed| run(&mut Noise { size: 1.0, state: seed });
    (1..=RUNS).map(|seed| deviation(0x9E37_79B9_7F4A_7C15 ^ seed)).fold(0.0, f64::max)
}
