//! The classical Runge-Kutta method: W. Kutta, Z. Math. Phys. 46, 435 (1901).
//!
//! ```text
//! k_1 = f(y),   k_2 = f(y + h/2 k_1),   k_3 = f(y + h/2 k_2),   k_4 = f(y + h k_3)
//! y+ = y + h/6 (k_1 + 2 k_2 + 2 k_3 + k_4),   then v+ <- v+ exp(-drag h)
//! ```
//!
//! with y = (x, v) and f(y) = (v, a(x, v)). What air, colliders and loads do is that of the substep's start.

use glam::{DMat3, DVec3};

use super::bound::noise::{Noise, ROUNDINGS, largest_deviation};
use super::bound::{self, Bounds, U};
use super::{Forces, Reference, State64};

/// What air, colliders and loads do during a substep: a push \[N\], and a drag matrix [N s/m].
struct Frozen {
    push: Vec<DVec3>,
    drag: Vec<DMat3>,
}

impl Frozen {
    /// At the start of the substep.
    fn at(forces: &Forces<'_>, x: &[DVec3], v: &[DVec3]) -> Self {
        let mut push = vec![DVec3::ZERO; x.len()];
        let mut drag = vec![DMat3::ZERO; x.len()];
        let wind = forces.settings.world.wind.as_dvec3();
        for &triangle in forces.model.triangles() {
            let block = forces.air_block(triangle, x, v) * (1.0 / 3.0);
            for i in triangle.map(|i| i as usize) {
                drag[i] += block;
                push[i] += block * wind;
            }
        }
        forces.add_loads(x, &mut push);
        let others = forces.without_contact(x, v);
        let mut all = others.clone();
        forces.add_contact(x, v, &mut all);
        for (i, push) in push.iter_mut().enumerate() {
            *push += all[i] - others[i];
        }
        Self { push, drag }
    }

    /// The acceleration of each node [m/s^2]; zero where pinned.
    fn acceleration(&self, forces: &Forces<'_>, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
        let mut force = self.push.clone();
        forces.add_gravity(&mut force);
        forces.add_damping(v, &mut force);
        forces.add_pulls(x, &mut force);
        forces.add_network(x, v, &mut force);
        let of = |i: usize| match forces.is_free(i) {
            true => (force[i] - self.drag[i] * v[i]) / forces.mass(i),
            false => DVec3::ZERO,
        };
        (0..x.len()).map(of).collect()
    }
}

/// A stage: where nodes are, how fast they move, and their accelerations.
struct Stage {
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    a: Vec<DVec3>,
}

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    disturbed_step(forces, h, state, &mut |_| ());
}

/// The same with stages that `disturb` may change once they are known.
fn disturbed_step(forces: &Forces<'_>, h: f64, state: &mut State64, disturb: &mut dyn FnMut(&mut Stage)) {
    let (x, v) = (&state.position, &state.velocity);
    let frozen = Frozen::at(forces, x, v);
    let ahead = |from: &[DVec3], along: &[DVec3], time: f64| -> Vec<DVec3> {
        from.iter().zip(along).map(|(a, b)| *a + time * *b).collect()
    };
    let mut stage = |x: Vec<DVec3>, v: Vec<DVec3>| {
        let a = frozen.acceleration(forces, &x, &v);
        let mut stage = Stage { x, v, a };
        disturb(&mut stage);
        stage
    };
    let first = stage(x.clone(), v.clone());
    let second = stage(ahead(x, &first.v, h / 2.0), ahead(v, &first.a, h / 2.0));
    let third = stage(ahead(x, &second.v, h / 2.0), ahead(v, &second.a, h / 2.0));
    let fourth = stage(ahead(x, &third.v, h), ahead(v, &third.a, h));
    let drag = forces.drag_factor(h);
    let sum = |of: &dyn Fn(&Stage) -> DVec3| of(&first) + 2.0 * of(&second) + 2.0 * of(&third) + of(&fourth);
    for i in 0..state.position.len() {
        state.position[i] += h / 6.0 * sum(&|stage| stage.v[i]);
        if forces.is_free(i) {
            state.velocity[i] = drag * (state.velocity[i] + h / 6.0 * sum(&|stage| stage.a[i]));
        }
    }
    state.time += h;
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    /// Found by disturbing the stages as in [`super::newton_multigrid`]: what a stage is off, the next ones see.
    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        let disturbed = |noise: &mut Noise| {
            let mut state = before.clone();
            disturbed_step(forces, h, &mut state, &mut |stage| round(forces, h, stage, noise));
            state
        };
        let position = largest_deviation(|noise| disturbed(noise).position);
        let velocity = largest_deviation(|noise| disturbed(noise).velocity);
        let stored = |of: &[DVec3], bound: f64| of.iter().map(|of| bound + 4.0 * U * of.length()).collect();
        Bounds { position: stored(&after.position, position), velocity: stored(&after.velocity, velocity) }
    }
}

