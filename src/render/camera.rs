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

/// Where the picture is taken from. Angles in radians.
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
    /// Vertical field of view.
    pub fov: f32,
    /// Unit vector that is up in the picture.
    pub up: Vec3,
}

/// Steepest pitch: the view must not turn over.
const STEEPEST: f32 = 1.55;

impl Camera {
    /// Default vertical field of view: 32 degrees, like a short telephoto lens.
    pub const FOV: f32 = 0.56;

    /// A view slightly from above and from the side that holds a box (for pictures wider than high).
    pub fn framing(low: Vec3, high: Vec3) -> Self {
        let mut camera =
            Self { target: Vec3::ZERO, distance: 1.0, yaw: 0.55, pitch: 0.26, fov: Self::FOV, up: Vec3::Y };
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
        // The least distance at which each corner lies inside the view's four sides.
        let half = (high - low) / 2.0;
        let slope = (self.fov / 2.0).tan();
        let mut distance = half.length().max(1e-4) * 0.2;
        for k in 0..8 {
            let sign = |bit: i32| if k & bit == 0 { -1.0 } else { 1.0 };
            let corner = half * Vec3::new(sign(1), sign(2), sign(4));
            let wide = corner.dot(side).abs().max(corner.dot(up).abs() * 1.2) * 1.06;
            distance = distance.max(wide / slope - corner.dot(forward));
        }
        self.distance = distance;
    }

    /// A camera at `eye` that looks at `target`.
    pub fn look_at(eye: Vec3, target: Vec3, up: Vec3, fov: f32) -> Self {
        let up = up.try_normalize().unwrap_or(Vec3::Y);
        let away = eye - target;
        let distance = away.length().max(1e-6);
        let mut camera = Self { target, distance, yaw: 0.0, pitch: 0.0, fov: fov.clamp(0.02, 2.8), up };
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

    /// Where the eye is \[m\].
    pub fn eye(&self) -> Vec3 {
        self.target - self.axes()[0] * self.distance
    }

    /// Unit vector along which the eye looks.
    pub fn forward(&self) -> Vec3 {
        self.axes()[0]
    }

    /// World to clip space, for `aspect` = width / height. Depth is 1 at the near plane and 0 at infinity.
    pub fn view_projection(&self, aspect: f32) -> Mat4 {
        self.projection(aspect) * self.view()
    }

    /// Clip space to directions from the eye in world space.
    pub(super) fn unproject(&self, aspect: f32) -> Mat4 {
        let slope = (self.fov / 2.0).tan();
        let [forward, right, up] = self.axes();
        let zero = Vec4::ZERO;
        Mat4::from_cols(
            (right * slope * aspect).extend(0.0),
            (up * slope).extend(0.0),
            zero,
            forward.extend(0.0),
        )
    }

    fn view(&self) -> Mat4 {
        let [forward, right, up] = self.axes();
        let rows = Mat4::from_cols(right.extend(0.0), up.extend(0.0), (-forward).extend(0.0), Vec4::W);
        rows.transpose() * Mat4::from_translation(-self.eye())
    }

    fn projection(&self, aspect: f32) -> Mat4 {
        let focal = 1.0 / (self.fov / 2.0).tan();
        // Depth reversed: floating point then resolves near and far alike.
        let near = self.distance * 0.01;
        Mat4::from_cols(
            Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
            Vec4::new(0.0, focal, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 0.0, -1.0),
            Vec4::new(0.0, 0.0, near, 0.0),
        )
    }

    /// The ray through a point of the picture; x and y run from 0 (left, top) to 1 (right, bottom).
    pub fn ray(&self, x: f32, y: f32, aspect: f32) -> Ray {
        let d = self.unproject(aspect) * Vec4::new(2.0 * x - 1.0, 1.0 - 2.0 * y, 1.0, 1.0);
        Ray { origin: self.eye(), direction: d.truncate().normalize() }
    }

    /// Turns around the target by angles \[rad\].
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves the target in the picture's plane, in picture heights, so that what lies at the target's
    /// distance moves right and down.
    pub fn pan(&mut self, right: f32, down: f32) {
        let height = 2.0 * self.distance * (self.fov / 2.0).tan();
        let [_, side, up] = self.axes();
        self.target += (up * down - side * right) * height;
    }

    /// Moves the eye towards the target (`factor` below one) or away from it.
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance * factor).clamp(1e-4, 1e6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_at_gives_back_eye_and_target() {
        let (eye, target) = (Vec3::new(1.0, 2.0, -3.0), Vec3::new(0.5, 0.0, 0.25));
        for up in [Vec3::Y, Vec3::Z, Vec3::new(0.2, 1.0, 0.1).normalize()] {
            let camera = Camera::look_at(eye, target, up, 0.7);
            assert!((camera.eye() - eye).length() < 1e-4, "{} for up {up}", camera.eye());
            let middle = camera.view_projection(1.5) * target.extend(1.0);
            assert!(middle.x.abs() < 1e-4 && middle.y.abs() < 1e-4 && middle.w > 0.0);
        }
    }

    #[test]
    fn a_ray_hits_the_point_it_was_projected_from() {
        let camera = Camera::look_at(Vec3::new(2.0, 1.0, 3.0), Vec3::ZERO, Vec3::Y, 0.6);
        let p = Vec3::new(0.3, -0.2, 0.4);
        let clip = camera.view_projection(1.3) * p.extend(1.0);
        let ray = camera.ray(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w, 1.3);
        let along = (p - ray.origin).dot(ray.direction);
        assert!((ray.origin + ray.direction * along - p).length() < 1e-4);
    }

    #[test]
    fn framing_holds_the_box() {
        let (low, high) = (Vec3::new(-1.0, 0.0, -0.2), Vec3::new(1.0, 3.0, 0.4));
        let camera = Camera::framing(low, high);
        for k in 0..8 {
            let pick = |bit: i32, axis: usize| if k & bit == 0 { low[axis] } else { high[axis] };
            let clip = camera.view_projection(1.3) * Vec4::new(pick(1, 0), pick(2, 1), pick(4, 2), 1.0);
            assert!(clip.x.abs() < clip.w && clip.y.abs() < clip.w && clip.z < clip.w);
        }
    }
}
