//! The command line program; `cli` holds one file for each subcommand.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
