//! A camera that orbits around a point.

use glam::{Mat4, Quat, Vec3, Vec4};

/// A half-line in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts \[m\].
    pub origin: Vec3,
    /// Unit vector along it.
    pub direction: Vec3,
}

/// The projection of space onto the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Perspective: farther objects are smaller.
    Perspective {
        /// Vertical field of view \[rad\].
        fov: f32,
    },
    /// Along parallel lines: sizes are the same at any distance.
    Orthographic {
        /// Height of the picture \[m\].
        height: f32,
    },
}

/// A camera. Angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture \[m\].
    pub target: Vec3,
    /// Distance of the eye from the target \[m\].
    pub distance: f32,
    /// Angle around `up`, counter-clockwise seen from above.
    pub yaw: f32,
    /// Angle above the horizon, below a right angle.
    pub pitch: f32,
    /// The projection.
    pub projection: Projection,
    /// Unit vector that is up in the picture.
    pub up: Vec3,
}

/// Steepest pitch: the view must not turn over.
const STEEPEST: f32 = 1.55;
/// Depth of an orthographic view, in distances or picture heights, whichever is larger.
const REACH: f32 = 100.0;

impl Camera {
    /// Default vertical field of view: 32 degrees, like a short telephoto lens.
    pub const FOV: f32 = 0.56;

    /// A view slightly from above and from the side that shows a whole box (for pictures wider than high).
    pub fn framing(low: Vec3, high: Vec3) -> Self {
        let projection = Projection::Perspective { fov: Self::FOV };
        let mut camera =
            Self { target: Vec3::ZERO, distance: 1.0, yaw: 0.55, pitch: 0.26, projection, up: Vec3::Y };
        camera.frame(low, high);
        camera
    }

    /// An orthographic view along -z that shows a whole box, for planar systems (for pictures wider than high).
    pub fn facing(low: Vec3, high: Vec3) -> Self {
        let projection = Projection::Orthographic { height: 1.0 };
        let mut camera =
            Self { target: Vec3::ZERO, distance: 1.0, yaw: 0.0, pitch: 0.0, projection, up: Vec3::Y };
        camera.frame(low, high);
        camera
    }

    /// Moves target and distance so that the box is in view; keeps the angles.
    pub fn frame(&mut self, low: Vec3, high: Vec3) {
        if !(low.is_finite() && high.is_finite()) {
            return;
        }
        self.target = (low + high) / 2.0;
        let [forward, side, up] = self.axes();
        let half = (high - low) / 2.0;
        let size = half.length().max(1e-4);
        let corners = (0..8).map(|k| {
            let sign = |bit: i32| if k & bit == 0 { -1.0 } else { 1.0 };
            half * Vec3::new(sign(1), sign(2), sign(4))
        });
        // Half of the height that a picture needs at a corner to show it.
        let wide = |corner: Vec3| corner.dot(side).abs().max(corner.dot(up).abs() * 1.2) * 1.06;
        match &mut self.projection {
            // The least distance at which each corner is inside the four sides of the view.
            Projection::Perspective { fov } => {
                let slope = (*fov / 2.0).tan();
                let distances = corners.map(|corner| wide(corner) / slope - corner.dot(forward));
                self.distance = distances.fold(0.2 * size, f32::max);
            }
            Projection::Orthographic { height } => {
                *height = corners.map(|corner| 2.0 * wide(corner)).fold(0.2 * size, f32::max);
                // Far enough that the eye stays outside of the box in any direction.
                self.distance = 4.0 * size;
            }
        }
    }

