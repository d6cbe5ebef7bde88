//! The command line program; `cli` holds one file for each subcommand.

mod cli;

/// Recording a frame takes some hundred short-lived allocations, and a driver some hundreds more: glibc's allocator is a
/// good part of its CPU time (`docs/performance.md`). The library itself sets no allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
