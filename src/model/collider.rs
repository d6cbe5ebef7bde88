//! Solid bodies that the network collides with. They push it away and hold it by friction; nothing acts on them.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::{ModelError, Path};

/// Most colliders of a model.
pub const MOST_COLLIDERS: usize = crate::numbers::MOST_COLLIDERS;

/// The form of a collider at time zero, without the displacement of its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// Everything below a plane.
    Plane {
        /// A point of the plane \[m\].
        point: Vec3,
        /// Direction in which nodes are pushed; any length above zero.
        normal: Vec3,
    },
    /// A ball.
    Sphere {
        /// Its middle \[m\].
        center: Vec3,
        /// Its radius \[m\].
        radius: f32,
    },
    /// A box.
    Box {
        /// Its middle \[m\].
        center: Vec3,
        /// Length of its edges \[m\].
        size: Vec3,
        /// Rotation from its own axes to those of the scene.
        rotation: Quat,
    },
    /// All points within a distance of a line.
    Capsule {
        /// One end of the line \[m\].
        start: Vec3,
        /// The other end \[m\].
        end: Vec3,
        /// The distance \[m\].
        radius: f32,
    },
}

/// A collider: it exerts a penalty force on each node inside it, so nodes sink in a little: under their own weight, by
/// gravity over stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Its form.
    pub shape: ColliderShape,
    /// Force per depth and mass of the node [1/s^2].
    pub stiffness: f32,
    /// Force per normal velocity and mass of a node inside [1/s]; in explicit methods only while the node approaches.
    pub damping: f32,
    /// Coefficient of Coulomb's friction.
    pub friction: f32,
    /// A node that would slip more slowly sticks [m/s]; in explicit methods friction is viscous below it.
    pub slip_speed: f32,
    /// Distance from the surface at which contact begins \[m\].
    pub thickness: f32,
    /// Displacement over time \[m\].
    pub path: Path,
    /// Rotation about its middle, axis times rate [rad/s].
    pub spin: Vec3,
}

/// The numbers of a collider: key, the least, the most, and both in words.
pub const COLLIDER_NUMBERS: [(&str, f32, f32, &str); 5] = [
    ("stiffness", 1e-3, 1e9, "from 1e-3 to 1e9 /s^2"),
    ("damping", 0.0, 1e6, "from 0 to 1e6 /s"),
    ("friction", 0.0, 100.0, "from 0 to 100"),
    ("slip-speed", 1e-6, 1e3, "from 1e-6 to 1e3 m/s"),
    ("thickness", 0.0, 1e3, "from 0 to 1e3 m"),
];

impl Collider {
    /// A collider at rest, with a stiffness of 10^6 /s^2, critical damping, a friction of 0.3 and a thickness of 2 mm.
    /// Cloth sinks into it by a hundredth of a millimeter under its own weight.
    pub fn new(shape: ColliderShape) -> Self {
        let stiffness = 1e6;
        Self {
            shape,
            stiffness,
            damping: Self::critical_damping(stiffness),
            friction: 0.3,
            slip_speed: 1e-4,
            thickness: 2e-3,
            path: Path::still(),
            spin: Vec3::ZERO,
        }
    }

    /// The least damping [1/s] at which a node does not bounce from a surface of this stiffness [1/s^2].
    pub fn critical_damping(stiffness: f32) -> f32 {
        2.0 * stiffness.sqrt()
    }

    /// Its middle at `time` \[m\]; a point of it for a plane.
    pub fn center(&self, time: f64) -> DVec3 {
        let start = match self.shape {
            ColliderShape::Plane { point, .. } => point.as_dvec3(),
            ColliderShape::Sphere { center, .. } | ColliderShape::Box { center, .. } => center.as_dvec3(),
            ColliderShape::Capsule { start, end, .. } => 0.5 * (start.as_dvec3() + end.as_dvec3()),
        };
        start + self.path.at(time).as_dvec3()
    }

    /// Rotation from own axes to those of the scene at `time`: y is the normal of a plane and the axis of a capsule.
    pub fn rotation(&self, time: f64) -> DQuat {
        let along = |v: Vec3| DQuat::from_rotation_arc(DVec3::Y, v.as_dvec3().normalize_or(DVec3::Y));
        let start = match self.shape {
            ColliderShape::Plane { normal, .. } => along(normal),
            ColliderShape::Sphere { .. } => DQuat::IDENTITY,
            ColliderShape::Box { rotation, .. } => rotation.as_dquat().normalize(),
            ColliderShape::Capsule { start, end, .. } => along(end - start),
        };
        DQuat::from_scaled_axis(self.spin.as_dvec3() * time) * start
    }

