//! Colliders as penalties, with friction: the ordinary linear spring and dashpot of P. Moore, J. Wilhelms, "Collision
//! detection and response for computer animation", SIGGRAPH 1988, <https://doi.org/10.1145/54852.378528>, and Coulomb's
//! law, with a history of what sticks.
//!
//! A node of mass m at x with velocity v has, from a collider whose surface nearest to x is at distance d (negative
//! inside, thickness taken off), has the outward normal n and moves with u, with r = v - u, r_n = r . n and r_t = r - r_n n:
//!
//! ```text
//! f = F n - c_t r_t,   F = -k d - c_n r_n,   k = stiffness m,   c_n = damping m
//! |c_t r_t| = friction F where the node slides
//! ```
//!
//! W is the mobility of the node: an impulse p changes its velocity at the end of the step by W p; w_n and w_t are that along
//! n and along the slip. r* is the relative velocity that the node would end the step with without contact: alone, without
//! springs, too; pulled, with the force F_s that springs have at the start, and what lasts of that of surfaces in touch at the
//! end of the step before; relaxed, with F_s in an implicit step of springs whose other ends stay, which adds K to Gamma, the sum
//! of k + c / h and of the diagonal of bending. With L = friction F and a_w = h w_t L, what friction can stop,
//!
//! ```text
//! c_t = L / s,   s = |r*_t pulled| - a_w
//! s >= least = max(|r*_t alone| - a_w, 0.8 |r_t|, slip speed, a_w / 1000),   s <= max(least, |r_t|, |r*_t relaxed| - a_w)
//! ```
//!
//! In implicit methods a_w m / (m + min(M, N / g_n)) stands for a_w in `least` where M > 10 m, M being the mass of the surfaces that lie on the node
//! ([`super::contact::burden`]), N the normal force of surfaces in touch that lasts from the step before, and g_n how the node speeds up towards the collider
//! alone: a block of both ends with no less.
//!
//! What arrives on the node in the step ([`super::contact::burden`]) is added to r* alone, relaxed and pulled as h W A, once they have
//! decided that there is contact, and w_t is multiplied by p.
//!
//! s is the slip at the end of the step: a node that is alone slows down as Coulomb's law says, stops, and never turns.
//!
//! Implicit methods remember friction where it sticks, that is where s is no more than s_0 = max(slip speed, a_w / 1000). With g the
//! force of friction at the end of the step before, from the same collider, made tangential and no longer than L,
//!
//! ```text
//! f_t = g - c_t r_t,   c_t = (L - a) / s_0,   a = -g . r*_t pulled / |r*_t pulled|, from 0 to min(|r*_t pulled| / (h w_t), .95 L)
//! ```
//!
//! so that what is held by a constant force less than L comes to rest. Of several colliders that a node touches the first does so.
//! r_t of s is then that of the end of the step before, too: drag acts on velocities after friction has, and surfaces change theirs.
//! Springs have at the start a force that stiff ones do not keep up over a step, hence the bounds on what they may do. Limits:
//! where they do keep it up, as when a stiff sheet that sticks is pulled harder and harder, slip grows by a factor each step
//! instead of at once; and that of what is drawn along more slowly than friction could stop in a step is some per cent off.
//!
//! Explicit methods: only where d < 0; c_n only where r_n < 0. W = 1 / m, and r* is known, so that all of it is r* pulled and
//! r_t in f is the slip behind friction itself, r*_t / (1 + h w_t c_t). One collider after the other: r* of the second has
//! felt the first.
//!
//! Implicit methods, for which v becomes the velocity at the end of the step, W being Gamma^-1 / h^2
//! ([`super::objective`]):
//!
//! ```text
//! push = -k d n + B u,   B = b n n^T + c_t (I - n n^T),   b = h k + c_n
//! F(r*) = (-k d - b r*_n) / (1 + h w_n b)
//! ```
//!
//! For m in k and c_n they take max(m, M / 10): light cloth that bears much would sink in far, else. The spring acts at the
//! depth at the end; c_n only where d < 0, whichever way the node goes: at rest the sign of r_n is rounding. F(r*) is what spring and dashpot exert at the end on a node that would else go with r*. There is contact where
//! F > 0 with r* alone or pulled if d < 0, with both else. For friction F is F(pulled), but between the least and the
//! largest of F(alone), F(relaxed) and -k d - c_n r_n of the start, and not negative. In a planar scene push and B keep to
//! the plane.
//!
//! The collider is where it is at the start of the step. Limits: nodes only, no edges or faces; a node that starts
//! a step on the far side of a thin collider goes out there.

