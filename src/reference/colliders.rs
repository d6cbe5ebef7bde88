//! Colliders as penalties, with friction: the ordinary linear spring and dashpot of P. Moore, J. Wilhelms, "Collision
//! detection and response for computer animation", SIGGRAPH 1988, <https://doi.org/10.1145/54852.378528>, and Coulomb's
//! law made viscous at rest.
//!
//! A node of mass m at x with velocity v has, from a collider whose surface nearest to x is at distance d (negative
//! inside, thickness taken off), has the outward normal n and moves with u, with r = v - u, r_n = r . n:
//!
//! ```text
//! f = push - B v
//! push = -k d n + B u,   B = b n n^T + c_t (I - n n^T),   k = stiffness m
//! c_t = friction load / max(|r - r_n n|, slip speed)
//! ```
//!
//! Explicit methods: only where d < 0; load = -k d, b = damping m where r_n < 0 and else 0, and c_t at most m / (4 h).
//! Implicit methods, for which v becomes the velocity at the end of the step: where d + h min(r_n, 0) < 0;
//! b = h k, so that the spring acts at the depth at the end, and damping m more where d < 0, whichever way the node goes: at
//! rest the sign of r_n is rounding; load is at least -k (d + h min(r_n, 0)) / (1 + h^2 stiffness), about what stops the node. In a planar scene push and B keep to the
//! plane.
//!
//! The collider is where it is at the start of the step. Limits: nodes only, no edges or faces; a node that starts
//! a step on the far side of a thin collider goes out there.

use glam::{DMat3, DVec3};

use super::Forces;
use super::forces::outer;
use crate::model::{Collider, ColliderShape};

/// The distance of `x` \[m\] from the surface of a collider at `time` \[s\], and the surface's normal.
pub fn surface(collider: &Collider, time: f64, x: DVec3) -> (f64, DVec3) {
    let away = x - collider.center(time);
    let rotation = collider.rotation(time);
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

impl Forces<'_> {
    /// push \[N\] and B [N s/m] of node `i` at `x` \[m\] with velocity `v` [m/s], from all colliders, in a step of the
    /// length in [`Forces::at`].
    pub fn contact(&self, i: usize, x: DVec3, v: DVec3, is_implicit: bool) -> (DVec3, DMat3) {
        let colliders = self.model.colliders().iter();
        let each = colliders.filter_map(|collider| self.contact_with(collider, i, x, v, is_implicit));
        each.fold((DVec3::ZERO, DMat3::ZERO), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// The same from one collider; `None` where there is no contact.
    pub fn contact_with(
        &self,
        collider: &Collider,
        i: usize,
        x: DVec3,
        v: DVec3,
        is_implicit: bool,
    ) -> Option<(DVec3, DMat3)> {
        let (m, h) = (self.mass(i), self.at.step);
        let (d, n) = surface(collider, self.at.time, x);
        let u = self.surface_velocity(collider, x - d * n);
        let r = v - u;
        let r_n = r.dot(n);
        let depth = if is_implicit { -(d + h * r_n.min(0.0)) } else { -d };
        if depth <= 0.0 || !self.is_free(i) {
            return None;
        }
        let stiffness = f64::from(collider.stiffness);
        let k = stiffness * m;
        let load = (-k * d).max(k * depth / (1.0 + h * h * stiffness));
        let mut b = if d < 0.0 && (is_implicit || r_n < 0.0) { f64::from(collider.damping) * m } else { 0.0 };
        let slip = (r - r_n * n).length().max(f64::from(collider.slip_speed));
        let mut c_t = f64::from(collider.friction) * load / slip;
        if is_implicit {
            b += h * k;
        } else {
            c_t = c_t.min(0.25 * m / h);
        }
        let mut block = outer(n) * (b - c_t) + DMat3::IDENTITY * c_t;
        let mut push = block * u - k * d * n;
        if self.settings.planar {
            push.z = 0.0;
            (block.x_axis.z, block.y_axis.z) = (0.0, 0.0);
            (block.z_axis.x, block.z_axis.y) = (0.0, 0.0);
        }
        Some((push, block))
    }

    /// Velocity [m/s] of a collider's surface at `point` \[m\]; its path is straight during the step.
    pub fn surface_velocity(&self, collider: &Collider, point: DVec3) -> DVec3 {
        let (time, h) = (self.at.time, self.at.step);
        let middle = collider.center(time);
        let moved = if h > 0.0 { (collider.center(time + h) - middle) / h } else { DVec3::ZERO };
        moved + collider.spin.as_dvec3().cross(point - middle)
    }

    /// Adds what colliders do to `force` \[N\], for explicit methods, at positions `x` \[m\] and velocities `v` [m/s].
    pub fn add_contact(&self, x: &[DVec3], v: &[DVec3], force: &mut [DVec3]) {
        if self.model.colliders().is_empty() {
            return;
        }
        for (i, f) in force.iter_mut().enumerate() {
            let (push, drag) = self.contact(i, x[i], v[i], false);
            *f += push - drag * v[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::{Body, ModelBuilder, Path};
    use crate::reference::{Instant, State64, symplectic_euler};
    use crate::settings::Settings;

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

    /// One node of 0.1 kg on a slope of angle `slope` under the friction given, after two seconds.
    fn slid(slope: f32, friction: f32) -> f64 {
        let normal = Vec3::new(slope.sin(), slope.cos(), 0.0);
        let plane = ColliderShape::Plane { point: Vec3::ZERO, normal };
        let mut builder = ModelBuilder::new();
        let body = Body { rest_position: vec![Vec3::ZERO], mass: vec![0.1], ..Body::default() };
        builder.add(body);
        builder.collide(Collider { friction, thickness: 0.0, ..Collider::new(plane) });
        let model = builder.build().unwrap();
        let settings = Settings::default();
        let mut state = State64::from(model.initial_state());
        let h = 1e-4;
        for _ in 0..20_000 {
            let at = Instant { time: state.time, step: h };
            let forces = Forces { model: &model, settings: &settings, pulls: &[], reach: 1.0, at };
            symplectic_euler::step(&forces, h, &mut state);
        }
        state.position[0].length()
    }

    #[test]
    fn a_node_sticks_below_the_angle_of_friction_and_slides_above_it() {
        // It creeps by g sin over the largest c_t / m; beyond, s = g (sin - mu cos) t^2 / 2.
        let crept = slid(0.25, 0.3);
        assert!(crept < 2e-3 + 1e-3, "{crept} m");
        let (angle, mu) = (0.5f64, 0.3);
        let expected = 0.5 * 9.81 * (angle.sin() - mu * angle.cos()) * 4.0;
        let found = slid(0.5, 0.3);
        assert!((found / expected - 1.0).abs() < 0.01, "{found} and {expected}");
    }
}
