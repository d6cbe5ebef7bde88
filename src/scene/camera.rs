//! `[camera]`: from where the scene is seen.

use glam::Vec3;

use super::table::Table;
use crate::Error;

/// Keys of `[camera]`.
pub(super) const KEYS: &[&str] = &["eye", "target", "up", "fov"];

/// From where a scene is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraSpec {
    /// Position of the eye \[m\].
    pub eye: Vec3,
    /// Point at the middle of the picture \[m\].
    pub target: Vec3,
    /// Direction that is up in the picture; any length above zero.
    pub up: Vec3,
    /// Vertical field of view \[degrees\].
    pub fov: f32,
}

pub(super) fn read(table: &Table) -> Result<CameraSpec, Error> {
    let camera = CameraSpec {
        eye: table.need("eye", |v| v.vec3())?,
        target: table.need("target", |v| v.vec3())?,
        up: table.read("up", |v| v.vec3())?.unwrap_or(Vec3::Y),
        fov: table.read("fov", |v| v.f32())?.unwrap_or(45.0),
    };
    if !(1.0..=170.0).contains(&camera.fov) {
        return Err(table.error_at("fov", format!("fov = {}: it must be from 1 to 170 degrees", camera.fov)));
    }
    let view = camera.target - camera.eye;
    if view.length() < 1e-6 {
        return Err(table.error_at("target", "target: it must lie apart from eye"));
    }
    let up = camera.up.try_normalize().unwrap_or_default();
    if view.normalize().cross(up).length() < 1e-4 {
        let message = format!("up = {}: it must not be zero or along the view from eye to target", camera.up);
        return Err(table.error_at("up", message));
    }
    Ok(camera)
}
