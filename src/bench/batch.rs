//! Throughput of a batch: copies of a small cloth in the same dispatches, compared with one copy after another.

use std::time::Instant;

use serde::Serialize;

use super::{fixed, scene};
use crate::Error;
use crate::gpu::Gpu;
use crate::model::Model;
use crate::settings::{Form, Settings, SolverKind};
use crate::simulation::Simulation;

/// Nodes of a copy: a cloth of 16 x 16.
pub const NODES: u32 = 256;
/// Least wall time of one measurement \[s\].
const LEAST: f64 = 0.1;

/// A measured batch.
#[derive(Clone, Debug, Serialize)]
pub struct Batch {
    /// Number of copies.
    pub copies: u32,
    /// Nodes of each copy.
    pub nodes: u32,
    /// Name of the solver, at its default settings and one substep a frame.
    pub solver: &'static str,
    /// Copies times steps per second of wall time, with all copies in the same dispatches.
    pub together: f64,
    /// Steps per second of wall time of one copy alone, which is the rate of one copy after another.
    pub alone: f64,
    /// The first over the second.
    pub ratio: f64,
}

/// Measures `copies` copies of a 16 x 16 cloth in the grid form; the median of `repeats` counts. Set-up time is
/// excluded from both rates.
pub fn measure(gpu: &Gpu, solver: SolverKind, copies: u32, repeats: u32) -> Result<Batch, Error> {
    let one = scene::sheet(NODES)?;
    let settings = fixed(solver, Form::Grid);
    let alone = rate(gpu, &one, &settings, repeats)?;
    let batch = Model::stack(vec![one; copies as usize])?;
    let together = rate(gpu, &batch, &settings, repeats)?;
    Ok(Batch { copies, nodes: NODES, solver: solver.name(), together, alone, ratio: together / alone })
}

/// Median of copies times steps per second, for frames of one substep.
fn rate(gpu: &Gpu, model: &Model, settings: &Settings, repeats: u32) -> Result<f64, Error> {
    let mut simulation = Simulation::new(gpu, model, settings)?;
    let mut time = |frames: u32| -> Result<f64, Error> {
        // The work must be the same in every repetition.
        simulation.reset()?;
        gpu.wait()?;
        let start = Instant::now();
        for _ in 0..frames {
            simulation.step()?;
        }
        gpu.wait()?;
        Ok(start.elapsed().as_secs_f64())
    };
    time(1)?; // warms up
    let frames = (LEAST / time(2)? * 2.0).ceil().clamp(2.0, 1000.0) as u32;
    let mut times = (0..repeats.max(1)).map(|_| time(frames)).collect::<Result<Vec<_>, _>>()?;
    times.sort_by(f64::total_cmp);
    Ok(f64::from(frames) * f64::from(model.copies()) / times[times.len() / 2])
}
