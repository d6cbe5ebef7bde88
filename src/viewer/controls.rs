//! The user's settings, which outlive a lost device.

use glam::Vec3;

use crate::model::Model;
use crate::render::{Camera, Look};
use crate::settings::Settings;

/// The panel's values, and the requests since the last frame.
#[derive(Clone, Debug)]
pub(super) struct Controls {
    pub paused: bool,
    pub camera: Camera,
    pub look: Look,
    /// Gravity [m/s^2].
    pub gravity: Vec3,
    /// Velocity of the wind [m/s].
    pub wind: Vec3,
    /// Stiffness of the mouse's pull on the picked node [N/m].
    pub stiffness: f32,
    /// Reach of the mouse's grip \[m\].
    pub radius: f32,
    /// Limits of the two sliders above.
    pub stiffness_range: [f32; 2],
    pub radius_range: [f32; 2],
    /// Whether the end of the stretch scale follows the largest stretch.
    pub follow_stretch: bool,
    /// Whether it is known what touches.
    pub has_contact: bool,
    /// A message for the user: why the run stopped, or that the device was lost.
    pub message: Option<String>,
    pub step: bool,
    pub reset: bool,
    pub frame: bool,
    pub quit: bool,
}

impl Controls {
    pub fn new(model: &Model, settings: &Settings, camera: Camera, look: Look, paused: bool) -> Self {
        let rest = model.rest_position();
        let low = rest.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = rest.iter().copied().reduce(Vec3::max).unwrap_or_default();
        let size = (high - low).length().max(1e-3);
        let radius = 0.06 * size;
        // Strong enough to lift the whole body within a fraction of its size, shared among the nodes that a grip of
        // this radius takes on a sheet (more than enough for a rope).
        let mass: f32 = model.mass().iter().sum();
        let nodes = (0.01 * model.node_count() as f32).max(1.0);
        let stiffness = (60.0 * mass * 9.81 / size / nodes).max(1e-6);
        Self {
            paused,
            camera,
            look,
            gravity: settings.world.gravity,
            wind: settings.world.wind,
            stiffness,
            radius,
            stiffness_range: [stiffness / 100.0, stiffness * 100.0],
            radius_range: [0.005 * size, 0.5 * size],
            follow_stretch: true,
            has_contact: settings.has_contact(),
            message: None,
            step: false,
            reset: false,
            frame: false,
            quit: false,
        }
    }
}
