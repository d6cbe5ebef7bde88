//! The command line program; `cli` holds one file for each subcommand.

mod cli;

/// Recording a frame takes some hundred short-lived allocations, and a driver some hundreds more: without glibc's allocator
/// it takes two fifths less (`docs/performance.md`). The library leaves the allocator to whoever uses it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
