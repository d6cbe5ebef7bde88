//! `[camera]`: the view of the scene.

use glam::Vec3;

use super::table::{Table, Value};
use crate::Error;

/// Keys of `[camera]`.
pub(super) const KEYS: &[&str] = &["eye", "target", "up", "projection", "fov", "height"];

/// The view of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraSpec {
    /// Position of the eye \[m\].
    pub eye: Vec3,
    /// Point at the middle of the picture \[m\].
    pub target: Vec3,
    /// Direction that is up in the picture; any length above zero.
    pub up: Vec3,
    /// The projection.
    pub projection: ProjectionSpec,
}

/// A projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProjectionSpec {
    /// Perspective, with this vertical field of view \[degrees\].
    Perspective(f32),
    /// Along parallel lines; the picture is this high \[m\].
    Orthographic(f32),
}

pub(super) fn read(table: &Table) -> Result<CameraSpec, Error> {
    let camera = CameraSpec {
        eye: table.need("eye", |v| v.vec3())?,
        target: table.need("target", |v| v.vec3())?,
        up: table.read("up", |v| v.vec3())?.unwrap_or(Vec3::Y),
        projection: projection(table)?,
    };
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

fn projection(table: &Table) -> Result<ProjectionSpec, Error> {
    let words = [("perspective", false), ("orthographic", true)];
    let is_orthographic = table.read("projection", |v| v.word(&words))?.unwrap_or(false);
    let (own, other) = if is_orthographic { ("height", "fov") } else { ("fov", "height") };
    if table.has(other) {
        let (mine, its) = if is_orthographic { (words[1].0, words[0].0) } else { (words[0].0, words[1].0) };
        let message = format!("{other}: it goes with projection = \"{its}\"; \"{mine}\" has {own}");
        return Err(table.error_at(other, message));
    }
    if is_orthographic {
        let height = |v: Value| match v.f32()? {
            height if (1e-4..=1e6).contains(&height) => Ok(height),
            _ => Err(v.wrong("it must be from 1e-4 to 1e6 m")),
        };
        return Ok(ProjectionSpec::Orthographic(table.need("height", height)?));
    }
    let fov = |v: Value| match v.f32()? {
        fov if (1.0..=170.0).contains(&fov) => Ok(fov),
        _ => Err(v.wrong("it must be from 1 to 170 degrees")),
    };
    Ok(ProjectionSpec::Perspective(table.read("fov", fov)?.unwrap_or(45.0)))
}
