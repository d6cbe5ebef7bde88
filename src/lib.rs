//! Cloth and mass-spring simulation whose every step runs in WGSL compute shaders.
//!
//! ```
//! use taffeta::shape::{Cloth, Fabric};
//! use taffeta::{Gpu, Model, Settings, Simulation, glam::Vec3};
//!
//! let sheet = Cloth::new([64, 64], Vec3::X, Vec3::Z).of(Fabric::new(0.2, 1000.0)).build()?;
//! let (model, settings) = (Model::of(sheet.pin(0..64))?, Settings::default()); // its first row is pinned
//! let gpu = Gpu::open(&Simulation::requirements(&model, &settings)?.into())?;
//! let mut simulation = Simulation::new(&gpu, &model, &settings)?;
//! (0..60).try_for_each(|_| simulation.step())?; // one second
//! let lowest = simulation.state()?.position.iter().map(|x| x.y).fold(0.0, f32::min);
//! println!("lowest node at {lowest:.3} m, largest stretch {:.2} %", 100.0 * simulation.largest_stretch()?);
//! # assert!(lowest < -0.2 && lowest > -1.1);
//! # Ok::<(), taffeta::Error>(())
//! ```
//!
//! A [`Model`] describes the bodies: from [`shape`]s or of your own, joined by a [`model::ModelBuilder`], checked once and
//! immutable. [`Settings`] describe how they move. A [`Simulation`] has both on a [`Gpu`], which the library opens or which is
//! [your program's own](Gpu::from_device). It steps without waiting for the frame. It reads back when asked: at once
//! ([`Simulation::state`], [`Simulation::largest_stretch`]), or as a [`gpu::Reading`] that arrives some frames later
//! ([`Simulation::ask_state`], [`Simulation::ask_outcomes`]), which is the only way in a browser, where nothing can wait.
//! [`Simulation::positions`] is the buffer to draw from.
//!
//! Lengths are in m, masses in kg, times in s. Nodes are numbered in the order in which you add them; only GPU buffers may have
//! another order ([`Model::in_memory`]).
//!
//! Without features the crate has models, shapes, solvers and simulation. `render` draws pictures, `scene` reads scene files,
//! `text` makes bodies of letters, `files` reads networks and checkpoints, `viewer` opens a window; `cli` is the program.

#![warn(missing_docs)]

// Unit tests share files with those in tests/, which know the crate by its name.
#[cfg(test)]
extern crate self as taffeta;

#[cfg(feature = "report")]
pub mod bench;
pub mod breakdown;
#[cfg(feature = "report")]
pub mod chart;
pub mod check;
pub mod checkpoint;
#[cfg(feature = "report")]
pub mod compare;
pub mod contact;
pub mod error;
pub mod foreign;
pub mod gpu;
pub mod hierarchy;
pub mod io;
pub mod measure;
pub mod method;
pub mod model;
mod numbers;
#[cfg(any(feature = "text", feature = "viewer"))]
mod panics;
pub mod reference;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "scene")]
pub mod scene;
pub mod shaders;
pub mod shape;
pub mod simulation;

pub mod state;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod warning;

pub use checkpoint::Checkpoint;
pub use error::Error;
pub use gpu::Gpu;
pub use method::settings;
pub use model::Model;
pub use settings::Settings;
pub use simulation::Simulation;
pub use state::State;
pub use {glam, wgpu};
