//! What takes minutes: motion and rest against closed forms and long f64 runs, whole command lines, changed files. Runs
//! with `make test-all`; a test is either here or in `tests/quick`. One binary for all of it, as there.

#[path = "../common/mod.rs"]
mod common;

mod any_start;
mod attachments;
mod batches;
mod bending;
mod bending_multigrid;
mod classic;
mod cli;
mod closed_forms;
mod conservation;
mod converged;
mod cusick;
mod drape;
mod equilibrium;
mod extension;
mod frame_a;
mod free_fall;
mod friction;
mod fuzzed;
mod guard;
mod hard_meshes;
mod jittered;
mod lattice;
mod lengths;
mod motion;
mod network_levels;
mod obj_sheet;
mod pressure;
mod rest;
mod soft_pins;
mod stiff;
mod tolerance;
mod tumbling;
#[cfg(target_os = "linux")]
mod window;
