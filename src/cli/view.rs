//! `taffeta view`: opens a scene in a window.

use std::path::PathBuf;
use std::process::ExitCode;

use taffeta::chart::PALETTE;
use taffeta::gpu::Requirements;
use taffeta::render::{Look, Mode};
use taffeta::settings::SolverKind;
use taffeta::viewer::{self, Contender, Options};
use taffeta::{Error, compare};

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::overrides::Overrides;
use super::{parse, pictures, scene_file, warnings};

/// Open a scene in a window: look around, pause, step, drag the cloth.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Scene file (.toml)
    scene: PathBuf,

    /// Wait for the space bar before the first step
    #[arg(long)]
    paused: bool,

    /// What is shown first
    #[arg(long, value_name = "WHAT", value_parser = parse::mode(), default_value = "surface")]
    show: Mode,

    /// Solvers to run side by side, separated by commas, each with a body of its own
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = parse::solver(), conflicts_with = "solver")]
    solvers: Vec<SolverKind>,

    #[command(flatten)]
    overrides: Overrides,

    #[command(flatten)]
    gpu: GpuArgs,
}

const AFTER_HELP: &str = "\
Examples:
  taffeta view scenes/hanging-sheet.toml
  taffeta view scenes/flag.toml --paused --show stretch
  taffeta view scenes/net.toml --iterations 200
  taffeta view scenes/classic/rope.toml --solvers symplectic-euler,verlet,newton-multigrid

The left button picks and drags the cloth; the panel in the window lists keys and settings. With several solvers you \
drag each body separately; the view, forces, pause and reset apply to all. A body that breaks down stays as it was.";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut scene = scene_file::load(&args.scene)?;
    parse::check_distinct(&args.solvers)?;
    if !args.solvers.is_empty() {
        warnings::show(&scene, &args.scene);
    }
    let mut requirements = Requirements::default();
    let mut contenders = Vec::new();
    for &solver in &args.solvers {
        let mut settings = scene.settings.clone();
        let chosen = Some(("--solvers", solver));
        let needs =
            args.overrides.apply_with(chosen, &scene.model, &mut settings, &scene.lines, &args.scene)?;
        requirements = requirements.max(needs);
        let color = PALETTE[compare::color(solver) % PALETTE.len()];
        parse::check_mode(args.show, &settings)?;
        contenders.push(Contender { settings, color: Some(color) });
    }
    if contenders.is_empty() {
        requirements = args.overrides.apply(&mut scene, &args.scene)?;
        parse::check_mode(args.show, &scene.settings)?;
        contenders.push(Contender { settings: scene.settings, color: None });
    }
    let options = Options {
        name: scene.name,
        gpu: args.gpu.options(requirements),
        camera: scene.camera.map(pictures::camera),
        look: Look { mode: args.show, ..Look::default() },
        paused: args.paused,
    };
    let shown = viewer::run(scene.model, contenders, options);
    shown.map(|()| ExitCode::SUCCESS).map_err(|error| match error {
        Error::Gpu(error) => args.gpu.choice.blame(error),
        // The input was checked above; the remaining cause is a machine without a window system.
        error => Failure::while_running(error),
    })
}