use glam::{DMat3, DQuat, DVec3};

use super::forces::outer;
use super::objective::Objective;
use super::{Forces, State64};
use crate::measure::surface::surface;
use crate::model::Collider;

/// How many times its own mass a node bears without being held more stiffly.
const BORNE: f64 = 10.0;

/// A node in a step, but for its contact.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Velocity at the start [m/s].
    pub present: DVec3,
    /// Velocity at the end without springs [m/s].
    pub alone: DVec3,
    /// Velocity at the end with springs that relax while neighbors stay [m/s].
    pub relaxed: DVec3,
    /// Velocity at the end with the force that springs have at the start, and surfaces in touch [m/s].
    pub pulled: DVec3,
    /// Velocity by what arrives, where the node bears it [m/s].
    pub arriving: DVec3,
    /// W [1/kg].
    pub mobility: DMat3,
}

/// Friction of a node on a collider in a step, stored for the next one: its force is `constant - viscosity (v - surface)`.
#[derive(Clone, Copy, Debug)]
pub struct FrictionHistory {
    /// Which collider.
    pub collider: usize,
    /// \[N\]
    pub constant: DVec3,
    /// [N s/m]
    pub viscosity: f64,
    /// Velocity of the surface [m/s].
    pub surface: DVec3,
}

/// What a collider does to a node.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// \[N\]
    pub push: DVec3,
    /// B [N s/m]
    pub block: DMat3,
    /// The part of both that is friction.
    pub history: FrictionHistory,
}

/// What is constant in friction \[N\], and c_t [N s/m], for a normal force times coefficient `limit` \[N\], tangential velocities as in
/// [`Motion`] [m/s], what a force changes the slip by over the step, `response` [m/s/N], the `part` of that by which
/// a block of the node and what lies on it changes its slip \[1\], and the tangential force before, `last` \[N\].
fn coulomb(
    limit: f64,
    slip: [DVec3; 4],
    response: f64,
    part: f64,
    slip_speed: f64,
    last: DVec3,
) -> (DVec3, f64) {
    let [present, alone, relaxed, pulled] = slip.map(|r| r.length());
    let stopped = response * limit;
    let sticks_at = slip_speed.max(0.001 * stopped);
    let slowest = (alone - part * stopped).max(0.8 * present).max(sticks_at);
    let fastest = present.max(relaxed - stopped).max(slowest);
    let end = (pulled - stopped).clamp(slowest, fastest);
    if end > sticks_at {
        return (DVec3::ZERO, limit / end);
    }
    let constant = last.clamp_length_max(limit);
    let against = -constant.dot(slip[3].normalize_or_zero());
    (constant, (limit - against.clamp(0.0, (0.95 * limit).min(pulled / response))) / sticks_at)
}

