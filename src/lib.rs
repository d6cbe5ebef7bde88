//! Cloth and mass-spring simulation whose every step runs in WGSL compute shaders.

#![warn(missing_docs)]

// Unit tests share files with those in tests/, which know the crate by its name.
#[cfg(test)]
extern crate self as taffeta;

#[cfg(feature = "report")]
pub mod bench;
#[cfg(feature = "report")]
pub mod chart;
pub mod breakdown;
pub mod check;
pub mod checkpoint;
#[cfg(feature = "report")]
pub mod compare;
pub mod error;
pub mod foreign;
pub mod gpu;
pub mod hierarchy;
pub mod io;
pub mod model;
#[cfg(any(feature = "text", feature = "viewer"))]
mod panics;
pub mod reference;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "scene")]
pub mod scene;
pub mod settings;
pub mod shaders;
pub mod shape;
pub mod simulation;
pub mod solver;
pub mod state;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod warning;

pub use checkpoint::Checkpoint;
pub use error::Error;
pub use model::Model;
pub use settings::Settings;
pub use simulation::Simulation;
pub use state::State;
