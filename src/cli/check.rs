//! `taffeta check`: one step on the GPU against the f64 reference, or crossings of cloth.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use taffeta::check::{Comparison, one_step};
use taffeta::gpu::Gpu;
use taffeta::scene::Scene;
use taffeta::settings::{SolverKind, Substeps};
use taffeta::simulation::Simulation;
use taffeta::{Settings, State};

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::overrides::Overrides;
use super::run::frame_count;
use super::{crossings, parse, print, scene_file};

/// Compare one step on the GPU with the f64 reference, or count where cloth crosses itself.
#[derive(clap::Args)]
#[command(long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct Args {
    /// Scene file (.toml)
    scene: PathBuf,

    /// Check every solver that can take the scene, each at the step that it recommends
    #[arg(long, conflicts_with_all = ["solver", "substeps"])]
    all: bool,

    /// Simulated time before the step that is checked [s], above 0: springs must be strained for the
    /// check to mean something [default: 3 frames]
    #[arg(long, value_name = "S", value_parser = parse::seconds, allow_negative_numbers = true)]
    after: Option<f64>,

    /// Run the scene instead, and count where cloth crosses itself or other cloth after every frame
    #[arg(long, conflicts_with_all = ["all", "after"])]
    crossings: bool,

    /// Simulated time [s] of which crossings are counted, above 0; whole frames are run, at least one [default: what the
    /// scene says]
    #[arg(long, value_name = "S", value_parser = parse::seconds, allow_negative_numbers = true, requires = "crossings")]
    seconds: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    overrides: Overrides,

    #[command(flatten)]
    gpu: GpuArgs,
}

const LONG_ABOUT: &str = "\
Compares one step on the GPU with the f64 reference, which is written from the papers and shares no code with \
the kernels.

The scene is first advanced, so that its springs are strained. From that state both take one step. Each node's \
error is divided by a bound on the rounding error of f32 there; the largest quotient is printed with its \
node. A quotient above 1 means that a kernel or driver computes a different step: exit code 1. Contact between surfaces is \
left out of that step.

With --crossings the scene is run instead. At its start and after every frame the crossings are counted: the pairs of an \
edge and a triangle, without a common node, where the edge goes through the triangle. No rounding is involved. Bodies \
without triangles, such as ropes, are left out. Printed are the first frame with crossings, the worst one, and where \
they are there. Any crossing gives exit code 1. Ctrl-C ends the run, and prints what has been counted.";

const AFTER_HELP: &str = "\
Examples:
  taffeta check scenes/net.toml
  taffeta check scenes/rope.toml --all --after 0.5
  taffeta check scenes/hanging-sheet.toml --solver verlet --form mesh
  taffeta check scenes/net.toml --all --json
  taffeta check scenes/flag.toml --crossings --seconds 2";

const FRAMES_BEFORE: f64 = 3.0;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut scene = scene_file::load(&args.scene)?;
    if args.crossings {
        scene.seconds = args.seconds.unwrap_or(scene.seconds);
        let requirements = args.overrides.apply(&mut scene, &args.scene)?;
        return crossings::run(&scene, &args.scene, &args.gpu, requirements, args.json);
    }
    // A single step can be compared even if the method has no stable step.
    let unstable = args.overrides.solver.is_some_and(|solver| solver.grows_undamped());
    scene.settings.step.force |= unstable;
    let requirements = args.overrides.apply(&mut scene, &args.scene)?;
    let gpu = args.gpu.open(requirements)?;
    let after = args.after.unwrap_or(FRAMES_BEFORE * f64::from(scene.settings.step.frame_time));
    let state = advance(&gpu, &scene, after)?;

    let takes = |solver: &SolverKind| taffeta::method::check_held(&scene.model, *solver).is_ok();
    let solvers = match args.all {
        true => SolverKind::ALL.into_iter().filter(takes).collect(),
        false => vec![scene.settings.solver],
    };
    let mut reports = Vec::new();
    for solver in solvers {
        let settings = of_solver(&scene.settings, solver);
        reports.push(one_step(&gpu, &scene.model, &settings, &state)?);
    }
    print(&match args.json {
        true => {
            let (scene, adapter, time) = (&scene.name, gpu.description(), state.time);
            let object =
                serde_json::json!({ "scene": scene, "adapter": adapter, "time": time, "solvers": reports });
            format!("{object:#}\n")
        }
        false => table(&scene, &gpu, state.time, &reports),
    })?;
    match reports.iter().find(|report| report.worst > 1.0) {
        None => Ok(ExitCode::SUCCESS),
        Some(report) => Err(Failure::Run(format!(
            "{} on this GPU is not its reference: the {} of node {} is off by {:.3e}, {:.1} times what rounding \
             allows; a kernel or the driver is wrong",
            report.solver, report.quantity, report.node, report.error, report.worst
        ))),
    }
}

/// The scene's settings for `solver`, with its own substeps if it is not the scene's solver.
fn of_solver(scene: &Settings, solver: SolverKind) -> Settings {
    let mut settings = scene.with_solver(solver);
    if solver != scene.solver {
        settings.step.substeps = Substeps::Auto;
    }
    settings.step.force |= solver.grows_undamped();
    settings
}

/// The state after `seconds`, by the scene's solver, or by local-global if that may blow up.
fn advance(gpu: &Gpu, scene: &Scene, seconds: f64) -> Result<State, Failure> {
    let solver = match scene.settings.solver {
        solver if solver.grows_undamped() => SolverKind::LocalGlobal,
        solver => solver,
    };
    let mut simulation = Simulation::new(gpu, &scene.model, &of_solver(&scene.settings, solver))?;
    for _ in 0..frame_count(seconds, scene.settings.step.frame_time.into()) {
        simulation.step()?;
    }
    simulation.largest_stretch()?;
    Ok(simulation.state()?)
}

fn table(scene: &Scene, gpu: &Gpu, time: f64, reports: &[Comparison]) -> String {
    let mut text =
        format!("{}\n{}one step from {time:.4} s, on {}\n\n", scene.name, scene.summary, gpu.description());
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{:<17} {:>10} {:>13} {:>15} {:>12}  worst",
        "solver", "step [s]", "position [m]", "velocity [m/s]", "error/bound"
    );
    for r in reports {
        let body = &scene.model.body_of(r.node).name;
        let _ = writeln!(
            text,
            "{:<17} {:>10.3e} {:>13.2e} {:>15.2e} {:>12.4}  {} of node {} of '{body}'",
            r.solver, r.step, r.position_error, r.velocity_error, r.worst, r.quantity, r.node
        );
    }
    if reports.len() > 1 && (scene.model.has_inextensible() || scene.model.has_strain_limit()) {
        text += "\nSolvers that cannot keep the length of springs, or its limit, are left out.\n";
    }
    text + "\nLargest errors of any node; error/bound above 1 is a failure.\n"
}
