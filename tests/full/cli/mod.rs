//! The built program, as people use it: help, runs, wrong input.

mod accuracy;
mod batches;
mod checkpoints;
mod compare;
mod errors;
mod help;
#[cfg(unix)]
mod hostile;
mod readme;
mod report;
mod runs;
