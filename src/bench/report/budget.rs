//! The time left of the time allowed.

use std::time::{Duration, Instant};

/// A time budget, with its end.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    end: Instant,
}

impl Budget {
    /// A budget that ends this many seconds from now.
    pub fn seconds(seconds: f64) -> Self {
        Self { end: Instant::now() + Duration::from_secs_f64(seconds.max(0.0)) }
    }

    /// The time left \[s\]; zero after the end.
    pub fn left(&self) -> f64 {
        self.end.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// A fraction of the time left \[s\].
    pub fn share(&self, part: f64) -> f64 {
        part * self.left()
    }
}