impl Forces<'_> {
    /// push \[N\] and B [N s/m] of node `i` at `x` \[m\] in motion, from all colliders, in a step of the
    /// length in [`Forces::at`].
    pub fn contact(&self, i: usize, x: DVec3, mut motion: Motion, is_implicit: bool) -> (DVec3, DMat3) {
        let mut sum = (DVec3::ZERO, DMat3::ZERO);
        for collider in 0..self.model.colliders().len() {
            let Some(Contact { push, block, .. }) = self.contact_with(collider, i, x, &motion, is_implicit)
            else {
                continue;
            };
            sum = (sum.0 + push, sum.1 + block);
            if !is_implicit {
                motion.pulled += self.at.step * (motion.mobility * push);
            }
        }
        if self.settings.step.planar {
            sum.0.z = 0.0;
            (sum.1.x_axis.z, sum.1.y_axis.z) = (0.0, 0.0);
            (sum.1.z_axis.x, sum.1.z_axis.y) = (0.0, 0.0);
        }
        sum
    }

    /// The mass of the surfaces that lie on node `i` \[kg\], where colliders count it in an implicit step; else 0.
    fn borne(&self, i: usize) -> f64 {
        self.burden
            .get(i)
            .map(|burden| burden.mass)
            .filter(|mass| *mass > BORNE * self.mass(i))
            .unwrap_or(0.0)
    }

    /// What the stiffness of colliders counts of node `i` in an implicit step \[kg\].
    pub fn mass_held(&self, i: usize) -> f64 {
        self.mass(i).max(self.borne(i) / BORNE)
    }

    /// The same from the collider of this index; `None` where there is no contact.
    pub fn contact_with(
        &self,
        index: usize,
        i: usize,
        x: DVec3,
        motion: &Motion,
        is_implicit: bool,
    ) -> Option<Contact> {
        if !self.is_free(i) {
            return None;
        }
        let collider = &self.model.colliders()[index];
        let (m, h) = (self.mass(i), self.at.step);
        let (d, n) = surface(collider, self.at.time, x);
        let u = self.surface_velocity(collider, x - d * n);
        let [r, alone, relaxed, pulled] =
            [motion.present, motion.alone, motion.relaxed, motion.pulled].map(|v| v - u);
        let held = if is_implicit { self.mass_held(i) } else { m };
        let falls = (motion.present - motion.alone).dot(n).max(0.0) / h;
        let block = self.burden.get(i).map_or(1.0, |burden| burden.block_part);
        let presses = -self.last_contact.get(i).map_or(0.0, |force| force.dot(n));
        let part = m / (m + self.borne(i).min(presses.max(0.0) / falls.max(f64::MIN_POSITIVE)));
        let part = (part / block).min(1.0);
        let (k, damping) = (f64::from(collider.stiffness) * held, f64::from(collider.damping) * held);
        let friction = f64::from(collider.friction);
        let tangential = |r: DVec3| r - r.dot(n) * n;
        let slip = tangential(pulled + motion.arriving);
        let w_t = block
            * match slip.length_squared() {
                0.0 => motion.mobility.x_axis.x,
                squared => slip.dot(motion.mobility * slip) / squared,
            };
        let speed = f64::from(collider.slip_speed);
        if !is_implicit {
            if d >= 0.0 {
                return None;
            }
            let load = -k * d - damping * r.dot(n).min(0.0);
            let slips = [DVec3::ZERO, slip, slip, slip];
            let (_, c_t) = coulomb(friction * load, slips, h * w_t, 1.0, speed, DVec3::ZERO);
            let push = load * n - slip * (c_t / (1.0 + h * w_t * c_t));
            let history =
                FrictionHistory { collider: index, constant: DVec3::ZERO, viscosity: c_t, surface: u };
            return Some(Contact { push, block: DMat3::ZERO, history });
        }
        let c_n = if d < 0.0 { damping } else { 0.0 };
        let b = h * k + c_n;
        let w_n = n.dot(motion.mobility * n);
        let stopping = |r: DVec3| (-k * d - b * r.dot(n)) / (1.0 + h * w_n * b);
        let (by_itself, with_springs) = (stopping(alone), stopping(pulled));
        let decisive = if d < 0.0 { by_itself.max(with_springs) } else { by_itself.min(with_springs) };
        if decisive <= 0.0 {
            return None;
        }
        let had = -k * d - c_n * r.dot(n);
        // What arrives changes the load, and decides nothing.
        let [by_itself, with_springs, relaxed_load] =
            [alone, pulled, relaxed].map(|r| stopping(r + motion.arriving));
        let possible = [by_itself, relaxed_load, had];
        let (least, most) = (
            possible.iter().copied().fold(f64::MAX, f64::min),
            possible.into_iter().fold(f64::MIN, f64::max),
        );
        let load = with_springs.clamp(least, most).max(0.0);
        let (mut last, had_slip) = match self.friction_history.get(i) {
            Some(Some(history)) if history.collider == index => {
                let slip = motion.present / self.drag_factor(h) - history.surface;
                (history.constant - history.viscosity * slip, slip)
            }
            _ => (DVec3::ZERO, r),
        };
        if self.settings.step.planar {
            last.z = 0.0;
        }
        let [alone, relaxed] = [alone, relaxed].map(|r| tangential(r + motion.arriving));
        let slips = [tangential(had_slip), alone, relaxed, slip];
        let (constant, c_t) = coulomb(friction * load, slips, h * w_t, part, speed, tangential(last));
        let block = outer(n) * (b - c_t) + DMat3::IDENTITY * c_t;
        let history = FrictionHistory { collider: index, constant, viscosity: c_t, surface: u };
        Some(Contact { push: block * u - k * d * n + constant, block, history })
    }

    /// Friction of each node in an implicit step from `state`, which the next one has as [`Forces::friction_history`].
    pub fn next_friction_history(&self, state: &State64) -> Vec<Option<FrictionHistory>> {
        let history = |(i, motion): (usize, Motion)| {
            let on = |collider| self.contact_with(collider, i, state.position[i], &motion, true);
            (0..self.model.colliders().len()).find_map(on).map(|contact| contact.history)
        };
        Objective::motions(self, self.at.step, state).into_iter().enumerate().map(history).collect()
    }

    /// Velocity [m/s] of a collider's surface at `point` \[m\], its way in the step over the step.
    pub fn surface_velocity(&self, collider: &Collider, point: DVec3) -> DVec3 {
        let (time, h) = (self.at.time, self.at.step);
        let middle = collider.center(time);
        let moved = if h > 0.0 { (collider.center(time + h) - middle) / h } else { DVec3::ZERO };
        let arm = point - middle;
        let spin = collider.spin.as_dvec3();
        let angle = h * spin;
        let goes_on_its_chord = h > 0.0 && angle.length() <= 1.0;
        let turned = match goes_on_its_chord {
            true => (DQuat::from_scaled_axis(angle) * arm - arm) / h,
            false => spin.cross(arm),
        };
        moved + turned
    }

    /// Every node in an explicit step, `force` \[N\] being all forces but contact, at velocities `v` [m/s].
    pub fn explicit_motions(&self, v: &[DVec3], force: &[DVec3]) -> Vec<Motion> {
        let h = self.at.step;
        // Verlet multiplies the old velocity alone.
        let kept = if self.settings.solver.is_staggered() { self.drag_factor(h) } else { 1.0 };
        let each = |i: usize| {
            let end = kept * v[i] + h / self.mass(i) * force[i];
            let mobility = DMat3::IDENTITY * (1.0 / self.mass(i));
            let arriving = DVec3::ZERO;
            Motion { present: v[i], alone: end, relaxed: end, pulled: end, arriving, mobility }
        };
        (0..v.len()).map(each).collect()
    }

    /// Adds what colliders do to `force` \[N\], which holds all other forces, for explicit methods, at positions `x` \[m\] and
    /// velocities `v` [m/s].
    pub fn add_contact(&self, x: &[DVec3], v: &[DVec3], force: &mut [DVec3]) {
        if self.model.colliders().is_empty() {
            return;
        }
        for (i, motion) in self.explicit_motions(v, force).into_iter().enumerate() {
            force[i] += self.contact(i, x[i], motion, false).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Body, ColliderShape, ModelBuilder};
    use crate::reference::{Instant, symplectic_euler};
    use crate::settings::Settings;

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
            let forces = Forces { at, ..Forces::of(&model, &settings) };
            symplectic_euler::step(&forces, h, &mut state);
        }
        state.position[0].length()
    }

    #[test]
    fn a_node_sticks_below_the_angle_of_friction_and_slides_above_it() {
        // It creeps by the slip speed times tan / mu; beyond, s = g (sin - mu cos) t^2 / 2.
        let crept = slid(0.25, 0.3);
        assert!(crept < 2.0 * 0.86e-4 + 2e-5, "{crept} m");
        let (angle, mu) = (0.5f64, 0.3);
        let expected = 0.5 * 9.81 * (angle.sin() - mu * angle.cos()) * 4.0;
        let found = slid(0.5, 0.3);
        assert!((found / expected - 1.0).abs() < 2e-3, "{found} and {expected}");
    }
}
