//! Dragging the cloth with the mouse: in the plane parallel to the picture through the picked point, or in the plane
//! of a planar scene.

use glam::Vec3;

use crate::Error;
use crate::render::{Camera, Ray};
use crate::simulation::{Handle, Pick, Positions, Simulation};

/// A handle held by the mouse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drag {
    handle: Handle,
    picked: Vec3,
    normal: Vec3,
}

impl Drag {
    /// Takes hold of the node that lay under the ray when the positions were asked for; `None` if none did.
    pub fn begin(
        simulation: &mut Simulation,
        positions: &Positions,
        camera: &Camera,
        ray: Ray,
        stiffness: f32,
        radius: f32,
    ) -> Result<Option<Self>, Error> {
        let pick = Pick::Ray { origin: ray.origin, direction: ray.direction };
        let Some(handle) = simulation.grab_at(positions, &pick, stiffness, radius)? else {
            return Ok(None);
        };
        let picked = simulation.handle_target(handle).unwrap_or(camera.target);
        let normal = if simulation.settings().step.planar { Vec3::Z } else { camera.forward() };
        Ok(Some(Self { handle, picked, normal }))
    }

    /// Pulls toward the point where the ray meets the plane.
    pub fn pull(&self, simulation: &mut Simulation, ray: Ray) -> Result<(), Error> {
        match meet(ray, self.picked, self.normal) {
            Some(target) => simulation.move_handle(self.handle, target),
            None => Ok(()),
        }
    }

    /// Lets go.
    pub fn end(self, simulation: &mut Simulation) {
        simulation.release(self.handle);
    }
}

/// Where the ray meets the plane through `point`.
fn meet(ray: Ray, point: Vec3, normal: Vec3) -> Option<Vec3> {
    let slope = ray.direction.dot(normal);
    let distance = (point - ray.origin).dot(normal) / slope;
    (slope.abs() > 1e-3 && distance > 0.0).then(|| ray.origin + distance * ray.direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_lies_in_the_plane_of_the_picture() {
        let camera = Camera::framing(-Vec3::ONE, Vec3::ONE);
        let picked = Vec3::new(0.2, 0.1, 0.3);
        let ray = camera.ray(0.7, 0.2, 1.5);
        let target = meet(ray, picked, camera.forward()).unwrap();
        assert!((target - picked).dot(camera.forward()).abs() < 1e-4);
        assert!(meet(Ray { direction: -ray.direction, ..ray }, picked, camera.forward()).is_none());
    }
}