    /// Half the edges \[m\] of the box that [`Collider::radius`] rounds to this form; zero for a sphere or plane.
    pub fn half_size(&self) -> Vec3 {
        match self.shape {
            ColliderShape::Plane { .. } | ColliderShape::Sphere { .. } => Vec3::ZERO,
            ColliderShape::Box { size, .. } => 0.5 * size,
            ColliderShape::Capsule { start, end, .. } => Vec3::Y * (0.5 * (end - start).length()),
        }
    }

    /// Its radius \[m\], without thickness; zero for a plane or box.
    pub fn radius(&self) -> f32 {
        match self.shape {
            ColliderShape::Plane { .. } | ColliderShape::Box { .. } => 0.0,
            ColliderShape::Sphere { radius, .. } | ColliderShape::Capsule { radius, .. } => radius,
        }
    }

    /// Whether it never moves.
    pub fn is_still(&self) -> bool {
        self.path.is_constant() && self.spin == Vec3::ZERO
    }

    /// Checks every number. `index` is for the message.
    pub(super) fn check(&self, index: usize) -> Result<(), ModelError> {
        let refuse = |what, value: String, allowed| Err(ModelError::Collider { index, what, value, allowed });
        let place = |what, v: Vec3| match v.is_finite() && v.abs().max_element() <= 1e6 {
            true => Ok(()),
            false => refuse(what, v.to_string(), "three finite numbers, none above 1e6 m"),
        };
        let length = |what, x: f32| match x.is_finite() && x > 0.0 && x <= 1e6 {
            true => Ok(()),
            false => refuse(what, x.to_string(), "above 0 and at most 1e6 m"),
        };
        match self.shape {
            ColliderShape::Plane { point, normal } => {
                place("point", point)?;
                if !normal.is_finite() || normal.as_dvec3().length() < 1e-12 {
                    return refuse(
                        "normal",
                        normal.to_string(),
                        "a direction: three finite numbers, not all 0",
                    );
                }
            }
            ColliderShape::Sphere { center, radius } => {
                place("center", center)?;
                length("radius", radius)?;
            }
            ColliderShape::Box { center, size, rotation } => {
                place("center", center)?;
                size.to_array().into_iter().try_for_each(|edge| length("size", edge))?;
                if !rotation.is_finite() || rotation.length() < 1e-6 {
                    return refuse("rotation", rotation.to_string(), "a finite rotation");
                }
            }
            ColliderShape::Capsule { start, end, radius } => {
                place("start", start)?;
                place("end", end)?;
                length("radius", radius)?;
                if start == end {
                    return refuse(
                        "end",
                        end.to_string(),
                        "apart from start; where both are one it is a sphere",
                    );
                }
            }
        }
        let numbers = [self.stiffness, self.damping, self.friction, self.slip_speed, self.thickness];
        for ((key, least, most, allowed), x) in COLLIDER_NUMBERS.into_iter().zip(numbers) {
            if !(least..=most).contains(&x) {
                return refuse(key, x.to_string(), allowed);
            }
        }
        if !self.spin.is_finite() || self.spin.abs().max_element() > 1e4 {
            return refuse("spin", self.spin.to_string(), "three finite numbers, none above 1e4 rad/s");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let sphere = Collider::new(ColliderShape::Sphere { center: Vec3::ZERO, radius: 1.0 });
        assert_eq!(sphere.check(0), Ok(()));
        let wrong = [
            Collider { shape: ColliderShape::Sphere { center: Vec3::NAN, radius: 1.0 }, ..sphere.clone() },
            Collider { shape: ColliderShape::Sphere { center: Vec3::ZERO, radius: -1.0 }, ..sphere.clone() },
            Collider {
                shape: ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::ZERO },
                ..sphere.clone()
            },
            Collider { friction: -0.1, ..sphere.clone() },
            Collider { stiffness: f32::NAN, ..sphere.clone() },
            Collider { spin: Vec3::INFINITY, ..sphere.clone() },
        ];
        for collider in wrong {
            let error = collider.check(3).unwrap_err().to_string();
            assert!(error.starts_with("collider 3: "), "{error}");
        }
    }

    #[test]
    fn a_capsule_lies_along_its_own_y() {
        let (start, end) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 0.0, 3.5));
        let capsule = Collider::new(ColliderShape::Capsule { start, end, radius: 0.1 });
        let tip = capsule.center(0.0) + capsule.rotation(0.0) * capsule.half_size().as_dvec3();
        assert!((tip - end.as_dvec3()).length() < 1e-6);
    }
}
