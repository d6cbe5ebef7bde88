//! Draws a simulation straight from its buffers, on screen and into images.
//!
//! Nothing is copied: vertex shaders pull positions from the simulation's storage buffer by index.
//! Normals, bounds and the light of the sky are gathered on the GPU from the same buffer, so that a
//! picture needs no read-back.

#[cfg(feature = "captions")]
mod band;
mod camera;
mod caption;
mod cells;
mod colors;
mod image;
#[cfg(feature = "captions")]
mod legend;
mod lines;
mod nodes;
#[cfg(feature = "captions")]
mod overlay;
mod pipelines;
mod renderer;
mod shadow;
mod sky;
mod solids;
mod targets;
mod view;

pub use camera::{Camera, Projection, Ray};
pub use caption::Caption;
pub use cells::Cells;
pub use colors::nice_scale;
pub use image::Image;
#[cfg(feature = "viewer")]
pub(crate) use overlay::Overlay;
pub use renderer::{Measure, Renderer};
pub use view::{Look, Mode};

use glam::Vec4;

use crate::gpu::Buffer;
use crate::model::Model;
use crate::simulation::{Simulation, Surface};

/// The scene to draw: the buffers of a simulation, and its model.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The model. The buffers have its nodes in the order of [`Model::in_memory`].
    pub model: &'a Model,
    /// Position of each node \[m\]; w is not used.
    pub positions: &'a Buffer<Vec4>,
    /// Largest |l / r - 1| of each node's springs, for [`Mode::Stretch`].
    pub stretch: &'a Buffer<f32>,
    /// How near each node is to what it may touch, for [`Mode::Contact`]: [`Simulation::nearness`]. Without it that mode shows the
    /// surface.
    pub nearness: Option<&'a Buffer<f32>>,
    /// The triangles.
    pub surface: &'a Surface,
    /// Simulated time at which colliders are drawn \[s\].
    pub time: f64,
}

impl<'a> From<&'a Simulation> for Scene<'a> {
    fn from(simulation: &'a Simulation) -> Self {
        Self {
            model: simulation.model(),
            positions: simulation.positions(),
            stretch: simulation.stretch(),
            nearness: simulation.nearness(),
            surface: simulation.surface(),
            time: simulation.time(),
        }
    }
}
