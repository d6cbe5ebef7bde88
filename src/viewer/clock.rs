//! The time of the window: the only place that asks the system for it.

use std::time::Instant;

/// Counts seconds since its creation.
pub(super) struct Clock(Instant);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
