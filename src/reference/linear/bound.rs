//! What rounding may do to solvers of linear systems, found by disturbing the reference as in
//! [`crate::reference::newton_multigrid`].
//!
//! The right-hand side is disturbed by 2 u times the magnitudes that enter it, every product A u by 2 u times the
//! magnitudes of its own, the positions reached by u |x|.

use glam::{DMat3, DVec3};

use crate::reference::Forces;
use crate::reference::bound::U;
use crate::reference::bound::noise::{Noise, ROUNDINGS};
use crate::reference::objective::Objective;

/// Magnitude of gravity on a node \[N\].
pub fn weight(forces: &Forces<'_>, i: usize) -> f64 {
    forces.mass(i) * forces.settings.world.gravity.as_dvec3().length()
}

/// Free positions, stored in f32.
pub fn store(forces: &Forces<'_>, mut x: Vec<DVec3>, noise: &mut Noise) -> Vec<DVec3> {
    for (_, x) in x.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
        *x += noise.vector(U * x.length());
    }
    x
}

/// A u, disturbed.
pub fn rounded(objective: &Objective<'_>, stiffness: &[DMat3], u: &[DVec3], noise: &mut Noise) -> Vec<DVec3> {
    let mut product = objective.product(stiffness, u);
    for (i, bound) in magnitudes(objective, stiffness, u).into_iter().enumerate() {
        if !objective.model().pinned()[i] {
            product[i] += noise.vector(ROUNDINGS * U * bound);
        }
    }
    product
}

/// Sum of the magnitudes that enter A u at each node \[N\].
pub fn magnitudes(objective: &Objective<'_>, stiffness: &[DMat3], u: &[DVec3]) -> Vec<f64> {
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
