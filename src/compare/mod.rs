//! Several solvers on one scene: the cost of each, the drift of conserved quantities, and the distance to the converged
//! solution.
//!
//! [`run`] steps the scene with every solver on the GPU and measures it; [`plot`] and [`picture`] show the results.
//! `docs/compare.md` defines every figure.
//!
//! If a solver blows up or refuses the step, its row says so. The converged solution is [`Converged`]: an f64 reference
//! in small steps if this is affordable, otherwise the finest run on the GPU.

mod contender;
mod converged;
mod kept;
mod meter;
mod picture;
mod plot;
mod row;
mod sampling;
mod sweep;
mod trajectory;

pub use contender::color;
pub use converged::Converged;
pub use kept::{Kept, Scales};
pub use picture::{Layout, picture, requirements};
pub use plot::plot;
pub use row::{Drift, Row, Sample, StretchRange, Verdict};
pub use sweep::{Sweep, SweepKey};

use std::ops::ControlFlow;

use serde::Serialize;

use crate::Error;
use crate::bench::Clock;
use crate::gpu::{Gpu, Requirements};
use crate::model::Model;
use crate::settings::{CONTACT, SOLVER, Settings, SolverKind};
use crate::simulation::Simulation;
use contender::Contender;
use sampling::Sampling;

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// The solvers, each once.
    pub solvers: Vec<SolverKind>,
    /// A setting that takes several values, one run each.
    pub sweep: Option<Sweep>,
    /// Simulated time \[s\]; whole frames are run, at least one.
    pub seconds: f64,
    /// Simulated time of the states that pictures show \[s\]; `None` for the end.
    pub picture_at: Option<f64>,
}

/// Progress of a comparison.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The present run: a solver, or the converged solution.
    pub what: String,
    /// The part of it that is done, from 0 to 1.
    pub done: f64,
    /// Number of the run, from 1.
    pub run: usize,
    /// Number of all runs.
    pub runs: usize,
}

/// Receives the progress and may end the comparison after the current frame.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// All results. Field names are the keys of the JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Adapter, driver and backend.
    pub adapter: String,
    /// Whether times are GPU time (from timestamps), not wall time.
    pub gpu_time: bool,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of springs.
    pub springs: usize,
    /// Length of a frame \[s\].
    pub frame_time: f64,
    /// Number of frames of each run.
    pub frames: u64,
    /// Simulated time of each run \[s\].
    pub seconds: f64,
    /// Simulated time of the states that pictures show \[s\].
    pub shown_at: f64,
    /// Whether every run was completed.
    pub complete: bool,
    /// The setting that takes several values.
    pub sweep: Option<Sweep>,
    /// The solution to which distances are measured; `None` if it was cut short.
    pub converged: Option<Converged>,
    /// What the scene conserves, and how drifts are scaled.
    pub kept: Kept,
    /// Whether there are surfaces. They do not touch here.
    pub surfaces: bool,
    /// The runs, solver by solver.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// The solvers that have rows, in order.
    pub fn solvers(&self) -> Vec<SolverKind> {
        let mut solvers: Vec<SolverKind> = self.rows.iter().map(|row| row.solver).collect();
        solvers.dedup();
        solvers
    }
}

/// Requirements on the GPU of all runs that are possible.
pub fn run_requirements(model: &Model, settings: &Settings, options: &Options) -> Requirements {
    let mut needs = Requirements::default();
    for solver in options.solvers.iter().copied().chain([converged::FALLBACK]) {
        let settings = settings.clone().with(SOLVER, solver).with(CONTACT, false);
        // If a solver does not support the scene, its row says so.
        needs = needs.max(Simulation::requirements(model, &settings).unwrap_or_default());
    }
    needs
}

/// A length in mm with at least two digits.
fn millimeters(meters: f64) -> String {
    let mm = 1e3 * meters;
    if mm > 0.0 && mm < 1e-3 {
        return format!("{mm:.1e} mm");
    }
    let decimals = (1.0 - mm.max(1e-3).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{mm:.decimals$} mm")
}

/// Runs and measures every solver. `settings` are the scene's; each run sets its solver and the value of the sweep. Surfaces do not
/// touch: those of the converged solution do not.
pub fn run(
    gpu: &Gpu,
    model: &Model,
    settings: &Settings,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Comparison, Error> {
    if model.copies() > 1 {
        return Err(Error::Argument("a batch is not compared as one; compare its copies".into()));
    }
    settings.check()?;
    let settings = &settings.clone().with(CONTACT, false);
    let clock = Clock::new(gpu, 1)?;
    let sampling = Sampling::new(model, settings, options);
    let contenders = contender::all(model, settings, options);
    let runs = contenders.len() + 1;
    let mut found = Comparison {
        adapter: gpu.description(),
        gpu_time: clock.has_timestamps(),
        nodes: model.node_count(),
        springs: model.springs().len(),
        frame_time: settings.step.frame_time.into(),
        frames: sampling.frames,
        seconds: sampling.time(sampling.frames),
        shown_at: sampling.time(sampling.picture),
        complete: false,
        sweep: options.sweep.clone(),
        converged: None,
        kept: Kept::of(model, settings),
        surfaces: !model.triangles().is_empty(),
        rows: Vec::new(),
    };
    let stage = |what: String, run: usize| Progress { what, done: 0.0, run, runs };
    let mut progress = stage("the converged solution".into(), 1);
    let finest = contenders.iter().filter_map(Contender::fixed_substeps).max().unwrap_or(1);
    let exact = converged::find(gpu, model, settings, finest, &sampling, &mut |done| {
        progress.done = done;
        watch(&progress)
    })?;
    let Some((converged, trajectory)) = exact else { return Ok(found) };
    found.converged = Some(converged);
    found.kept.scale(&trajectory.scales);
    for (index, contender) in contenders.iter().enumerate() {
        let mut progress = stage(contender.to_string(), index + 2);
        if watch(&progress).is_break() {
            return Ok(found);
        }
        let row = contender.run(&clock, model, &found.kept, &sampling, &trajectory, &mut |done| {
            progress.done = done;
            watch(&progress)
        })?;
        let Some(row) = row else { return Ok(found) };
        found.rows.push(row);
    }
    found.complete = true;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::millimeters;

    #[test]
    fn lengths_have_the_digits_that_say_something() {
        let found = [0.1814, 0.00886, 4.51e-6, 3.2e-8].map(millimeters);
        assert_eq!(found, ["181 mm", "8.9 mm", "0.0045 mm", "3.2e-5 mm"]);
    }
}
