//! `taffeta run --batch`: many copies of a scene with different parameters, in the same dispatches.

mod outputs;
mod summary;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use taffeta::gpu::{Reading, Requirements};
use taffeta::scene::{Scene, Sweep};
use taffeta::simulation::{Outcome, Simulation, largest_stretch};

use super::failure::Failure;
use super::progress::{Building, Progress};
use super::run::{Args, frame_count, substeps};
use super::summary::Run;
use super::{interrupt, note, print, warnings};
use outputs::Outputs;
use summary::Summary;

/// Options of a batch.
#[derive(clap::Args)]
#[command(next_help_heading = "Batch")]
pub struct BatchArgs {
    /// Sweep file (.toml; docs/batches.md): runs many copies of the scene at once, each with the parameters that
    /// it gives; a copy that breaks down does not stop the others
    #[arg(long, value_name = "SWEEP")]
    batch: Option<PathBuf>,

    /// Run this copy alone, from 0, with every output of a single run
    #[arg(long, value_name = "N", requires = "batch")]
    pub copy: Option<u32>,

    /// File for a table of the copies (.csv or .json): parameters that vary, largest stretch, how far
    /// substeps ended from their minimum, and why a copy broke down
    #[arg(long, value_name = "FILE", requires = "batch", conflicts_with = "copy")]
    table: Option<PathBuf>,

    /// File for the final velocities [m/s] (.npy, float32 of shape (copies, nodes, 3))
    #[arg(long, value_name = "FILE", requires = "batch", conflicts_with = "copy")]
    velocities: Option<PathBuf>,
}

impl BatchArgs {
    /// Reads the sweep file, if one is given.
    pub fn sweep(&self, scene: &Path) -> Result<Option<Sweep>, Failure> {
        let Some(path) = &self.batch else { return Ok(None) };
        Ok(Some(Sweep::load(scene, path)?))
    }
}

/// One copy of a batch as a scene of its own.
pub fn one(sweep: &Sweep, copy: u32) -> Result<Scene, Failure> {
    if copy >= sweep.copies() {
        let message = format!("the batch has the copies 0 to {}", sweep.copies() - 1);
        return Err(Failure::input(format!("--copy {copy}"), message));
    }
    let mut scene = sweep.scene(copy)?;
    scene.name = format!("{}, copy {copy}", scene.name);
    Ok(scene)
}

/// Runs all copies.
pub fn run(args: &Args, batch: &BatchArgs, sweep: &Sweep) -> Result<ExitCode, Failure> {
    if let Some(option) = args.checkpoints.wanted() {
        let message = "a batch has no checkpoints; --copy N runs one copy that can have them";
        return Err(Failure::input(option, message));
    }
    check_room(args, sweep)?;
    let building = Building::start(sweep.copies());
    let mut scene = sweep.batch_with(&|built| building.show(built))?;
    drop(building);
    scene.seconds = args.seconds.unwrap_or(scene.seconds);
    let requirements = args.overrides.apply(&mut scene, &args.scene)?;
    let mut outputs = Outputs::plan(&args.outputs, batch, scene.settings.step.frame_time.into())?;
    let gpu = args.gpu.open(requirements)?;
    let mut simulation = Simulation::new(&gpu, &scene.model, &scene.settings)?;
    interrupt::watch()?;
    note(&heading(&scene, &simulation));

    let (run, outcomes) = simulate(&scene, &mut simulation, &mut outputs)?;
    outputs.write_final(sweep, &simulation, &outcomes)?;
    let summary = Summary::new(&scene, &simulation, run, &outcomes, outputs.written())?;
    print(&if args.json { summary.json() } else { summary.text() })?;
    warnings::show_all(summary.warnings_of_run(&scene), &args.scene);
    if let Some(message) = summary.failure() {
        return Err(Failure::Run(message));
    }
    if run.complete {
        return Ok(ExitCode::SUCCESS);
    }
    note(&format!(
        "interrupted at {:.3} s of {:.3} s; what was asked for has been written\n",
        simulation.time(),
        scene.seconds
    ));
    Ok(ExitCode::from(interrupt::EXIT_CODE))
}

/// Refuses a batch that is too large for the adapter, before all of it is built.
fn check_room(args: &Args, sweep: &Sweep) -> Result<(), Failure> {
    const FEW: u32 = 16;
    let copies = sweep.copies();
    if copies < 16 * FEW {
        return Ok(());
    }
    let needs = |copies| {
        let mut scene = sweep.first(copies)?;
        let solver = args.overrides.solver.map(|solver| ("--solver", solver));
        args.overrides.apply_with(solver, &scene.model, &mut scene.settings, &scene.lines, &args.scene)
    };
    let (few, more) = (needs(FEW)?, needs(2 * FEW)?);
    // Buffers grow by the same number of bytes with each copy.
    let all =
        |few: u64, more: u64| more + more.saturating_sub(few) * u64::from(copies - 2 * FEW) / u64::from(FEW);
    let requirements = Requirements {
        largest_binding: all(few.largest_binding, more.largest_binding),
        largest_buffer: all(few.largest_buffer, more.largest_buffer),
    };
    args.gpu.open(requirements).map(|_| ())
}

/// A description of the run, printed before it starts.
fn heading(scene: &Scene, simulation: &Simulation) -> String {
    format!(
        "{}: {} copies of\n{}{}, {}, on {}\n",
        scene.name,
        simulation.model().copies(),
        scene.summary,
        simulation.settings().solver,
        substeps(simulation),
        simulation.gpu().description()
    )
}

/// Advances to the end, to Ctrl-C, or until every copy has broken down.
fn simulate(
    scene: &Scene,
    simulation: &mut Simulation,
    outputs: &mut Outputs,
) -> Result<(Run, Vec<Outcome>), Failure> {
    let frames = frame_count(scene.seconds, scene.settings.step.frame_time.into());
    let (before, copies) = (simulation.substeps_done(), u64::from(simulation.model().copies()));
    let mut progress = Progress::start(frames, scene.seconds);
    let started = Instant::now();
    outputs.write_due(0, simulation)?;
    let (mut frame, mut asked) = (0, None);
    while frame < frames && !interrupt::requested() {
        simulation.step()?;
        frame += 1;
        outputs.write_due(frame, simulation)?;
        if asked.is_none() && progress.is_due() {
            let (time, steps) = (simulation.time(), copies * (simulation.substeps_done() - before));
            asked = Some(simulation.ask_outcomes().map(move |outcomes| (frame, time, steps, outcomes)));
        }
        if let Some((frame, time, steps, outcomes)) = Reading::arrived(&mut asked)? {
            let Some(stretch) = largest_stretch(&outcomes) else { break };
            progress.show(frame, time, steps, stretch);
        }
    }
    let outcomes = simulation.outcomes()?;
    let wall = started.elapsed().as_secs_f64();
    let substeps = simulation.substeps_done() - before;
    Ok((Run { complete: frame == frames, first: 0, frames: frame, substeps, wall }, outcomes))
}
