//! How many frames to simulate before the next picture.

/// Keeps simulated time in step with the clock, and lets it fall behind on slow machines.
#[derive(Debug)]
pub(super) struct Pacing {
    frame_time: f64,
    due: f64,
}

/// Most frames simulated for one picture. With more, a slow machine would fall further and further behind:
/// each picture would take longer than the last.
const MOST: f64 = 2.0;

impl Pacing {
    pub fn new(frame_time: f32) -> Self {
        Self { frame_time: f64::from(frame_time), due: 0.0 }
    }

    /// Frames to simulate, `elapsed` seconds after the last call.
    pub fn frames(&mut self, elapsed: f64) -> u32 {
        // A twentieth of a frame early counts as on time: screens and simulation both run at roughly 60 Hz.
        self.due += elapsed.max(0.0) / self.frame_time;
        let frames = (self.due + 0.05).floor().min(MOST);
        self.due = (self.due - frames).min(1.0);
        frames as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_time_follows_the_clock() {
        for rate in [24.0, 60.0, 75.0, 144.0] {
            let mut pacing = Pacing::new(1.0 / 60.0);
            let frames: u32 = (0..(10.0 * rate) as u32).map(|_| pacing.frames(1.0 / rate)).sum();
            let expected = 600.0f64.min(10.0 * rate * MOST);
            assert!((f64::from(frames) - expected).abs() <= 2.0, "{rate} Hz: {frames} frames");
        }
    }

    #[test]
    fn a_long_pause_is_not_made_up_for() {
        let mut pacing = Pacing::new(1.0 / 60.0);
        assert_eq!(pacing.frames(30.0), 2);
        assert!(pacing.frames(1.0 / 60.0) <= 2);
        assert_eq!(pacing.frames(1.0 / 60.0), 1);
    }
}
