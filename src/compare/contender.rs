//! One run of one solver: its settings and its measurements.

use std::fmt;
use std::ops::ControlFlow;

use super::Options;
use super::kept::Kept;
use super::meter::Meter;
use super::row::{Row, Verdict};
use super::sampling::Sampling;
use super::sweep::SweepKey;
use super::trajectory::Trajectory;
use crate::Error;
use crate::bench::{Clock, median};
use crate::gpu::GpuError;
use crate::method::Stability;
use crate::model::Model;
use crate::reference::State64;
use crate::settings::{SUBSTEPS, Settings, SolverKind, Substeps};
use crate::simulation::Simulation;

/// A gain of energy above this fraction of its scale cannot come from the motion itself.
const GAIN: f64 = 1.0;

/// The color of a solver: its index in [`crate::chart::PALETTE`].
pub fn color(solver: SolverKind) -> usize {
    SolverKind::ALL.iter().position(|kind| *kind == solver).unwrap_or_default()
}

/// A planned run.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    settings: Settings,
    /// The value of a sweep.
    value: Option<(SweepKey, u32)>,
}

/// All runs, solver by solver. Every solver has the scene's settings; a sweep sets one value after another.
pub(super) fn all(model: &Model, settings: &Settings, options: &Options) -> Vec<Contender> {
    let mut contenders = Vec::new();
    for &solver in &options.solvers {
        let plain = settings.with_solver(solver);
        let with = |value: u32, sweep: &super::Sweep| {
            let mut settings = plain.clone();
            sweep.apply(value, &mut settings);
            Contender { settings, value: Some((sweep.key, value)) }
        };
        match &options.sweep {
            // Explicit solvers have no iterations.
            Some(sweep) if sweep.key == SweepKey::Substeps || !solver.is_explicit() => {
                let mut values = sweep.values.clone();
                if sweep.key == SweepKey::Substeps {
                    values.extend(stable_substeps(model, &plain, &values));
                }
                contenders.extend(values.into_iter().map(|value| with(value, sweep)));
            }
            _ => contenders.push(Contender { settings: plain, value: None }),
        }
    }
    contenders
}

/// The substeps that a solver recommends and twice as many, if it refuses all values of a sweep, so that it still has
/// a line in the plot. Empty if it accepts some of the values or has no stable step.
fn stable_substeps(model: &Model, settings: &Settings, values: &[u32]) -> Vec<u32> {
    let stability = Stability::of(model, settings);
    let takes = |substeps| stability.substeps(&settings.clone().with(SUBSTEPS, substeps));
    if values.iter().any(|value| takes(Substeps::Fixed(*value)).is_ok()) {
        return Vec::new();
    }
    takes(Substeps::Auto).map_or(Vec::new(), |recommended| vec![recommended, 2 * recommended])
}

impl Contender {
    /// Substeps, if they are fixed, of a solver that needs few.
    pub fn fixed_substeps(&self) -> Option<u32> {
        match self.settings.step.substeps {
            Substeps::Fixed(n) if !self.settings.solver.is_explicit() => Some(n),
            _ => None,
        }
    }

    /// Makes the run; `None` if `watch` cut it short. `exact` is the converged solution.
    pub fn run(
        &self,
        clock: &Clock<'_>,
        model: &Model,
        kept: &Kept,
        sampling: &Sampling,
        exact: &Trajectory,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<Row>, Error> {
        let solver = self.settings.solver;
        let mut row = Row::new(solver);
        row.iterations = (!solver.is_explicit()).then(|| self.settings.iterations());
        if let Substeps::Fixed(substeps) = self.settings.step.substeps {
            row.substeps = Some(substeps);
        }
        let mut simulation = match Simulation::new(clock.gpu(), model, &self.settings) {
            Ok(simulation) => simulation,
            Err(Error::Gpu(error)) if !matches!(error, GpuError::Limit { .. }) => return Err(error.into()),
            Err(error) => {
                row.reason = Some(error.to_string());
                return Ok(Some(row));
            }
        };
        // Stiff springs take more iterations by default.
        row.iterations = (!solver.is_explicit()).then(|| simulation.settings().iterations());
        row.substeps = Some(simulation.substeps());
        row.step = Some(simulation.step_length().into());
        let mut times = Vec::new();
        let mut state = simulation.state()?;
        let mut meter = Meter::new(model, &self.settings, (kept, exact), row, &State64::from(&state));
        let mut ended = Ok(());
        for frame in 1..=sampling.frames {
            if watch(frame as f64 / sampling.frames as f64).is_break() {
                return Ok(None);
            }
            times.push(clock.seconds(&mut simulation)?);
            ended = simulation.largest_stretch().map(drop);
            if ended.is_err() {
                break;
            }
            state = simulation.state()?;
            meter.row.reached = sampling.time(frame);
            if sampling.is_due(frame) {
                meter.look(sampling.time(frame), &State64::from(&state));
            }
            if frame == sampling.picture {
                meter.row.shown = Some(state.clone());
            }
        }
        let mut row = meter.row;
        if let Some(taken) = simulation.substeps_taken() {
            let frame = f64::from(self.settings.step.frame_time);
            (row.substeps, row.step) = (Some(taken.most), Some(frame / f64::from(taken.most)));
        }
        // The first frame warms caches up.
        let frame = median(if times.len() > 1 { &mut times[1..] } else { &mut times });
        row.frame_seconds = Some(frame);
        row.cost = Some(frame / f64::from(self.settings.step.frame_time));
        if row.shown.is_none() {
            row.shown = Some(state);
        }
        match ended {
            Ok(()) => {
                row.distance = row.history.last().and_then(|sample| sample.distance);
                row.verdict = Verdict::Stable;
                if let Some(gain) = meter.gain.filter(|gain| *gain > GAIN) {
                    row.verdict = Verdict::GainedEnergy;
                    let times = if gain < 1e4 { format!("{gain:.2}") } else { format!("{gain:.1e}") };
                    row.reason = Some(format!(
                        "its total energy grew by {times} times the largest kinetic and elastic energy of the \
                         converged motion, and nothing in the scene gives any"
                    ));
                }
            }
            Err(Error::Diverged(breakdown)) => {
                row.verdict = Verdict::BrokeDown;
                row.reason = Some(breakdown.to_string());
            }
            Err(error) => return Err(error),
        }
        Ok(Some(row))
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.settings.solver)?;
        match self.value {
            Some((key, value)) => write!(f, ", {value} {}", key.name()),
            None => Ok(()),
        }
    }
}
