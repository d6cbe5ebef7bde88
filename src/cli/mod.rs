//! The command line: turns raw arguments into resolved runs. One file for each subcommand.

mod accuracy;
mod batch;
mod bench;
mod bodies;
mod check;
mod checkpoints;
mod compare;
mod convergence;
mod crossings;
mod failure;
mod folder;
mod form;
mod gpu;
mod info;
mod interrupt;
mod method;
mod method_options;
mod outputs;
mod overrides;
mod parse;
mod pictures;
mod progress;
mod report;
mod run;
mod scene_file;
mod shader;
mod summary;
mod view;
mod warnings;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};

use failure::Failure;
use taffeta::foreign::escape_lines;

/// Simulates cloth, nets and ropes of springs on the GPU.
#[derive(Parser)]
#[command(name = "taffeta", version, after_help = AFTER_HELP, long_about = LONG_ABOUT)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const LONG_ABOUT: &str = "\
Simulates cloth, nets and ropes of springs on the GPU.

A scene file (TOML, SI units; docs/scene-file.md lists every key) says what is simulated and how. Options \
given here override the scene. Without a GPU, a software Vulkan driver works, too: correct, but slow.";

const AFTER_HELP: &str = "\
Examples:
  taffeta run scenes/hanging-sheet.toml --output sheet.obj --image sheet.png
  taffeta run scenes/flag.toml --seconds 4 --sequence flag/ --fps 30
  taffeta view scenes/handles.toml
  taffeta check scenes/net.toml --all
  taffeta check scenes/flag.toml --crossings
  taffeta compare scenes/classic/rope.toml --plot rope.svg --image rope.png
  taffeta bench --nodes 100000
  taffeta bench --report speed/
  taffeta info

Exit codes:
  0  done
  1  the run failed: it diverged, a check found an error, a file could not be written, or it was ended by a second Ctrl-C
  2  wrong input: an option, the scene, a file that it names
  130  Ctrl-C, SIGTERM or SIGHUP cut the run short; what was asked for has been written

Environment:
  WGPU_ADAPTER_NAME  part of the name of the adapter to use, where --adapter is not given
  WGPU_BACKEND       backends to look for adapters in: vulkan, metal, dx12, gl
  RUST_LOG           what is logged: error, warn (default), info, debug, trace";

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    View(view::Args),
    Check(check::Args),
    Compare(compare::Args),
    Bench(bench::Args),
    Info(info::Args),
}

impl Command {
    /// Whether the command prints JSON.
    fn prints_json(&self) -> bool {
        match self {
            Command::Run(args) => args.json,
            Command::Check(args) => args.json,
            Command::Compare(args) => args.json,
            Command::Bench(args) => args.json,
            Command::Info(args) => args.json,
            Command::View(_) => false,
        }
    }
}

/// Whether anything was printed to stdout.
static HAS_PRINTED: AtomicBool = AtomicBool::new(false);

/// Runs the program and returns its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(wrong) => return refuse(&wrong),
    };
    quiet_device_selection();
    start_log();
    let prints_json = cli.command.prints_json();
    let result = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::View(args) => view::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Info(args) => info::run(&args),
    };
    result.unwrap_or_else(|failure| {
        note(&format!("error: {failure}\n"));
        // stdout gets one JSON value. If a summary was printed, it already says what failed.
        if prints_json && !HAS_PRINTED.load(Ordering::Relaxed) {
            // If this cannot be printed, neither could another message.
            let _ = print(&failure.json());
        }
        failure.exit_code()
    })
}

/// Prints help, or the error in the arguments: clap's text, unless the arguments contain control characters.
fn refuse(wrong: &clap::Error) -> ExitCode {
    let is_plain = |argument: std::ffi::OsString| {
        let argument = argument.to_string_lossy();
        escape_lines(&argument) == argument
    };
    if std::env::args_os().all(is_plain) {
        wrong.exit();
    }
    note(&wrong.render().to_string());
    ExitCode::from(wrong.exit_code() as u8)
}

/// Turns off Mesa's layer that reorders Vulkan devices if there is no Wayland session: the layer asks Wayland,
/// whose library would print errors, and there is nothing to reorder.
#[allow(unsafe_code, reason = "the driver reads it from the environment alone")]
fn quiet_device_selection() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() && std::env::var_os("NODEVICE_SELECT").is_none() {
        // SAFETY: the program has one thread so far.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// Logs warnings of this program, unless `RUST_LOG` says otherwise.
fn start_log() {
    let environment = env_logger::Env::default().default_filter_or("taffeta=warn");
    let format = |buffer: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| {
        let level = match record.level() {
            log::Level::Warn => "warning".to_owned(),
            level => level.as_str().to_lowercase(),
        };
        writeln!(buffer, "{level}: {}", escape_lines(&record.args().to_string()))
    };
    env_logger::Builder::from_env(environment).format(format).init();
}

/// Prints to stdout, without control characters. A closed pipe (`| head`) is not a failure; a full disk is.
fn print(text: &str) -> Result<(), Failure> {
    print_colored(&escape_lines(text))
}

/// As [`print`], of a text that has no control characters but the program's own.
fn print_colored(text: &str) -> Result<(), Failure> {
    HAS_PRINTED.store(true, Ordering::Relaxed);
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(format!("stdout cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints to stderr; errors are ignored, so that the run goes on.
fn note(text: &str) {
    let _ = io::stderr().lock().write_all(escape_lines(text).as_bytes());
}
