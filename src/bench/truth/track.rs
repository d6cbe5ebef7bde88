//! The motion of exact steps. Each is the minimum that the f64 minimizer finds, and starts from the end of the last.

use std::time::{Duration, Instant};

use glam::DVec3;

use crate::model::{Model, extent};
use crate::reference::minimizer::Minimum;
use crate::reference::objective::Objective;
use crate::reference::{Forces, State64, lengths};
use crate::settings::{Settings, Substeps};

/// Exactness of a step.
#[derive(Clone, Copy)]
pub struct Exactness {
    /// Largest residual force at any node, over the weight of the lightest node \[1\].
    pub left: f64,
    /// Largest relative error of the length of a very stiff spring \[1\].
    pub stretch: f64,
}

/// Exactness for motions: the error of a step of 1/60 s is then 3 um.
const OF_MOTIONS: Exactness = Exactness { left: 1e-3, stretch: 1e-6 };
/// Standard gravity [m/s^2].
const G: f64 = 9.81;
/// For a body of mass M that is L springs long, springs stiffer than sigma = this times M L / h^2 have multipliers:
/// with Newton's method alone, rounding of positions would dominate. A few rounds are enough even if the whole body
/// hangs on one chain.
const PENALTY: f64 = 3.0;
/// Most time for the exact steps of a body.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A body that moves by exact steps.
pub struct Track<'a> {
    model: &'a Model,
    settings: &'a Settings,
    h: f64,
    started: Instant,
    /// Its present state.
    pub state: State64,
}

impl<'a> Track<'a> {
    /// Starts at the initial state of the model, with the substeps of the settings.
    pub fn new(model: &'a Model, settings: &'a Settings) -> Self {
        let state = State64::from(model.initial_state());
        Self { model, settings, h: step_length(settings), started: Instant::now(), state }
    }

    /// Takes `count` substeps; the error says why it cannot.
    pub fn steps(&mut self, count: u32) -> Result<(), String> {
        for _ in 0..count {
            let (h, forces) = (self.h, forces(self.model, self.settings, &self.state));
            let found = minimum(&forces, h, &self.state, OF_MOTIONS);
            let step = (self.state.time / h).round() as u32 + 1;
            if !found.converged {
                return Err(format!("the minimizer leaves {:.1e} N in step {step}", found.residual));
            }
            if self.started.elapsed() > PATIENCE {
                return Err(format!("the minimizer is at step {step} after {} s", PATIENCE.as_secs()));
            }
            let drag = forces.drag_factor(h);
            for i in (0..found.position.len()).filter(|&i| !self.model.pinned()[i]) {
                self.state.velocity[i] = drag * (found.position[i] - self.state.position[i]) / h;
            }
            self.state.position = found.position;
            self.state.time += h;
        }
        Ok(())
    }
}

/// Length of a substep \[s\].
pub fn step_length(settings: &Settings) -> f64 {
    let substeps = match settings.step.substeps {
        Substeps::Fixed(n) => n,
        Substeps::Auto => 1,
    };
    f64::from(settings.step.frame_time) / f64::from(substeps)
}

/// The forces on the model from `state` on.
pub fn forces<'a>(model: &'a Model, settings: &'a Settings, state: &State64) -> Forces<'a> {
    let at = crate::reference::Instant { time: state.time, step: step_length(settings) };
    Forces { at, ..Forces::of(model, settings) }
}

/// The end of the step of length `h` \[s\] from `state`, for any stiffness.
pub fn minimum(forces: &Forces<'_>, h: f64, state: &State64, exactness: Exactness) -> Minimum {
    let start = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
    minimum_from(forces, h, state, start, exactness)
}

/// The minimum of that step, found from `start` \[m\].
pub fn minimum_from(
    forces: &Forces<'_>,
    h: f64,
    state: &State64,
    start: Vec<DVec3>,
    exactness: Exactness,
) -> Minimum {
    let objective = Objective::of_step(forces, h, state);
    let (model, mass) = (forces.model, forces.model.mass());
    let tolerance = exactness.left * G * f64::from(mass.iter().copied().fold(f32::INFINITY, f32::min));
    let shortest = model.springs().iter().map(|s| s.rest_length).fold(f32::INFINITY, f32::min);
    let links = f64::from(extent(model.rest_position()).max_element() / shortest);
    let sigma = PENALTY * mass.iter().map(|m| f64::from(*m)).sum::<f64>() * links / (h * h);
    lengths::minimize_with(&objective, start, tolerance, sigma, exactness.stretch)
}
