//! How much of the time allowed is left.

use std::time::{Duration, Instant};

/// A part of the run and its end.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    end: Instant,
}

impl Budget {
    /// This many seconds from now.
    pub fn seconds(seconds: f64) -> Self {
        Self { end: Instant::now() + Duration::from_secs_f64(seconds.max(0.0)) }
    }

    /// What is left \[s\]; zero once it is over.
    pub fn left(&self) -> f64 {
        self.end.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// A part of what is left \[s\].
    pub fn share(&self, part: f64) -> f64 {
        part * self.left()
    }
}
