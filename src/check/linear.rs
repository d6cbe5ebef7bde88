//! What rounding may do to solvers of linear systems, found by disturbing the reference as in [`super::multigrid`].
//!
//! The right side is disturbed by 2 u times the magnitudes that enter it, every product A u by 2 u times the
//! magnitudes of its own, the positions reached by u |x|.

use glam::{DMat3, DVec3};

use super::noise::{Noise, ROUNDINGS, largest_deviation};
use super::{Load, U};
use crate::reference::implicit_euler::{self, Linearised};
use crate::reference::linear::System;
use crate::reference::objective::Objective;
use crate::reference::{Forces, State64, local_global};
use crate::settings::SolverKind;

/// Largest error of any free node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn position_bound(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load]) -> f64 {
    match forces.settings.solver {
        SolverKind::ImplicitEuler => {
            largest_deviation(|noise| implicit_euler(forces, h, state, loads, noise))
        }
        _ => largest_deviation(|noise| global_steps(forces, h, state, loads, noise)),
    }
}

fn implicit_euler(
    forces: &Forces<'_>,
    h: f64,
    state: &State64,
    loads: &[Load],
    noise: &mut Noise,
) -> Vec<DVec3> {
    let solver = forces.settings.linear_solver();
    let linearised = Linearised::new(forces, h, state);
    let first = linearised.first(forces, h, state);
    let known = linearised.product(&first);
    let mut right: Vec<DVec3> = linearised.right.iter().zip(known).map(|(b, a)| *b - a).collect();
    let begun: Vec<DVec3> = state.velocity.iter().zip(&first).map(|(v, u)| h * *v + *u).collect();
    let moved = magnitudes(&linearised.objective, &linearised.stiffness, &begun);
    for (i, b) in right.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
        *b += noise.vector(ROUNDINGS * U * (loads[i].force + moved[i] + weight(forces, i)));
    }
    let system = System {
        right,
        inverse: linearised.inverse(solver, &state.position),
        product: &mut |u| rounded(&linearised.objective, &linearised.stiffness, u, noise),
        colours: implicit_euler::colours(forces),
    };
    let rest = system.solve(solver, forces.settings.iterations());
    let mut u = first;
    for (i, rest) in rest.into_iter().enumerate().filter(|(i, _)| forces.is_free(*i)) {
        let size = begun[i].length() + rest.length();
        u[i] += rest + noise.vector(ROUNDINGS * U * size);
    }
    let mut reached = state.clone();
    implicit_euler::finish(forces, h, &u, &mut reached);
    store(forces, reached.position, noise)
}

fn global_steps(
    forces: &Forces<'_>,
    h: f64,
    state: &State64,
    loads: &[Load],
    noise: &mut Noise,
) -> Vec<DVec3> {
    let objective = Objective::of_step(forces, h, state);
    let start = store(forces, local_global::start(forces, &objective, h, state), noise);
    let noise = std::cell::RefCell::new(noise);
    let reached = local_global::solved(
        forces,
        &objective,
        start,
        &mut |objective, blocks, u| rounded(objective, blocks, u, *noise.borrow_mut()),
        &mut |right| {
            for (i, b) in right.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
                // The iterate has been rounded, and springs see the difference of two.
                let load = &loads[i];
                let rounded = (load.stiffness + 2.0 * load.bending) * state.position[i].length();
                let bound = ROUNDINGS * U * (load.force + rounded + weight(forces, i));
                *b += noise.borrow_mut().vector(bound);
            }
        },
    );
    store(forces, reached, noise.into_inner())
}

/// Magnitude of gravity on a node \[N\].
fn weight(forces: &Forces<'_>, i: usize) -> f64 {
    forces.mass(i) * forces.settings.gravity.as_dvec3().length()
}

/// Free positions, stored in f32.
fn store(forces: &Forces<'_>, mut x: Vec<DVec3>, noise: &mut Noise) -> Vec<DVec3> {
    for (_, x) in x.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
        *x += noise.vector(U * x.length());
    }
    x
}

/// A u, disturbed.
fn rounded(objective: &Objective<'_>, stiffness: &[DMat3], u: &[DVec3], noise: &mut Noise) -> Vec<DVec3> {
    let mut product = objective.product(stiffness, u);
    for (i, bound) in magnitudes(objective, stiffness, u).into_iter().enumerate() {
        if !objective.model().pinned()[i] {
            product[i] += noise.vector(ROUNDINGS * U * bound);
        }
    }
    product
}

/// Sum of the magnitudes that enter A u at each node \[N\].
fn magnitudes(objective: &Objective<'_>, stiffness: &[DMat3], u: &[DVec3]) -> Vec<f64> {
    let norm = |m: &DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut sums: Vec<f64> = objective.gamma().iter().zip(u).map(|(g, u)| norm(g) * u.length()).collect();
    for (spring, block) in objective.model().springs().iter().zip(stiffness) {
        let [i, j] = spring.nodes.map(|n| n as usize);
        let pull = norm(block) * (u[i] - u[j]).length();
        sums[i] += pull;
        sums[j] += pull;
    }
    objective.model().for_each_bending_stencil(|nodes, coefficients| {
        for (&i, c_i) in nodes.iter().zip(coefficients) {
            for (&j, c_j) in nodes.iter().zip(coefficients) {
                let difference = u[i as usize] - u[j as usize];
                sums[i as usize] += (c_i * c_j).abs() * difference.length();
            }
        }
    });
    sums
}
