//! `taffeta bench`: GPU time by solver and size, next to lower bounds.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use taffeta::bench::truth::Group;
use taffeta::bench::{self, Options, Report};
use taffeta::gpu::Requirements;
use taffeta::settings::{Form, SolverKind};

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::report::{self, Wishes};
use super::{accuracy, parse, print};

/// Measure GPU time per substep and per iteration, next to lower bounds from its bytes and dispatches.
///
/// Surfaces do not touch here; drape-100k with and without contact is in docs/contact-measured.md.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Numbers of nodes, each rounded to a square sheet
    #[arg(long, value_delimiter = ',', default_values_t = [100_000, 1_000_000],
          value_parser = clap::value_parser!(u32).range(4..=20_000_000))]
    nodes: Vec<u32>,

    /// Solvers to measure; all where not given
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = parse::solver())]
    solvers: Vec<SolverKind>,

    /// Forms of the network: neighbors from the index (grid) or stored (mesh)
    #[arg(long, value_delimiter = ',', default_values = ["grid", "mesh"])]
    forms: Vec<FormArg>,

    /// Copies of a 16 x 16 cloth to step as a batch, against one after another
    #[arg(long, value_delimiter = ',', default_values_t = [256],
          value_parser = clap::value_parser!(u32).range(1..=16384))]
    copies: Vec<u32>,

    /// Repetitions; the median counts [default: 5; 3 for a report on a software driver]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: Option<u32>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    /// Measure everything instead (frames, time to accuracy, kernels, set-up) and write report.html and
    /// report.json into this directory
    #[arg(long, value_name = "DIR", conflicts_with_all = ["nodes", "solvers", "forms", "json"])]
    report: Option<PathBuf>,

    /// Measure the accuracy of the default solver instead: all of it, or these groups
    #[arg(long, value_name = "GROUP", num_args = 0.., value_delimiter = ',', value_parser = parse::group(),
          conflicts_with_all = ["nodes", "solvers", "forms", "copies", "repeats", "report"])]
    accuracy: Option<Vec<Group>>,

    /// Numbers of nodes for the report's frames, each rounded to a square sheet [default: what the adapter can
    /// do in some minutes]
    #[arg(long, value_delimiter = ',', value_name = "N", requires = "report",
          value_parser = clap::value_parser!(u32).range(4..=20_000_000))]
    sizes: Vec<u32>,

    /// Nodes along the sides of the sheets whose time to accuracy the report measures [default: 33, 101 and,
    /// but for software drivers, 317]
    #[arg(long, value_delimiter = ',', value_name = "N", requires = "report",
          value_parser = clap::value_parser!(u32).range(3..=1000))]
    sides: Vec<u32>,

    /// Approximate upper limit on the time for the report [s] [default: 900; 300 on a software driver]
    #[arg(long, value_name = "SECONDS", requires = "report",
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    budget: Option<u32>,

    #[command(flatten)]
    gpu: GpuArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormArg {
    Grid,
    Mesh,
}

const AFTER_HELP: &str = "\
The network is a square sheet with structural, shear and flexion springs, six a node. A plain sweep is one fused \
local step and Jacobi sweep of local-global; the default one has Chebyshev weights and their watch. An iteration is the \
unit that any other implicit solver repeats: a visit of all nodes in vbd, a cycle with momentum in newton-multigrid, a \
step of conjugate gradients. Bytes are those that the unit must move by design. Their floor is the time that the copy \
kernel of the same run takes for them; the launch floor is the time of as many dispatches that wait for each other. \
'of copy' is the bytes' floor over the time: it reaches 100 % only if all time goes into moving bytes, and exceeds it for \
small sheets, which stay in caches.

A batch is compared with one copy alone by wall time without set-up, in copies times steps a second.

Times are GPU time if the adapter has timestamps, otherwise wall time, and the table says which.

A report measures in one run, for every solver: time of a frame and of set-up against nodes; for implicit solvers with \
several settings, the error of one fast frame (its distance to the step that an f64 minimizer finds on the CPU) against \
its time; and each kernel against the bytes that it must move by design.

