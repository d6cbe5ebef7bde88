//! `taffeta compare`: several solvers on one scene, as a table, a plot and a picture.

mod progress;
mod table;

use std::io::{IsTerminal, Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use taffeta::compare::{self, Comparison, Layout, Options, Sweep};
use taffeta::gpu::{Gpu, Requirements};
use taffeta::io::atomic;
use taffeta::scene::Scene;
use taffeta::settings::SolverKind;
use taffeta::warning::Warning;

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::method_options::MethodOverrides;
use super::{interrupt, note, parse, pictures, print, print_colored, scene_file, warnings};
use progress::Progress;

/// Run several solvers on one scene and compare cost, energy, stretch and error.
#[derive(clap::Args)]
#[command(long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct Args {
    /// Scene file (.toml)
    scene: PathBuf,

    /// Solvers to compare, separated by commas; all where not given
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = parse::solver())]
    solvers: Vec<SolverKind>,

    /// Run every solver with each of these values: substeps=N,N,... or iterations=N,N,... (the latter of implicit
    /// solvers only); the plot is then error against GPU time
    #[arg(long, value_name = "KEY=N,N,...")]
    sweep: Option<Sweep>,

    /// Simulated time [s], above 0; whole frames are run, at least one [default: what the scene says]
    #[arg(long, value_name = "S", value_parser = parse::seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,

    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    pub(super) json: bool,

    /// Print the table as CSV, in SI units
    #[arg(long)]
    csv: bool,

    /// File for the plot (.svg): the runs over time; with --sweep error against GPU time
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    plot: Option<PathBuf>,

    /// File for a picture of the bodies side by side (.png)
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    image: Option<PathBuf>,

    /// Simulated time that the picture shows [s], up to the end [default: the end]
    #[arg(long, value_name = "S", value_parser = parse::seconds, allow_negative_numbers = true, requires = "image",
          help_heading = "Pictures")]
    at: Option<f64>,

    /// Size of the picture [pixels], each side from 16 to 16384
    #[arg(long, value_name = "WxH", value_parser = parse::size, default_value = "1280x720", requires = "image",
          help_heading = "Pictures")]
    size: [u32; 2],

    #[command(flatten)]
    method: MethodOverrides,

    #[command(flatten)]
    gpu: GpuArgs,
}

const LONG_ABOUT: &str = "\
Runs several solvers on one scene and compares cost, energy, stretch and error.

Every solver gets the scene's settings and the options given here; other settings, such as substeps or iterations, \
have the solver's own defaults. Surfaces do not touch each other here. The converged solution is computed first, in \
f64 on the CPU if the scene is small enough, and its own error is printed. Distances are root mean squares over the nodes to its end. If a solver breaks \
down or refuses the step, its row says why, and the command still succeeds.

Progress goes to stderr, the table to stdout. Ctrl-C ends it after the current frame and writes the finished runs. \
docs/compare.md defines every column.";

const AFTER_HELP: &str = "\
Examples:
  taffeta compare scenes/hanging-sheet.toml
  taffeta compare scenes/hanging-sheet.toml --solvers newton-multigrid,vbd --seconds 2 --image two.png
  taffeta compare scenes/classic/rope.toml --plot rope.svg --image rope.png --at 0.5
  taffeta compare scenes/classic/rope.toml --force    # also where a step is refused, to see it blow up
  taffeta compare scenes/hanging-sheet.toml --seconds 1 --sweep substeps=1,2,4,8 --plot cost.svg
  taffeta compare scenes/net.toml --substeps 4 --json

The plot of a sweep shows which solver is the cheapest for an error: pick the error on the left, go right to the first \
line, read the label there.";

