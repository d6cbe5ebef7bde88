//! What `make test` runs beside the unit tests: every solver's step against its f64 reference, shaders, limits, wiring,
//! architecture, wrong scenes, and the program once through. A test belongs here where it takes seconds; else in
//! `tests/full`. One binary for all of it: linking wgpu takes longer than most of these tests.

#[path = "../common/mod.rs"]
mod common;

mod architecture;
mod checkpoints;
mod contact;
mod default_limits;
mod forms;
mod functions;
mod guard;
mod interaction;
mod layers;
mod linear;
mod node_order;
mod oracle;
mod pace;
mod planar;
mod render;
mod scene_errors;
mod shaders;
mod smoke;
mod text;
mod touch;
mod wiring;
mod xpbd;