--accuracy measures newton-multigrid with its defaults, one step a frame of 1/60 s, and prints each value, its bound and \
whether it holds. Exact steps are minima that another method finds in f64 on the CPU. A value over its bound does not make \
the command fail. 'no reference' says why there is none: no exact steps were found within ten minutes a body, or no step \
reached what is measured. Bodies are measured in parallel, one a core. On two cores and a software driver all groups take \
half an hour: falls eight minutes, estimate ten, the others eleven together.

Examples:
  taffeta bench
  taffeta bench --nodes 10000,100000 --solvers local-global --json
  taffeta bench --copies 4096
  taffeta bench --report speed/
  taffeta bench --accuracy
  taffeta bench --accuracy falls,catenary --json";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(groups) = &args.accuracy {
        return accuracy::run(groups, args.json, &args.gpu);
    }
    if let Some(folder) = &args.report {
        let seconds = args.budget.map(f64::from);
        let (sizes, sides) = (&args.sizes, &args.sides);
        return report::run(folder, &Wishes { sizes, sides, seconds, repeats: args.repeats }, &args.gpu);
    }
    let batches = args.copies.iter().map(|copies| 256 * copies);
    let most = args.nodes.iter().copied().chain(batches).max().unwrap_or(4);
    // The largest buffer: rest lengths and stiffnesses of twelve springs a node, in the mesh form.
    let gpu = args.gpu.open(Requirements::buffer(100 * u64::from(most)))?;
    let options = Options {
        nodes: args.nodes.clone(),
        solvers: if args.solvers.is_empty() { SolverKind::ALL.to_vec() } else { args.solvers.clone() },
        forms: args
            .forms
            .iter()
            .map(|f| match f {
                FormArg::Grid => Form::Grid,
                FormArg::Mesh => Form::Mesh,
            })
            .collect(),
        copies: args.copies.clone(),
        repeats: args.repeats.unwrap_or(5),
    };
    let bar = indicatif::ProgressBar::new_spinner();
    let report = bench::run(&gpu, &options, !args.gpu.unchecked, |what| {
        bar.set_message(format!("measuring {what}"));
        bar.tick();
    })?;
    bar.finish_and_clear();
    print(&match args.json {
        true => serde_json::to_string_pretty(&report).unwrap_or_default() + "\n",
        false => table(&report),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    let time =
        if report.gpu_time { "GPU time by timestamps" } else { "wall time: the adapter has no timestamps" };
    let checks = if report.bounds_checks { "on" } else { "off" };
    let _ = writeln!(text, "{}; {time}; bounds checks {checks}", report.adapter);
    let _ = writeln!(text, "dependent dispatch: {:.2} us", report.launch);
    for (nodes, bandwidth) in &report.copy_bandwidth {
        let _ = writeln!(text, "copy kernel at {nodes} nodes: {:.2} GB/s", bandwidth / 1e9);
    }
    let _ = writeln!(
        text,
        "\n{:<17} {:<5} {:>9}  {:<13} {:>11} {:>10} {:>12} {:>13} {:>12} {:>8}",
        "solver",
        "form",
        "nodes",
        "unit",
        "us",
        "dispatches",
        "bytes floor",
        "launch floor",
        "us per node",
        "of copy"
    );
    for row in &report.rows {
        let _ = writeln!(
            text,
            "{:<17} {:<5} {:>9}  {:<13} {:>11.2} {:>10} {:>12} {:>13.2} {:>12.2e} {:>8}",
            row.solver,
            row.form,
            row.nodes,
            row.unit,
            row.microseconds,
            row.dispatches,
            row.bytes_floor.map_or("-".into(), |floor| format!("{floor:.2}")),
            row.launch_floor,
            row.microseconds / f64::from(row.nodes),
            row.bandwidth_ratio.map_or("-".into(), |ratio| format!("{:.0}%", 100.0 * ratio))
        );
    }
    let _ = writeln!(
        text,
        "\n{:<17} {:>7} {:>9}  {:>20} {:>18} {:>8}",
        "batch of solver", "copies", "nodes", "copies x steps/s", "one after another", "ratio"
    );
    for batch in &report.batches {
        let _ = writeln!(
            text,
            "{:<17} {:>7} {:>9}  {:>20.0} {:>18.0} {:>8.1}",
            batch.solver, batch.copies, batch.nodes, batch.together, batch.alone, batch.ratio
        );
    }
    text
}
