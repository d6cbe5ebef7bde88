//! Implicit Euler as a minimisation by Newton iterations with one multigrid cycle each, without line
//! search or dot products:
//!
//! ```text
//! z = x + beta_k (x - x_prev),   x_new = z - cycle(z) grad phi(z),   k = 0, 1, ..
//! ```
//!
//! from x_n + h v, with the objective phi of [`super::objective`], the cycle of [`super::multigrid`] on
//! the projected Newton matrix at z, and the weights beta_k = m / (m + 3), m = max(0, k - 2), of
//! Y. Nesterov, "A method of solving a convex programming problem with convergence rate O(1/k^2)", Soviet
//! Mathematics Doklady 27, 1983, restarted each step. Then v+ = (x+ - x_n) / h exp(-drag h).
//!
//! Limits: from folded states the first iteration can raise phi; nothing watches it here.

use glam::DVec3;

use super::multigrid::{Cycle, CycleOptions};
use super::objective::Objective;
use super::{Forces, State64};
use crate::hierarchy::Hierarchy;

/// The knobs of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Iterations a step.
    pub iterations: u32,
    /// Whether iterations carry on with momentum.
    pub nesterov: bool,
    /// Those of the cycle.
    pub cycle: CycleOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 4, nesterov: true, cycle: CycleOptions::default() }
    }
}

/// beta of iteration `k`, counted from zero.
pub fn momentum(k: u32) -> f64 {
    let m = f64::from(k.saturating_sub(2));
    m / (m + 3.0)
}

/// The iterates x \[m\] after 0, 1, .. `options.iterations` iterations from `start` \[m\], each passed to
/// `visit`; returns the last. Pinned nodes stay where they start.
pub fn iterate(
    objective: &Objective<'_>,
    hierarchy: &Hierarchy,
    start: Vec<DVec3>,
    options: &Options,
    mut visit: impl FnMut(&[DVec3]),
) -> Vec<DVec3> {
    let mut x = start;
    let mut before = x.clone();
    visit(&x);
    for k in 0..options.iterations {
        let beta = if options.nesterov { momentum(k) } else { 0.0 };
        let z: Vec<DVec3> = x.iter().zip(&before).map(|(x, before)| *x + beta * (*x - *before)).collect();
        let gradient = objective.gradient(&z);
        let e = Cycle::new(objective, hierarchy, &z, options.cycle).apply(&gradient);
        before = std::mem::replace(&mut x, z.iter().zip(&e).map(|(z, e)| *z - *e).collect());
        visit(&x);
    }
    x
}

/// One step of length `h` \[s\]. `hierarchy` belongs to the model of `forces`.
pub fn step(forces: &Forces<'_>, hierarchy: &Hierarchy, options: &Options, h: f64, state: &mut State64) {
    let objective = Objective::of_step(forces, h, state);
    let start = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
    let reached = iterate(&objective, hierarchy, start, options, |_| ());
    let drag = forces.drag_factor(h);
    for (i, reached) in reached.into_iter().enumerate() {
        if forces.is_free(i) {
            state.velocity[i] = drag * (reached - state.position[i]) / h;
        }
        state.position[i] = reached;
    }
    state.time += h;
}

#[cfg(test)]
mod tests;
