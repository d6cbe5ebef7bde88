//! The surface of a collider.

use glam::{DQuat, DVec3};

use crate::model::{Collider, ColliderShape};

/// A collider at a time.
pub struct Placed<'a> {
    collider: &'a Collider,
    center: DVec3,
    rotation: DQuat,
}

impl<'a> Placed<'a> {
    /// At `time` \[s\].
    pub fn new(collider: &'a Collider, time: f64) -> Self {
        Self { collider, center: collider.center(time), rotation: collider.rotation(time) }
    }

    /// The distance of `x` \[m\] from the surface, and the surface's normal.
    pub fn at(&self, x: DVec3) -> (f64, DVec3) {
        let &Self { collider, center, rotation } = self;
        let away = x - center;
        let radius = f64::from(collider.radius());
        let (distance, normal) = match collider.shape {
            ColliderShape::Plane { .. } => {
                let normal = rotation * DVec3::Y;
                (normal.dot(away), normal)
            }
            ColliderShape::Sphere { .. } => (away.length() - radius, away.normalize_or(rotation * DVec3::X)),
            ColliderShape::Capsule { .. } => {
                let half = f64::from(collider.half_size().y);
                let axis = rotation * DVec3::Y;
                let from_line = away - axis * axis.dot(away).clamp(-half, half);
                (from_line.length() - radius, from_line.normalize_or(rotation * DVec3::X))
            }
            ColliderShape::Box { .. } => {
                let (distance, normal) = of_box(rotation.inverse() * away, collider.half_size().as_dvec3());
                (distance, rotation * normal)
            }
        };
        (distance - f64::from(collider.thickness), normal)
    }
}

/// The distance of `x` \[m\] from the surface of a collider at `time` \[s\], and the surface's normal.
pub fn surface(collider: &Collider, time: f64, x: DVec3) -> (f64, DVec3) {
    Placed::new(collider, time).at(x)
}

/// Of a box with half the edges `half` around the origin.
fn of_box(q: DVec3, half: DVec3) -> (f64, DVec3) {
    let beyond = q.abs() - half;
    if beyond.max_element() > 0.0 {
        let out = beyond.max(DVec3::ZERO) * q.signum();
        return (out.length(), out.normalize());
    }
    let face = (0..3).max_by(|&a, &b| beyond[a].total_cmp(&beyond[b])).unwrap_or(0);
    (beyond[face], DVec3::AXES[face] * q[face].signum())
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::Path;

    fn shapes() -> [ColliderShape; 4] {
        let center = Vec3::new(0.3, -0.2, 0.1);
        [
            ColliderShape::Plane { point: center, normal: Vec3::new(1.0, 2.0, -0.5) },
            ColliderShape::Sphere { center, radius: 0.4 },
            ColliderShape::Box {
                center,
                size: Vec3::new(0.4, 0.9, 0.6),
                rotation: Quat::from_scaled_axis(Vec3::new(0.3, 1.0, -0.4)),
            },
            ColliderShape::Capsule { start: center, end: Vec3::new(0.5, 0.6, 0.0), radius: 0.3 },
        ]
    }

    #[test]
    fn the_normal_is_the_slope_of_the_distance() {
        for shape in shapes() {
            let mut compared = 0;
            let spin = Vec3::new(0.4, 0.2, -1.0);
            let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::X)]).unwrap();
            let collider = Collider { spin, path, ..Collider::new(shape) };
            for k in 0..200 {
                let part = |a: f64| (f64::from(k) * a).sin();
                let x = DVec3::new(part(1.3), part(2.1), part(3.7));
                let (_, normal) = surface(&collider, 0.4, x);
                let step = 1e-6;
                let slope = |axis: DVec3| {
                    surface(&collider, 0.4, x + step * axis).0 - surface(&collider, 0.4, x - step * axis).0
                };
                let slope = DVec3::from_array(DVec3::AXES.map(slope)) / (2.0 * step);
                // At the edges inside of a box the nearest face changes.
                if (slope.length() - 1.0).abs() < 1e-6 {
                    compared += 1;
                    assert!((slope - normal).length() < 1e-5, "{shape:?} at {x}: {slope} and {normal}");
                }
            }
            assert!(compared > 190, "{shape:?}: {compared} of 200");
        }
    }
}