    /// A camera at `eye` that looks at `target`.
    pub fn look_at(eye: Vec3, target: Vec3, up: Vec3, projection: Projection) -> Self {
        let up = up.try_normalize().unwrap_or(Vec3::Y);
        let away = eye - target;
        let distance = away.length().max(1e-6);
        let projection = match projection {
            Projection::Perspective { fov } => Projection::Perspective { fov: fov.clamp(0.02, 2.8) },
            Projection::Orthographic { height } => Projection::Orthographic { height: height.max(1e-6) },
        };
        let mut camera = Self { target, distance, yaw: 0.0, pitch: 0.0, projection, up };
        let turn = Quat::from_rotation_arc(up, Vec3::Y);
        let d = turn * (away / distance);
        camera.yaw = d.x.atan2(d.z);
        camera.pitch = d.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST);
        camera
    }

    /// Forward, right and up of the picture, as unit vectors.
    fn axes(&self) -> [Vec3; 3] {
        let away =
            Vec3::new(self.yaw.sin() * self.pitch.cos(), self.pitch.sin(), self.yaw.cos() * self.pitch.cos());
        let turn = Quat::from_rotation_arc(Vec3::Y, self.up);
        let forward = -(turn * away);
        let right = forward.cross(self.up).normalize();
        [forward, right, right.cross(forward)]
    }

    /// Position of the eye \[m\].
    pub fn eye(&self) -> Vec3 {
        self.target - self.axes()[0] * self.distance
    }

    /// Unit vector along which the eye looks.
    pub fn forward(&self) -> Vec3 {
        self.axes()[0]
    }

    /// World to clip space, for `aspect` = width / height. Depth is 1 at the near plane, which is at the eye in an
    /// orthographic view, and 0 at the far end.
    pub fn view_projection(&self, aspect: f32) -> Mat4 {
        self.projection(aspect) * self.view()
    }

    /// Height of the picture at the target \[m\].
    pub fn height(&self) -> f32 {
        match self.projection {
            Projection::Perspective { fov } => 2.0 * self.distance * (fov / 2.0).tan(),
            Projection::Orthographic { height } => height,
        }
    }

    /// The eye in homogeneous coordinates: xyz - w p is the vector from point p to the eye. Without perspective w is 0,
    /// and the vector is the same for every point, with the distance of the eye as its length.
    pub(super) fn homogeneous_eye(&self) -> Vec4 {
        match self.projection {
            Projection::Perspective { .. } => self.eye().extend(1.0),
            Projection::Orthographic { .. } => (-self.forward() * self.distance).extend(0.0),
        }
    }

    /// Clip space to directions of view in world space.
    pub(super) fn unproject(&self, aspect: f32) -> Mat4 {
        let [forward, right, up] = self.axes();
        let slope = match self.projection {
            Projection::Perspective { fov } => (fov / 2.0).tan(),
            Projection::Orthographic { .. } => 0.0,
        };
        Mat4::from_cols(
            (right * slope * aspect).extend(0.0),
            (up * slope).extend(0.0),
            Vec4::ZERO,
            forward.extend(0.0),
        )
    }

    fn view(&self) -> Mat4 {
        let [forward, right, up] = self.axes();
        let rows = Mat4::from_cols(right.extend(0.0), up.extend(0.0), (-forward).extend(0.0), Vec4::W);
        rows.transpose() * Mat4::from_translation(-self.eye())
    }

    /// Depth is reversed, so that floating point resolves near and far equally well.
    fn projection(&self, aspect: f32) -> Mat4 {
        match self.projection {
            Projection::Perspective { fov } => {
                let focal = 1.0 / (fov / 2.0).tan();
                let near = self.distance * 0.01;
                Mat4::from_cols(
                    Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
                    Vec4::new(0.0, focal, 0.0, 0.0),
                    Vec4::new(0.0, 0.0, 0.0, -1.0),
                    Vec4::new(0.0, 0.0, near, 0.0),
                )
            }
            Projection::Orthographic { height } => {
                let far = REACH * self.distance.max(height);
                let scale = Vec4::new(2.0 / (height * aspect), 2.0 / height, 1.0 / far, 1.0);
                let mut matrix = Mat4::from_diagonal(scale);
                matrix.w_axis.z = 1.0;
                matrix
            }
        }
    }

    /// The ray through a point of the picture; x and y run from 0 (left, top) to 1 (right, bottom).
    pub fn ray(&self, x: f32, y: f32, aspect: f32) -> Ray {
        let (x, y) = (2.0 * x - 1.0, 1.0 - 2.0 * y);
        let direction = (self.unproject(aspect) * Vec4::new(x, y, 1.0, 1.0)).truncate().normalize();
        let origin = match self.projection {
            Projection::Perspective { .. } => self.eye(),
            Projection::Orthographic { height } => {
                let [_, right, up] = self.axes();
                self.eye() + (right * aspect * x + up * y) * (height / 2.0)
            }
        };
        Ray { origin, direction }
    }

    /// Turns around the target by angles \[rad\].
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves the target in the picture's plane, in picture heights, so that objects at the target's
    /// distance move right and down.
    pub fn pan(&mut self, right: f32, down: f32) {
        let [_, side, up] = self.axes();
        self.target += (up * down - side * right) * self.height();
    }

    /// Shows a smaller part (`factor` below one) or a larger one: moves the eye toward the target or away from it, or
    /// without perspective changes the picture's height.
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            let size = match &mut self.projection {
                Projection::Perspective { .. } => &mut self.distance,
                Projection::Orthographic { height } => height,
            };
            *size = (*size * factor).clamp(1e-4, 1e6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: [Projection; 2] =
        [Projection::Perspective { fov: 0.7 }, Projection::Orthographic { height: 3.0 }];

    #[test]
    fn look_at_gives_back_eye_and_target() {
        let (eye, target) = (Vec3::new(1.0, 2.0, -3.0), Vec3::new(0.5, 0.0, 0.25));
        for up in [Vec3::Y, Vec3::Z, Vec3::new(0.2, 1.0, 0.1).normalize()] {
            for projection in VIEWS {
                let camera = Camera::look_at(eye, target, up, projection);
                assert!((camera.eye() - eye).length() < 1e-4, "{} for up {up}", camera.eye());
                let middle = camera.view_projection(1.5) * target.extend(1.0);
                assert!(middle.x.abs() < 1e-4 && middle.y.abs() < 1e-4 && middle.w > 0.0);
            }
        }
    }

    #[test]
    fn a_ray_hits_the_point_it_was_projected_from() {
        for projection in VIEWS {
            let camera = Camera::look_at(Vec3::new(2.0, 1.0, 3.0), Vec3::ZERO, Vec3::Y, projection);
            let p = Vec3::new(0.3, -0.2, 0.4);
            let clip = camera.view_projection(1.3) * p.extend(1.0);
            let ray = camera.ray(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w, 1.3);
            let along = (p - ray.origin).dot(ray.direction);
            assert!((ray.origin + ray.direction * along - p).length() < 1e-4);
            let eye = camera.homogeneous_eye();
            let to_eye = (eye.truncate() - eye.w * p).normalize();
            assert!((to_eye + ray.direction).length() < 1e-4, "{to_eye} for {}", ray.direction);
        }
    }

    #[test]
    fn framing_holds_the_box() {
        let (low, high) = (Vec3::new(-1.0, 0.0, -0.2), Vec3::new(1.0, 3.0, 0.4));
        for camera in [Camera::framing(low, high), Camera::facing(low, high)] {
            for k in 0..8 {
                let pick = |bit: i32, axis: usize| if k & bit == 0 { low[axis] } else { high[axis] };
                let clip = camera.view_projection(1.3) * Vec4::new(pick(1, 0), pick(2, 1), pick(4, 2), 1.0);
                assert!(clip.x.abs() < clip.w && clip.y.abs() < clip.w && clip.z < clip.w && clip.z > 0.0);
            }
        }
    }

    #[test]
    fn an_orthographic_picture_is_as_high_as_it_says() {
        let projection = Projection::Orthographic { height: 3.0 };
        let mut camera =
            Camera::look_at(Vec3::new(1.0, 2.0, 5.0), Vec3::new(1.0, 2.0, 0.0), Vec3::Y, projection);
        // The upper right corner, near and far.
        for z in [4.0, -40.0] {
            let clip = camera.view_projection(2.0) * Vec4::new(4.0, 3.5, z, 1.0);
            assert!((clip.x - 1.0).abs() < 1e-5 && (clip.y - 1.0).abs() < 1e-5 && clip.w == 1.0, "{clip}");
            assert!(clip.z > 0.0 && clip.z < 1.0, "{clip}");
        }
        camera.zoom(0.5);
        camera.pan(0.0, -1.0);
        assert_eq!((camera.height(), camera.distance), (1.5, 5.0));
        assert!((camera.target.y - 0.5).abs() < 1e-5);
    }
}
