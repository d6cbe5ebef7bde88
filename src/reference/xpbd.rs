//! XPBD: M. Macklin, M. Mueller, N. Chentanez, "XPBD: Position-Based Simulation of Compliant Constrained Dynamics", Motion
//! in Games 2016, <https://doi.org/10.1145/2994258.2994272>, eq. 18 and 26, on springs: C = l - r, compliance 1 / k,
//! damping by the dashpot. Small steps: M. Macklin et al., "Small Steps in Physics Simulation", SCA 2019,
//! <https://doi.org/10.1145/3309486.3340247>.
//!
//! ```text
//! y = argmin of the node terms of phi, with the force of bending at x_n;  x = y, lambda = 0; then, several times,
//! d lambda = omega (-k C - (c / h) n . (e - e_n) - lambda) / ((k + c / h) (W_i + W_j) + 1)
//! (of an inextensible spring: d lambda = -omega C / (W_i + W_j))
//! lambda += d lambda,  x_i += Gamma_i^-1 n d lambda,  x_j -= Gamma_j^-1 n d lambda
//! ```
//!
//! Gamma is that of [`super::objective`]; 1 / W_i is its part that is the same in all directions (m / h^2 where nothing
//! damps or pulls), so that lambda is a force and the paper's time-scaled compliance is 1 / k itself. Spring after
//! spring in the order of a coloring; or all at once from the same x, W_i then counted once for every spring of the
//! node: the node as if split into as many, which go on by their average (R. Tonge, F. Benevolenski, A. Voroshilov, "Mass
//! splitting for jitter-free parallel rigid body simulation", ACM TOG 31(4), 2012,
//! <https://doi.org/10.1145/2185520.2185601>). Averaging moves of unequal weight, as is common, would push the two ends of a
//! spring with unequal forces.
//!
//! Contact of cloth with cloth ([`super::contact`]) follows each iteration, in some visits of all pairs: `pairs.rs`.
//!
//! Limits: lambda starts from zero in every step, so with few iterations springs are softer than their stiffness; bending
//! limits the step.

mod bound;
mod pairs;

use glam::{DMat3, DVec3};

use super::bound::Bounds;
use super::contact::Contacts;
use super::forces::add_bending;
use super::objective::Objective;
use super::{Forces, Reference, State64};
use crate::method;
use crate::model::{Coloring, Spring};
use crate::settings::LinearSolver;
use pairs::Pairs;

/// A disturbance in place of rounding: a vector within the given bound.
pub type Disturb<'a> = &'a mut dyn FnMut(f64) -> DVec3;

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    disturbed_step(forces, h, state, 0.0, &mut |_| DVec3::ZERO);
}

/// x+ \[m\] of a step of `h` \[s\] with contact of cloth with cloth.
pub fn reached_in_contact(forces: &Forces<'_>, h: f64, state: &State64, contacts: &Contacts) -> Vec<DVec3> {
    reached(forces, h, state, Some(contacts), 0.0, &mut |_| DVec3::ZERO)
}

/// The same in an arithmetic of unit roundoff `u`, whose effect is `disturb`ed.
pub fn disturbed_step(forces: &Forces<'_>, h: f64, state: &mut State64, u: f64, disturb: Disturb<'_>) {
    let x = reached(forces, h, state, None, u, disturb);
    let drag = forces.drag_factor(h);
    for (i, mut x) in x.into_iter().enumerate() {
        if forces.is_free(i) {
            x += disturb(u * x.length());
            state.velocity[i] = drag * (x - state.position[i]) / h;
        }
        state.position[i] = x;
    }
    state.time += h;
}

