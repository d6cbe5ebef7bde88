//! `taffeta view`: opens a scene in a window.

use std::path::PathBuf;
use std::process::ExitCode;

use taffeta::Error;
use taffeta::render::{Look, Mode};
use taffeta::viewer::{self, Options};

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::overrides::Overrides;
use super::{parse, pictures, scene_file};

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

The left button picks and drags the cloth; the panel in the window lists keys and settings.";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut scene = scene_file::load(&args.scene)?;
    let requirements = args.overrides.apply(&mut scene, &args.scene)?;
    let options = Options {
        name: scene.name,
        gpu: args.gpu.options(requirements),
        camera: scene.camera.map(pictures::camera),
        look: Look { mode: args.show, ..Look::default() },
        paused: args.paused,
    };
    let shown = viewer::run(scene.model, scene.settings, options);
    shown.map(|()| ExitCode::SUCCESS).map_err(|error| match error {
        Error::Gpu(error) => args.gpu.choice.blame(error),
        // The input was checked above: what is left is a machine without a window system.
        error => Failure::while_running(error),
    })
}
