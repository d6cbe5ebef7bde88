//! Settings one after the other, each beginning with the defaults: `Settings::default().with_substeps(4)`.

use glam::Vec3;

use super::{Air, Iterations, Settings, Substeps, UserForce};

impl Settings {
    /// Frames of this length \[s\].
    pub fn with_frame_time(self, frame_time: f32) -> Self {
        Self { frame_time, ..self }
    }

    /// So many substeps a frame, instead of the fewest that the solver recommends.
    pub fn with_substeps(self, substeps: u32) -> Self {
        Self { substeps: Substeps::Fixed(substeps), ..self }
    }

    /// So many iterations a substep of an implicit solver, instead of its own number.
    pub fn with_iterations(self, iterations: u32) -> Self {
        Self { iterations: Iterations::Fixed(iterations), ..self }
    }

    /// Iterations until the error is at most this part of the motion ([`Settings::tolerance`]).
    pub fn with_tolerance(self, tolerance: f32) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// This gravity [m/s^2].
    pub fn with_gravity(self, gravity: Vec3) -> Self {
        Self { gravity, ..self }
    }

    /// Air that resists, and moves with `wind` [m/s].
    pub fn with_air(self, air: Air, wind: Vec3) -> Self {
        Self { air, wind, ..self }
    }

    /// Viscous damping by mass [1/s].
    pub fn with_damping(self, damping: f32) -> Self {
        Self { damping, ..self }
    }

    /// A force on every node in WGSL ([`UserForce`]); errors name `file`.
    pub fn with_user_force(self, file: impl Into<String>, text: &str) -> Self {
        Self { user_force: Some(UserForce::new(file, 1, text)), ..self }
    }
}
