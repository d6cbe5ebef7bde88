//! Cloth and mass-spring simulation whose every step runs in WGSL compute shaders.

// One function has leave: `gpu::Shader` makes modules without the checks that the library's own shaders do not need.
#![deny(unsafe_code)]

// Unit tests share files with those in tests/, which know the crate by its name.
#[cfg(test)]
extern crate self as taffeta;

pub mod bench;
pub mod chart;
pub mod check;
pub mod checkpoint;
pub mod compare;
pub mod error;
pub mod foreign;
pub mod gpu;
pub mod hierarchy;
pub mod io;
pub mod model;
mod numbers;
mod panics;
pub mod reference;
pub mod render;
pub mod scene;
pub mod settings;
pub mod shaders;
pub mod shape;
pub mod simulation;
pub mod solver;
pub mod state;
pub mod viewer;
pub mod warning;

pub use checkpoint::Checkpoint;
pub use error::Error;
pub use model::Model;
pub use settings::Settings;
pub use simulation::Simulation;
pub use state::State;
