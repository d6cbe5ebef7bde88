//! Batches: the parameters and the outcome of each copy.

use std::ops::Range;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::world;
use super::{Breakdown, Failure, Simulation};
use crate::Error;
use crate::gpu::Reading;
use crate::model::Model;
use crate::settings::{MAX_SUBSTEPS, Settings, SolverKind};

/// The outcome of a copy of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Largest stretch |l / r - 1| of its springs at the end of the last frame.
    pub largest_stretch: f32,
    /// The largest at the end of any frame, up to a failure: since a state was set, and before the checkpoint that the run goes on from.
    pub peak: Peak,
    /// Its first failure. From then on the values of its nodes are meaningless; other copies are not affected.
    pub failure: Option<Failure>,
}

/// The largest stretch of a run, at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// |l / r - 1| of a spring \[1\], which may be stretched or compressed.
    pub stretch: f32,
    /// Frames done when it was reached; 0 where nothing has been stretched.
    pub frame: u32,
}

impl Simulation {
    /// Waits; returns the outcome of each copy after the last frame. An ordinary model is one copy.
    pub fn outcomes(&self) -> Result<Vec<Outcome>, Error> {
        Ok(self.ask_outcomes().wait()?)
    }

    /// [`Simulation::outcomes`] without waiting; [`Simulation::verdict`] turns them into a number or an error.
    pub fn ask_outcomes(&self) -> Reading<Vec<Outcome>> {
        let order = Arc::clone(&self.order);
        self.watch.ask(&self.gpu).map(move |mut outcomes| {
            for failure in outcomes.iter_mut().filter_map(|outcome| outcome.failure.as_mut()) {
                (failure.node, failure.other) = (order.node(failure.node), order.node(failure.other));
            }
            outcomes
        })
    }

    /// A failure with the names of the model; its text is one line.
    pub fn breakdown(&self, failure: &Failure) -> Breakdown {
        // Failures count substeps as if all frames had the least number.
        let substep = f64::from(self.settings.step.frame_time) / f64::from(self.least_substeps);
        // A force is computed at the start of the step.
        let steps = failure.step.saturating_sub(u32::from(failure.is_of_force));
        let seconds = self.start_time + f64::from(steps) * substep;
        let cause = self
            .tension_limit(failure, self.step_length().into())
            .or_else(|| self.pressure_limit(failure, seconds));
        Breakdown::new(*failure, &self.model, seconds, self.settings.step.largest_stretch, cause)
    }

    /// A message if tension broke the run of a solver whose spring directions are constant within a step: its limit is
    /// h < 2 / omega_t, where omega_t^2 is the tension rate.
    fn tension_limit(&self, failure: &Failure, step: f64) -> Option<String> {
        let largest = 2.0 / f64::from(failure.tension_rate).sqrt();
        if failure.tension_rate.is_nan() || step <= largest {
            return None;
        }
        let enough = (f64::from(self.settings.step.frame_time) / (0.9 * largest)).ceil();
        let enough = enough.clamp(1.0, f64::from(MAX_SUBSTEPS));
        Some(format!(
            "in the frame before, the tension of the springs allowed {} steps of at most {largest:.3e} s (2 / omega_t, \
             omega_t^2 = 2 w sum k |l - r| / l), and h is {step:.3e} s: use substeps = {enough} or more, softer springs or \
             more damping",
            self.settings.solver,
        ))
    }

    /// A message if the failed spring or node is on a skin that is under pressure at that time \[s\] and whose springs
    /// the solver may leave soft. Pressure then inflates the skin further and further.
    fn pressure_limit(&self, failure: &Failure, seconds: f64) -> Option<String> {
        let solver = self.settings.solver;
        let ends = [failure.node, failure.other];
        let is_blown = self.model.loads().iter().any(|load| {
            let pressure = load.at(seconds).w;
            pressure != 0.0 && ends.iter().any(|end| load.nodes.contains(end))
        });
        let leaves_soft = !solver.is_explicit() && !solver.estimates_error();
        (is_blown && leaves_soft).then(|| {
            format!(
                "the skin there is under pressure, and where {solver} leaves its springs soft it grows without bound: \
                 use more substeps or iterations, or {}",
                SolverKind::default()
            )
        })
    }

    /// The time \[s\] at which a peak of the present run was reached.
    pub fn time_of(&self, peak: &Peak) -> f64 {
        self.start_time + f64::from(peak.frame) * f64::from(self.settings.step.frame_time)
    }

    /// Waits; returns the largest stretch |l / r - 1| after the last frame, or the error if the run has broken down. A
    /// batch has broken down once all of its copies have; [`Simulation::outcomes`] has the outcome of each.
    pub fn largest_stretch(&self) -> Result<f32, Error> {
        self.verdict(&self.outcomes()?)
    }

    /// The result of [`Simulation::largest_stretch`] from outcomes.
    pub fn verdict(&self, outcomes: &[Outcome]) -> Result<f32, Error> {
        let failure = || outcomes.iter().find_map(|outcome| outcome.failure);
        match (largest_stretch(outcomes), failure()) {
            (None, Some(failure)) => Err(Error::Diverged(Box::new(self.breakdown(&failure)))),
            (stretch, _) => Ok(stretch.unwrap_or(0.0)),
        }
    }
}

/// The largest stretch of any copy that did not break down; `None` if all did.
pub fn largest_stretch(outcomes: &[Outcome]) -> Option<f32> {
    outcomes.iter().filter(|o| o.failure.is_none()).map(|o| o.largest_stretch).reduce(f32::max)
}

/// Three vectors for each copy, as `state/surroundings.wgsl` reads them; empty if all copies are alike.
pub(super) fn surroundings(model: &Model, settings: &Settings, step: f32) -> Result<Vec<Vec4>, Error> {
    let (copies, own) = (model.copies(), settings.copies.len());
    if own != 0 && own != copies as usize {
        let message = format!("settings for {own} copies and a model of {copies}");
        return Err(Error::Argument(message));
    }
    let sizes: Vec<f32> =
        (0..copies).map(|copy| size(&model.initial_state().position[range(model, copy)])).collect();
    if own == 0 && sizes.iter().all(|s| *s == sizes[0]) {
        return Ok(Vec::new());
    }
    let packed = |(copy, &size): (usize, &f32)| world::pack(&settings.world_of(copy as u32), step, size);
    Ok(sizes.iter().enumerate().flat_map(packed).collect())
}

/// Size \[m\] of the first copy.
pub(crate) fn first_size(model: &Model) -> f32 {
    size(&model.initial_state().position[range(model, 0)])
}

fn range(model: &Model, copy: u32) -> Range<usize> {
    let first = copy as usize * model.nodes_per_copy();
    first..first + model.nodes_per_copy()
}

/// Diagonal of the bounding box \[m\], at least a millimeter.
fn size(position: &[Vec3]) -> f32 {
    let low = position.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let high = position.iter().copied().reduce(Vec3::max).unwrap_or_default();
    (high - low).length().max(1e-3)
}
