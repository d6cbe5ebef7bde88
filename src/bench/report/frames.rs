//! Time of a frame and of set-up against the number of nodes, for every solver at its default settings.

use std::time::Instant;

use serde::Serialize;

use super::super::design::Work;
use super::super::{Clock, FrameTimes, alone, swing};
use super::budget::Budget;
use super::{Skipped, form_name};
use crate::Error;
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::{FORCE, FRAME_TIME, SUBSTEPS, Settings, SolverKind, Substeps};
use crate::simulation::Simulation;
use crate::state::State;

/// Set-up is repeated, for its median, until it has taken this long \[s\].
const SETUP_SECONDS: f64 = 0.5;

/// One solver at one size.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// Name of the solver.
    pub solver: &'static str,
    /// Number of nodes.
    pub nodes: u32,
    /// "grid" or "mesh".
    pub form: &'static str,
    /// Substeps in the frame.
    pub substeps: u32,
    /// Iterations a substep, for implicit solvers.
    pub iterations: Option<u32>,
    /// Dispatches in the frame.
    pub dispatches: u32,
    /// Bytes that its substeps must move by design, if the designs of all kernels are known.
    pub bytes: Option<u64>,
    /// Median time of a frame \[s\].
    pub seconds: f64,
    /// Median time to record and submit a frame \[s\], on the CPU.
    pub recording: f64,
    /// Median time to upload the model and compile the kernels \[s\], on the CPU.
    pub setup: f64,
}

/// Set-up of a model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelBuild {
    /// Nodes.
    pub nodes: u32,
    /// Springs.
    pub springs: usize,
    /// Time to build and check it \[s\], on the CPU.
    pub seconds: f64,
}

/// All results about frames.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Frames {
    /// The measurements.
    pub rows: Vec<Frame>,
    /// The models.
    pub models: Vec<ModelBuild>,
}

/// Default settings of a solver, without contact between surfaces. A solver without a stable step has the substeps of symplectic Euler.
fn settings(solver: SolverKind, symplectic_substeps: u32) -> Settings {
    let settings = alone(solver).with(FRAME_TIME, swing::FRAME);
    match solver.grows_undamped() {
        true => settings.with(SUBSTEPS, Substeps::Fixed(symplectic_substeps)).with(FORCE, true),
        false => settings,
    }
}

/// Measures frames of all solvers at all sizes that fit.
pub fn measure(
    clock: &Clock<'_>,
    sizes: &[u32],
    most_nodes: u32,
    budget: &Budget,
    skipped: &mut Vec<Skipped>,
    progress: &mut dyn FnMut(&str),
) -> Result<Frames, Error> {
    let mut found = Frames::default();
    for &size in sizes {
        if size > most_nodes {
            let reason = format!("this adapter or memory holds about {most_nodes} nodes");
            skipped.push(Skipped { what: "frames of all solvers".into(), nodes: size, reason });
            continue;
        }
        progress(&format!("frames at {size} nodes"));
        let side = f64::from(size).sqrt().round().max(2.0) as u32;
        if predicted_build(&found, side * side) > budget.left() {
            let reason = "building the model would take longer than the time left".to_owned();
            skipped.push(Skipped { what: "frames of all solvers".into(), nodes: side * side, reason });
            continue;
        }
        let start = Instant::now();
        let (model, state) = swing::sheet(side)?;
        let (nodes, springs) = (side * side, model.springs().len());
        found.models.push(ModelBuild { nodes, springs, seconds: start.elapsed().as_secs_f64() });
        let stable = SolverKind::ALL.into_iter().find(|kind| kind.is_explicit() && !kind.grows_undamped());
        let stable = settings(stable.unwrap_or_default(), 1);
        let substeps = crate::method::Stability::of(&model, &stable).substeps(&stable)?;
        for solver in SolverKind::ALL {
            let needed = predicted(&found.rows, solver, nodes) * f64::from(clock.repeats + 1);
            if needed > budget.share(0.25) {
                let reason = format!("{needed:.0} s would exceed its share of the time");
                skipped.push(Skipped { what: format!("frames of {solver}"), nodes, reason });
                continue;
            }
            progress(&format!("frames of {solver} at {nodes} nodes"));
            match one(clock, &model, &state, &settings(solver, substeps)) {
                Ok(frame) => found.rows.push(frame),
                Err(Error::Gpu(error)) => {
                    // Memory may be full, or the device lost: keep the measurements so far.
                    let is_limit = matches!(error, GpuError::Limit { .. });
                    let reason = error.to_string();
                    skipped.push(Skipped { what: format!("frames of {solver}"), nodes, reason });
                    if !is_limit {
                        return Ok(found);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(found)
}

/// A new simulation, and the time \[s\] that it took, compiling included.
fn set_up(clock: &Clock<'_>, model: &Model, settings: &Settings) -> Result<(Simulation, f64), Error> {
    let gpu = clock.gpu.afresh();
    let start = Instant::now();
    let simulation = Simulation::new(&gpu, model, settings)?;
    clock.gpu.wait()?;
    Ok((simulation, start.elapsed().as_secs_f64()))
}

fn one(clock: &Clock<'_>, model: &Model, state: &State, settings: &Settings) -> Result<Frame, Error> {
    let begun = Instant::now();
    let (mut simulation, mut setups) = set_up(clock, model, settings).map(|(s, time)| (s, vec![time]))?;
    while setups.len() < clock.repeats as usize && begun.elapsed().as_secs_f64() < SETUP_SECONDS {
        drop(simulation);
        let (again, time) = set_up(clock, model, settings)?;
        simulation = again;
        setups.push(time);
    }
    let setup = super::super::median(&mut setups);
    simulation.set_state(state)?;
    let FrameTimes { seconds, recording } = clock.median_frame(&mut simulation)?;
    Ok(Frame {
        solver: settings.solver.name(),
        nodes: model.node_count() as u32,
        form: form_name(simulation.form()),
        substeps: simulation.substeps(),
        iterations: (!settings.solver.is_explicit()).then(|| settings.iterations()),
        dispatches: simulation.dispatches(),
        bytes: Work::of_substep(&simulation).bytes.map(|bytes| bytes * u64::from(simulation.substeps())),
        seconds,
        recording,
        setup,
    })
}

/// Predicts the time \[s\] of a frame from the largest size measured so far; explicit solvers need more substeps on
/// finer sheets.
fn predicted(rows: &[Frame], solver: SolverKind, nodes: u32) -> f64 {
    let Some(last) = rows.iter().rfind(|row| row.solver == solver.name()) else { return 0.0 };
    let ratio = f64::from(nodes) / f64::from(last.nodes);
    last.seconds * if solver.is_explicit() { ratio.powf(1.5) } else { ratio }
}

/// Predicts the time \[s\] to build a model and set up all solvers.
fn predicted_build(found: &Frames, nodes: u32) -> f64 {
    let Some(last) = found.models.last() else { return 0.0 };
    let setups: f64 = found.rows.iter().filter(|row| row.nodes == last.nodes).map(|row| row.setup).sum();
    (last.seconds + setups) * f64::from(nodes) / f64::from(last.nodes)
}
