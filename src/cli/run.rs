//! `taffeta run`: simulates a scene without a window.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use taffeta::gpu::Reading;
use taffeta::method::relaxation;
use taffeta::scene::Scene;
use taffeta::simulation::Simulation;

use super::batch::{self, BatchArgs};
use super::checkpoints::{CheckpointArgs, Checkpoints};
use super::failure::Failure;
use super::gpu::GpuArgs;
use super::outputs::{OutputArgs, Outputs};
use super::overrides::Overrides;
use super::progress::Progress;
use super::summary::{Run, Summary};
use super::{interrupt, note, parse, print, scene_file, warnings};

/// Simulate a scene without a window and write the results.
#[derive(clap::Args)]
#[command(long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct Args {
    /// Scene file (.toml)
    pub(super) scene: PathBuf,

    /// Simulated time [s], above 0; whole frames are run, at least one [default: what the scene says]
    #[arg(long, value_name = "S", value_parser = parse::seconds, allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,

    /// With xpbd: print the fewest substeps that keep every spring below this stretch l/r - 1, judged by the end of the
    /// run
    #[arg(long, value_name = "PART", value_parser = parse::stretch, allow_negative_numbers = true, conflicts_with = "batch")]
    stretch: Option<f64>,

    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) outputs: OutputArgs,

    #[command(flatten)]
    pub(super) checkpoints: CheckpointArgs,

    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    pub(super) overrides: Overrides,

    #[command(flatten)]
    pub(super) gpu: GpuArgs,
}

const LONG_ABOUT: &str = "\
Simulates a scene without a window and writes the results.

Progress goes to stderr, the summary to stdout: size, solver, step, stretch of the springs at the end, peak strain, \
lowest node, speed. \
Everything is checked before the run begins: the scene, the options, that the step is stable and that every \
output can be written. A run that breaks down, with NaN or a spring stretched beyond the scene's largest-stretch, stops \
with exit code 1 and names node, spring and step. It writes no final output, but leaves a checkpoint of a good earlier \
state beside the first output; --resume goes on from there. Ctrl-C, SIGTERM and SIGHUP finish the current frame, write \
what was asked for and exit with 130; a second signal ends the program at once, with 1.

The same scene on the same adapter gives the same bits.";

const AFTER_HELP: &str = "\
Examples:
  taffeta run scenes/hanging-sheet.toml --output sheet.obj --output sheet.npy
  taffeta run scenes/net.toml --image net.png --size 1920x1080 --show stretch
  taffeta run scenes/flag.toml --frames flag/ --fps 30
  taffeta run scenes/flag.toml --seconds 4 --sequence flag/ --sequence-format ply --fps 30
  taffeta run scenes/rope.toml --solver verlet --substeps auto --json
  taffeta run scenes/flag.toml --seconds 60 -o flag.ply --checkpoint-every 600
  taffeta run scenes/flag.toml --seconds 60 -o flag.ply --resume flag.taffeta
  taffeta run scenes/batch/napkin.toml --batch scenes/batch/sweep.toml -o ends.npy
  taffeta run scenes/batch/napkin.toml --batch scenes/batch/sweep.toml --copy 17 --image 17.png
  taffeta run scenes/rope.toml --solver explicit-euler --substeps 20 --force    # watch it blow up";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut scene = scene_file::load(&args.scene)?;
    if let Some(sweep) = args.batch.sweep(&args.scene)? {
        match args.batch.copy {
            None => return batch::run(args, &args.batch, &sweep),
            Some(copy) => scene = batch::one(&sweep, copy)?,
        }
    }
    if let Some(seconds) = args.seconds {
        scene.seconds = seconds;
    }
    let requirements = args.overrides.apply(&mut scene, &args.scene)?;
    if let Some(stretch) = args.stretch.filter(|_| !scene.settings.solver.softens()) {
        let message =
            format!("{} has springs as stiff as they are; only xpbd's soften", scene.settings.solver);
        return Err(Failure::input(format!("--stretch {stretch}"), message));
    }
    if let Some(stretch) = args.stretch.filter(|_| relaxation(&scene.settings) > 1.0) {
        let message = "it is not known with a relaxation above 1";
        return Err(Failure::input(format!("--stretch {stretch}"), message));
    }
    let mut outputs = args.outputs.plan(&scene.settings)?;
    let mut checkpoints = args.checkpoints.plan(&args.scene, args.outputs.first())?;
    let gpu = args.gpu.open(requirements.max(outputs.requirements(&scene)))?;
    let mut simulation = Simulation::new(&gpu, &scene.model, &scene.settings)?;
    outputs.prepare(&scene, &simulation)?;
    if checkpoints.resumes() {
        outputs.aim(&simulation)?;
    }
    interrupt::watch()?;
    note(&heading(&scene, &simulation));
    checkpoints.resume(&mut simulation)?;

    let run = simulate(&scene, &mut simulation, &mut outputs, &mut checkpoints).map_err(|failure| {
        outputs.warn_of_incomplete();
        checkpoints.rescue(&simulation, failure)
    })?;
    // Written first, so that it exists even if no other file can be written.
    let checkpoint = checkpoints.finish(&simulation)?;
    let state = simulation.state()?;
    outputs.write_final(&simulation, &state)?;
    let mut written = outputs.written().to_vec();
    written.extend(checkpoint.clone());
    let mut summary = Summary::new(&scene, &simulation, &state, run, &written)?;
    if let Some(asked) = args.stretch {
        summary.advise(&simulation, &state, asked);
    }
    print(&if args.json { summary.json() } else { summary.text() })?;
    warnings::show_all(summary.warnings_of_run(&scene), &args.scene);
    if run.complete {
        return Ok(ExitCode::SUCCESS);
    }
    let how = checkpoint.map_or(String::new(), |file| format!("; --resume {file} goes on from there"));
    note(&format!(
        "interrupted at {:.3} s of {:.3} s; what was asked for has been written{how}\n",
        state.time, scene.seconds
    ));
    Ok(ExitCode::from(interrupt::EXIT_CODE))
}

