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
//! Where an iteration begins higher than the one before it by more than half of the first, the rest of the step takes at
//! least 0.3 of a spring's stiffness across it: from folded states a Newton step can overshoot.

use glam::DVec3;

use super::multigrid::{Cycle, CycleOptions};
use super::objective::Objective;
use super::{Forces, State64, local_global};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::settings::{Form, Settings};

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

/// Nodes of the levels, and of the first level, that the GPU visits together: these are cycled twice.
const TAIL: [usize; 2] = [630, 490];

impl Options {
    /// As the GPU does it: coarser levels are swept on the way up only, and the small ones take part in two
    /// cycles.
    pub fn on_gpu(hierarchy: &Hierarchy, iterations: u32) -> Self {
        let nodes: Vec<usize> = hierarchy.levels.iter().map(|l| l.nodes).collect();
        let is_tail = |i: &usize| nodes[*i..].iter().sum::<usize>() <= TAIL[0] && nodes[*i] <= TAIL[1];
        let tail = (0..nodes.len()).find(is_tail).map(|i| i + 1);
        let cycle = CycleOptions { descending: false, repeated: tail, ..CycleOptions::default() };
        Self { iterations, cycle, ..Self::default() }
    }
}

/// The levels that the GPU uses: those of a grid where the network is in grid form.
pub fn levels(model: &Model, settings: &Settings) -> Hierarchy {
    match settings.form {
        Form::Mesh => Hierarchy::galerkin(model),
        Form::Auto | Form::Grid => Hierarchy::of(model),
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 4, nesterov: true, cycle: CycleOptions::default() }
    }
}

/// A rise of phi that counts, as a part of the one that the step began with \[1\].
const MOST_RISE: f64 = 0.5;
/// One that does not [J].
const ROUNDING_ENERGY: f64 = 1e-9;
/// Least stiffness across a spring after one, as a share of k \[1\].
const CAREFUL: f64 = 0.3;

/// beta of iteration `k`, counted from zero.
pub fn momentum(k: u32) -> f64 {
    let m = f64::from(k.min(30).saturating_sub(2));
    m / (m + 3.0)
}

/// The iterates x \[m\] after 0, 1, .. `options.iterations` iterations from `start` \[m\], each passed to
/// `visit`, which may disturb it; returns the last. Pinned nodes stay where they start.
pub fn iterate(
    objective: &Objective<'_>,
    hierarchy: &Hierarchy,
    start: Vec<DVec3>,
    options: &Options,
    mut visit: impl FnMut(&mut [DVec3]),
) -> Vec<DVec3> {
    let mut x = start;
    let mut before = x.clone();
    let mut cycle = options.cycle;
    let (mut first, mut last) = (0.0, f64::INFINITY);
    visit(&mut x);
    for k in 0..options.iterations {
        let beta = if options.nesterov { momentum(k) } else { 0.0 };
        let z: Vec<DVec3> = x.iter().zip(&before).map(|(x, before)| *x + beta * (*x - *before)).collect();
        let gradient = objective.gradient(&z);
        let e = Cycle::new(objective, hierarchy, &z, cycle).apply(&gradient);
        // The GPU knows the objective only after the fine level has been used.
        let phi = objective.value(&z);
        if k == 0 {
            first = phi;
        } else if phi > last + MOST_RISE * first.abs() + ROUNDING_ENERGY {
            cycle.t_min = CAREFUL;
        }
        last = phi;
        before = std::mem::replace(&mut x, z.iter().zip(&e).map(|(z, e)| *z - *e).collect());
        visit(&mut x);
    }
    x
}

/// One step of length `h` \[s\]. `hierarchy` belongs to the model of `forces`.
pub fn step(forces: &Forces<'_>, hierarchy: &Hierarchy, options: &Options, h: f64, state: &mut State64) {
    let objective = Objective::of_step(forces, h, state);
    let start = local_global::start(forces, &objective, h, state);
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
