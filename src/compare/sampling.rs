//! The frames at which runs are sampled.

use super::Options;
use crate::model::Model;
use crate::settings::Settings;

/// Most samples of a run; enough for a smooth line.
const MOST_SAMPLES: u64 = 120;
/// Most positions in the trajectory of the converged solution, over all samples.
const MOST_POSITIONS: u64 = 8_000_000;

/// The frames of a run, and which of them are sampled.
#[derive(Clone, Debug)]
pub(super) struct Sampling {
    /// Number of frames of the run.
    pub frames: u64,
    /// The frame whose state pictures show.
    pub picture: u64,
    /// Frames between two samples.
    every: u64,
    frame_time: f64,
}

impl Sampling {
    pub fn new(model: &Model, settings: &Settings, options: &Options) -> Self {
        let frame_time = f64::from(settings.step.frame_time);
        // A frame time such as 1/60 s is not exact.
        let frames = (options.seconds / frame_time - 1e-3).ceil().max(1.0) as u64;
        let samples = (MOST_POSITIONS / model.node_count() as u64).clamp(1, MOST_SAMPLES);
        let at = options.picture_at.map_or(frames, |time| (time / frame_time).round() as u64);
        Self { frames, picture: at.min(frames), every: frames.div_ceil(samples), frame_time }
    }

    /// Whether the state after `frame` frames is sampled. The start and the end always are.
    pub fn is_due(&self, frame: u64) -> bool {
        frame == self.frames || frame.is_multiple_of(self.every)
    }

    /// Simulated time after `frame` frames \[s\].
    pub fn time(&self, frame: u64) -> f64 {
        frame as f64 * self.frame_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, ModelBuilder};

    #[test]
    fn start_and_end_are_looked_at_and_not_too_many_frames_between() {
        let mut builder = ModelBuilder::new();
        builder.add(Body { rest_position: vec![glam::Vec3::ZERO], mass: vec![1.0], ..Body::default() });
        let model = builder.build().unwrap();
        for seconds in [0.01, 0.5, 2.0, 100.0] {
            let options = Options { solvers: Vec::new(), sweep: None, seconds, picture_at: Some(0.26) };
            let sampling = Sampling::new(&model, &Settings::default(), &options);
            let due = (0..=sampling.frames).filter(|&frame| sampling.is_due(frame)).collect::<Vec<_>>();
            assert_eq!((due[0], due[due.len() - 1]), (0, sampling.frames));
            assert!(due.len() <= 122, "{} samples of {seconds} s", due.len());
            assert!((sampling.time(sampling.frames) - seconds).abs() < 1.0 / 59.0);
            assert_eq!(sampling.picture, sampling.frames.min(16));
        }
    }
}
