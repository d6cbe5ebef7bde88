//! The command line program; `cli` holds one file for each subcommand.

mod cli;

/// Recording a frame takes some hundred short-lived allocations: a sixth of its CPU time with glibc's allocator
/// (`docs/performance.md`). The library leaves the allocator to whoever uses it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