/// The JSON output.
#[derive(Serialize)]
struct Json<'a> {
    scene: &'a str,
    #[serde(flatten)]
    comparison: &'a Comparison,
    warnings: &'a [Warning],
    written: &'a [String],
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut scene = scene_file::load(&args.scene)?;
    warnings::show(&scene, &args.scene);
    args.method.apply(&mut scene.settings);
    scene.settings.check().map_err(|error| Failure::input(args.scene.display(), error))?;
    let options = options(args, &scene)?;
    let layout = Layout {
        size: args.size,
        camera: scene.camera.map(pictures::camera),
        planar: scene.settings.step.planar,
    };
    if let Some(path) = &args.plot {
        pictures::check_file("--plot", path, "svg")?;
    }
    if let Some(path) = &args.image {
        pictures::check_file("--image", path, "png")?;
    }
    let gpu = open(args, &scene, &options, &layout)?;
    interrupt::watch()?;
    note(&format!(
        "{}\n{}{} solvers for {} s, on {}\n",
        scene.name,
        scene.summary,
        options.solvers.len(),
        options.seconds,
        gpu.description()
    ));

    let mut progress = Progress::start();
    let found = compare::run(&gpu, &scene.model, &scene.settings, &options, &mut |stage| {
        progress.show(stage);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    drop(progress);
    let written = write(args, &scene, &gpu, &found, &layout)?;
    let colors = stdout().is_terminal();
    if args.json {
        // Plain fields and string keys cannot fail.
        let json =
            Json { scene: &scene.name, comparison: &found, warnings: &scene.warnings, written: &written };
        print(&(serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"))?;
    } else if args.csv {
        print(&table::csv(&found))?;
    } else {
        print_colored(&table::text(&scene.name, &found, &written, colors))?;
    }
    if found.complete {
        return Ok(ExitCode::SUCCESS);
    }
    note("interrupted; what was finished has been written\n");
    Ok(ExitCode::from(interrupt::EXIT_CODE))
}

/// The checked options of the comparison.
fn options(args: &Args, scene: &Scene) -> Result<Options, Failure> {
    let solvers = if args.solvers.is_empty() { SolverKind::ALL.to_vec() } else { args.solvers.clone() };
    parse::check_distinct(&solvers)?;
    let seconds = args.seconds.unwrap_or(scene.seconds);
    if let Some(at) = args.at.filter(|at| *at > seconds) {
        return Err(Failure::input(
            format!("--at {at}"),
            format!("the runs end at {seconds} s; --seconds sets it"),
        ));
    }
    if let Some(sweep) = args.sweep.as_ref().filter(|sweep| args.method.gives(sweep.key.name())) {
        let message = format!("--{} sets the same; give one of both", sweep.key.name());
        return Err(Failure::input(format!("--sweep {sweep}"), message));
    }
    Ok(Options { solvers, sweep: args.sweep.clone(), seconds, picture_at: args.at })
}

/// Opens the GPU with the requirements of the runs and the picture.
fn open(args: &Args, scene: &Scene, options: &Options, layout: &Layout) -> Result<Gpu, Failure> {
    let runs = compare::run_requirements(&scene.model, &scene.settings, options);
    let drawn = args
        .image
        .as_ref()
        .map_or_else(Requirements::default, |_| compare::requirements(&scene.model, layout));
    let gpu = args.gpu.open(runs.max(drawn))?;
    let most = gpu.device.limits().max_texture_dimension_2d;
    match layout.size {
        [width, height] if args.image.is_some() && width.max(height) > most => {
            let message = format!("this adapter draws at most {most} pixels a side");
            Err(Failure::input(format!("--size {width}x{height}"), message))
        }
        _ => Ok(gpu),
    }
}

/// Writes the plot and the picture; returns their files.
fn write(
    args: &Args,
    scene: &Scene,
    gpu: &Gpu,
    found: &Comparison,
    layout: &Layout,
) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    if found.rows.is_empty() {
        return Ok(written);
    }
    if let Some(path) = &args.plot {
        let svg = compare::plot(found, &scene.name);
        atomic::write(path, |file| file.write_all(svg.as_bytes())).map_err(Failure::while_running)?;
        written.push(name(path));
    }
    if let Some(path) = &args.image {
        let picture = compare::picture(gpu, &scene.model, found, layout)?;
        picture.save_png(path).map_err(Failure::while_running)?;
        written.push(name(path));
    }
    Ok(written)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