/// x+ \[m\], before it is stored.
fn reached(
    forces: &Forces<'_>,
    h: f64,
    state: &State64,
    contacts: Option<&Contacts>,
    u: f64,
    disturb: Disturb<'_>,
) -> Vec<DVec3> {
    let (model, settings) = (forces.model, forces.settings);
    let objective = Objective::of_step(forces, h, state);
    let at_once = settings.linear_solver() == LinearSolver::Jacobi;
    let inverse: Vec<DMat3> = (0..model.node_count())
        .map(|i| if forces.is_free(i) { objective.gamma()[i].inverse() } else { DMat3::ZERO })
        .collect();
    let mut bending = vec![DVec3::ZERO; inverse.len()];
    add_bending(model, &state.position, &mut bending);
    let mut x: Vec<DVec3> = (0..inverse.len())
        .map(|i| match forces.is_free(i) {
            true => objective.target()[i] + inverse[i] * bending[i],
            false => state.position[i] + h * state.velocity[i],
        })
        .collect();
    // Displacements are stored, and positions where they end.
    let round = |x: &mut Vec<DVec3>, disturb: Disturb<'_>| {
        for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
            *x += disturb(4.0 * u * (*x - state.position[i]).length());
        }
    };
    round(&mut x, disturb);
    let shares = weights(forces, h, &objective, at_once);
    let relaxation = f64::from(method::relaxation(settings));
    let mut lambda = vec![0.0; model.springs().len()];
    let change = |s: usize, x: &[DVec3], lambda: f64, disturb: Disturb<'_>| -> DVec3 {
        let spring = &model.springs()[s];
        let [i, j] = spring.nodes.map(|n| n as usize);
        let (k, r) = (f64::from(spring.stiffness), f64::from(spring.rest_length));
        let (e, l, n) = super::forces::direction(spring, x);
        let e_n = state.position[i] - state.position[j];
        let weight = shares[i] + shares[j];
        if weight == 0.0 {
            return DVec3::ZERO;
        }
        if spring.is_inextensible() {
            let d = -relaxation * (l - r + disturb(4.0 * u * (l + r)).x) / weight;
            return d * n + disturb(8.0 * u * d.abs());
        }
        let c = f64::from(spring.dashpot) / h;
        let canceling = k * (l + r) + c * (l + e_n.length());
        let left = -k * (l - r) - c * n.dot(e - e_n) - lambda + disturb(4.0 * u * canceling).x;
        let d = relaxation * left / ((k + c) * weight + 1.0);
        d * n + disturb(8.0 * u * d.abs())
    };
    let along = |s: usize, x: &[DVec3], f: DVec3| f.dot(super::forces::direction(&model.springs()[s], x).2);
    let order = Coloring::of_springs(model);
    let mut in_touch = contacts.map(|contacts| Pairs::new(contacts, weights(forces, h, &objective, false)));
    for k in 0..settings.iterations() {
        if at_once {
            let before = x.clone();
            for (s, lambda) in lambda.iter_mut().enumerate() {
                let f = change(s, &before, *lambda, disturb);
                *lambda += along(s, &before, f);
                push(&model.springs()[s], &inverse, f, &mut x);
            }
        } else {
            for &s in order.order() {
                let s = s as usize;
                let f = change(s, &x, lambda[s], disturb);
                lambda[s] += along(s, &x, f);
                push(&model.springs()[s], &inverse, f, &mut x);
            }
        }
        for visit in pairs::VISITS * k..pairs::VISITS * (k + 1) {
            in_touch.iter_mut().for_each(|pairs| pairs.relax(visit as usize, &inverse, &mut x));
        }
        round(&mut x, disturb);
    }
    x
}

fn push(spring: &Spring, inverse: &[DMat3], f: DVec3, x: &mut [DVec3]) {
    let [i, j] = spring.nodes.map(|n| n as usize);
    x[i] += inverse[i] * f;
    x[j] -= inverse[j] * f;
}

/// W of every node [m/N], zero where pinned; `at_once`: as many times as it has springs.
fn weights(forces: &Forces<'_>, h: f64, objective: &Objective<'_>, at_once: bool) -> Vec<f64> {
    let mut springs = vec![0.0; forces.model.node_count()];
    for spring in forces.model.springs().iter().filter(|s| s.stiffness + s.dashpot > 0.0) {
        spring.nodes.iter().for_each(|&n| springs[n as usize] += 1.0);
    }
    let weight = |i: usize| {
        if !forces.is_free(i) {
            return 0.0;
        }
        let scalar = forces.mass(i) / (h * h) + forces.viscosity(i) / h + objective.pull()[i];
        if at_once { springs[i] / scalar } else { 1.0 / scalar }
    };
    (0..springs.len()).map(weight).collect()
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        Bounds::all_within(h, after, bound::position(forces, h, before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{fixture, minimizer};
    use crate::settings::{GRAVITY, ITERATIONS, LINEAR_SOLVER};
    use crate::settings::{Iterations, Settings, SolverKind};

    const H: f64 = 0.01;

    fn reached(model: &crate::Model, linear_solver: LinearSolver, iterations: u32) -> Vec<DVec3> {
        let settings = Settings::of(SolverKind::Xpbd)
            .with(LINEAR_SOLVER, linear_solver)
            .with(ITERATIONS, Iterations::Fixed(iterations));
        let forces = Forces::of(model, &settings);
        let mut state = fixture::disturbed(model);
        step(&forces, H, &mut state);
        state.position
    }

    #[test]
    fn iterated_to_the_end_each_constraint_is_met() {
        // Then lambda n = -k C n for all springs: backward Euler's force at the directions of the iterate, which is the
        // minimum of the objective. (Each d lambda acts along the direction of its own moment.)
        let model = fixture::changed(&fixture::cloth(4, 4, &[0, 3]), 1.0, 0.0);
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        let state = fixture::disturbed(&model);
        let exact = minimizer::implicit_step(&forces, H, &state, 1e-11);
        let start = fixture::distance(&state.position, &exact.position);
        for solver in [LinearSolver::Jacobi, LinearSolver::GaussSeidel] {
            let (some, many) = (reached(&model, solver, 400), reached(&model, solver, 4000));
            assert!(fixture::distance(&some, &many) < 1e-6 * start, "{solver} has not converged");
            let error = fixture::distance(&many, &exact.position);
            assert!(error < 0.1 * start, "{solver}: {error} of {start}");
        }
    }

    #[test]
    fn springs_push_their_ends_alike() {
        let model = fixture::cloth(4, 4, &[]);
        for solver in [LinearSolver::Jacobi, LinearSolver::GaussSeidel] {
            let settings = Settings::of(SolverKind::Xpbd)
                .with(GRAVITY, glam::Vec3::ZERO)
                .with(LINEAR_SOLVER, solver)
                .with(ITERATIONS, Iterations::Fixed(3));
            let forces = Forces::of(&model, &settings);
            let mut state = fixture::disturbed(&model);
            let before = crate::measure::energy::linear_momentum(&model, &state);
            step(&forces, H, &mut state);
            let after = crate::measure::energy::linear_momentum(&model, &state);
            assert!((after - before).length() < 1e-15, "{solver}");
        }
    }
}