/// What f32 may do to a stage: its numbers are stored, and its accelerations are sums of the magnitudes of all forces.
fn round(forces: &Forces<'_>, h: f64, stage: &mut Stage, noise: &mut Noise) {
    let state = State64 { position: stage.x.clone(), velocity: stage.v.clone(), time: forces.at.time };
    let loads = bound::loads(forces, h, &state);
    let gravity = forces.settings.world.gravity.as_dvec3().length();
    for i in (0..stage.x.len()).filter(|i| forces.is_free(*i)) {
        let (speed, m) = (stage.v[i].length(), forces.mass(i));
        let force = loads[i].force + m * gravity + forces.viscosity(i) * speed;
        // A position that is off counts by the stiffness of what it is held by.
        let moved = U * stage.x[i].length() * loads[i].stiffness * loads[i].excess;
        stage.a[i] += noise.vector((ROUNDINGS * U * force + moved) / m);
        stage.v[i] += noise.vector(U * speed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::reference::fixture;
    use crate::settings::Settings;

    fn run(model: &Model, h: f64, time: f64) -> State64 {
        let settings = Settings::default();
        let forces = Forces::of(model, &settings);
        let mut state = fixture::disturbed(model);
        for _ in 0..(time / h).round() as usize {
            step(&forces, h, &mut state);
        }
        state
    }

    #[test]
    fn it_is_of_fourth_order() {
        let model = fixture::changed(&fixture::cloth(3, 3, &[0]), 1.0, 0.02);
        let exact = run(&model, 1e-4, 0.2);
        let error = |h| fixture::distance(&run(&model, h, 0.2).position, &exact.position);
        for h in [0.002, 0.001] {
            let order = (error(h) / error(h / 2.0)).log2();
            assert!((3.8..4.2).contains(&order), "{h}: {order}");
        }
    }

    /// x'' = -omega^2 x: with z = h omega the amplitude stays below z = 2 sqrt 2 and grows beyond.
    #[test]
    fn its_limit_is_on_the_imaginary_axis() {
        let model = fixture::chain(1, 1.0, 100.0, 1.0, &[0]);
        let settings = Settings {
            world: crate::settings::World { gravity: glam::Vec3::ZERO, ..Default::default() },
            ..Settings::default()
        };
        let forces = Forces::of(&model, &settings);
        let omega = (100.0 / f64::from(model.mass()[1])).sqrt();
        let growth = |z: f64| {
            let mut state = fixture::at_rest(&model);
            let along = (state.position[1] - state.position[0]).normalize();
            state.position[1] += 1e-3 * along;
            for _ in 0..200 {
                step(&forces, z / omega, &mut state);
            }
            ((state.position[1] - state.position[0]).length() - 1.0).abs() / 1e-3
        };
        assert!(growth(2.80) < 1.0);
        assert!(growth(2.86) > 10.0);
    }
}