/// A description of the run, printed before it starts.
fn heading(scene: &Scene, simulation: &Simulation) -> String {
    let settings = simulation.settings();
    format!(
        "{}\n{}{}, {}, on {}\n",
        scene.name,
        scene.summary,
        settings.solver,
        substeps(simulation),
        simulation.gpu().description()
    )
}

/// How many substeps a frame takes, before the run.
pub(super) fn substeps(simulation: &Simulation) -> String {
    let more = if simulation.substeps_taken().is_some() { ", more where surfaces come near" } else { "" };
    format!("substeps a frame: {} of {:.3e} s{more}", simulation.substeps(), simulation.step_length())
}

/// Advances to the end, or to Ctrl-C.
fn simulate(
    scene: &Scene,
    simulation: &mut Simulation,
    outputs: &mut Outputs,
    checkpoints: &mut Checkpoints,
) -> Result<Run, Failure> {
    let (first, before) = (simulation.frames(), simulation.substeps_done());
    let frames = frame_count(scene.seconds - simulation.start_time(), scene.settings.step.frame_time.into());
    if first > frames {
        let (time, seconds) = (simulation.time(), scene.seconds);
        let message =
            format!("{time:.4} s is beyond the end of the run, {seconds} s; a larger --seconds goes on");
        return Err(Failure::input("--resume", message));
    }
    let mut progress = Progress::start(frames, scene.seconds);
    let started = Instant::now();
    checkpoints.take_due(first, simulation)?;
    if first == 0 {
        outputs.write_due(0, simulation)?;
    }
    let (mut frame, mut asked) = (first, None);
    while frame < frames && !interrupt::requested() {
        simulation.step()?;
        frame += 1;
        if outputs.are_due(frame) || checkpoints.are_due(frame) {
            simulation.largest_stretch()?; // no broken state is kept or written
            outputs.write_due(frame, simulation)?;
            checkpoints.take_due(frame, simulation)?;
        }
        // Progress is shown when the GPU has reported it: waiting for that would leave the GPU idle.
        if asked.is_none() && progress.is_due() {
            let (time, steps) = (simulation.time(), simulation.substeps_done() - before);
            asked = Some(simulation.ask_outcomes().map(move |outcomes| (frame, time, steps, outcomes)));
        }
        if let Some((frame, time, steps, outcomes)) = Reading::arrived(&mut asked)? {
            progress.show(frame, time, steps, simulation.verdict(&outcomes)?);
        }
    }
    simulation.largest_stretch()?;
    let substeps = simulation.substeps_done() - before;
    Ok(Run {
        complete: frame == frames,
        first,
        frames: frame,
        substeps,
        wall: started.elapsed().as_secs_f64(),
    })
}

/// Number of whole frames that cover a time [s]; a frame time such as 1/60 s is not exact.
pub(super) fn frame_count(seconds: f64, frame_time: f64) -> u64 {
    (seconds / frame_time - 1e-3).ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::frame_count;

    #[test]
    fn whole_frames_cover_the_time() {
        let sixtieth = f64::from(1.0f32 / 60.0);
        assert_eq!(frame_count(2.0, sixtieth), 120);
        assert_eq!(frame_count(1e4, sixtieth), 600_000);
        assert_eq!(frame_count(0.02, sixtieth), 2);
        assert_eq!(frame_count(1e-9, sixtieth), 1);
    }
}
