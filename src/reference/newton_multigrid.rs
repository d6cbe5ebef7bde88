//! Implicit Euler as a minimization by Newton iterations with one multigrid cycle each, without line
//! search or dot products:
//!
//! ```text
//! z = x + beta_k (x - x_prev),   x_new = z - cycle(z) grad phi(z),   k = 0, 1, ..
//! ```
//!
//! from x_n + h v, or nearer to x_n ([`start`]), with the objective phi of [`super::objective`], the V-cycle of
//! [`super::multigrid`] on the projected Newton matrix at z, and the weights beta_k = m / (m + 3), m = max(0, k - 2), of
//! Y. Nesterov, "A method of solving a convex programming problem with convergence rate O(1/k^2)", Soviet
//! Mathematics Doklady 27, 1983, restarted each step. Then v+ = (x+ - x_n) / h exp(-drag h).
//!
//! Instead of one cycle an iteration may take a few steps of conjugate gradients for A e = grad phi, each preconditioned by a
//! cycle (flexible conjugate gradients: Y. Notay, SIAM J. Sci. Comput. 22(4), 2000,
//! <https://doi.org/10.1137/S1064827599362314>). A is the matrix of the cycle. On hard networks ([`is_hard`]) A is the
//! projected Newton matrix itself, except where a spring has a multiplier, and only the cycle has at least t_min of a
//! spring's stiffness across it.
//!
//! Where springs are so stiff that they have multipliers ([`Multipliers`]), phi is the augmented Lagrangian: every
//! iteration but the first begins with lambda <- F. Then z is x: momentum would continue a motion that a multiplier has just
//! undone, and many iterations would be worse than few. The multipliers last from step to step.
//!
//! Where phi rises from one iteration to the next by more than half of the step's first phi, the later iterations have at
//! least 0.3 of a spring's stiffness across it: from folded states a Newton step can overshoot. (Not with multipliers, whose
//! phi need not fall.)

mod bound;
mod contact;
mod start;

pub use contact::step_in_contact;
pub use start::{share, start};

use glam::DVec3;

use super::bound::{Bounds, loads};
use super::multigrid::{Cycle, CycleOptions};
use super::objective::{Objective, finish};
use super::{Forces, Reference, State64};
use crate::hierarchy::{self, Hierarchy, is_hard};
use crate::method::cg_steps;
use crate::model::{Model, Multipliers};
use crate::numbers::{FIRST_NODES, TAIL_NODES};
use crate::settings::{CG_STEPS, Form, Settings};

/// The knobs of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Iterations a step.
    pub iterations: u32,
    /// Whether iterations carry on with momentum.
    pub nesterov: bool,
    /// Steps of conjugate gradients in each iteration; none for the cycle alone.
    pub cg_steps: u32,
    /// Whether these multiply by the projected Newton matrix itself.
    pub is_hard: bool,
    /// Those of the cycle.
    pub cycle: CycleOptions,
}

/// Nodes of all levels of the tail, and of its first level, which the GPU visits in one dispatch, in two cycles.
const TAIL: [usize; 2] = [TAIL_NODES as usize, FIRST_NODES as usize];

impl Options {
    /// As the GPU does it: coarser levels have no pre-smoothing, and the small ones have two cycles.
    pub fn on_gpu(model: &Model, hierarchy: &Hierarchy, settings: &Settings) -> Self {
        let nodes: Vec<usize> = hierarchy.levels.iter().map(|l| l.nodes).collect();
        let is_tail = |i: &usize| nodes[*i..].iter().sum::<usize>() <= TAIL[0] && nodes[*i] <= TAIL[1];
        let tail = (0..nodes.len()).find(is_tail).map(|i| i + 1);
        let cycle = CycleOptions { pre_smoothing: false, repeated: tail, ..CycleOptions::default() };
        let iterations = settings.iterations();
        let (own, cg_steps) = (settings.get(CG_STEPS).is_none(), cg_steps(model, settings));
        Self { iterations, cg_steps, is_hard: cg_steps > 0 && own && is_hard(model), cycle, nesterov: true }
    }

    /// The correction e of an iteration, z - e its result: roughly the solution of A e = `gradient`. `cycle` is that at `z`
    /// \[m\].
    pub fn correction(
        &self,
        objective: &Objective<'_>,
        cycle: &Cycle<'_>,
        z: &[DVec3],
        gradient: &[DVec3],
    ) -> Vec<DVec3> {
        match self.cg_steps {
            0 => cycle.apply(gradient),
            steps if self.is_hard => {
                let stiffness = objective.stiffness(z, true);
                conjugate_gradients(|d| objective.product(&stiffness, d), cycle, gradient, steps)
            }
            steps => conjugate_gradients(|d| cycle.product(d), cycle, gradient, steps),
        }
    }
}

/// The levels that the GPU uses: those of a grid where the network is in grid form.
pub fn levels(model: &Model, settings: &Settings) -> Hierarchy {
    match settings.step.form {
        Form::Mesh => Hierarchy::galerkin(model),
        Form::Auto | Form::Grid => Hierarchy::of(model),
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 4, nesterov: true, cg_steps: 0, is_hard: false, cycle: CycleOptions::default() }
    }
}

/// The smallest rise of phi that counts, as a part of the step's first phi \[1\].
const MOST_RISE: f64 = 0.5;
/// A rise of phi that does not count [J].
const ROUNDING_ENERGY: f64 = 1e-9;
/// Least stiffness across a spring after a rise, as a share of k \[1\].
const CAREFUL: f64 = 0.3;

/// beta of iteration `k`, counted from zero.
pub fn momentum(k: u32) -> f64 {
    let m = f64::from(k.min(30).saturating_sub(2));
    m / (m + 3.0)
}

/// Sees the quantities of each iteration, and may change them.
pub trait Observer {
    /// x \[m\] after 0, 1, .. iterations.
    fn iterate(&mut self, _x: &mut [DVec3]) {}
    /// The gradient \[N\] at `z` \[m\].
    fn gradient(&mut self, _z: &[DVec3], _gradient: &mut [DVec3]) {}
    /// The correction e \[m\].
    fn correction(&mut self, _e: &mut [DVec3]) {}
}

impl<F: FnMut(&mut [DVec3])> Observer for F {
    fn iterate(&mut self, x: &mut [DVec3]) {
        self(x);
    }
}

/// The result x \[m\] of `options.iterations` iterations from `start` \[m\]. Pinned nodes stay where they start; the
/// multipliers of `objective` are those of the last iteration.
pub fn iterate(
    objective: &mut Objective<'_>,
    hierarchy: &Hierarchy,
    start: Vec<DVec3>,
    options: &Options,
    mut observer: impl Observer,
) -> Vec<DVec3> {
    let mut x = start;
    let mut before = x.clone();
    let mut cycle = options.cycle;
    let has_multipliers = !objective.multiplier().is_empty();
    let (mut first, mut last) = (0.0, f64::INFINITY);
    observer.iterate(&mut x);
    for k in 0..options.iterations {
        let beta = if options.nesterov && !has_multipliers { momentum(k) } else { 0.0 };
        let z: Vec<DVec3> = x.iter().zip(&before).map(|(x, before)| *x + beta * (*x - *before)).collect();
        if k > 0 {
            objective.update_multipliers(&z);
        }
        objective.at_iteration(k as usize);
        let mut gradient = objective.gradient(&z);
        observer.gradient(&z, &mut gradient);
        let mut e =
            options.correction(objective, &Cycle::new(objective, hierarchy, &z, cycle), &z, &gradient);
        observer.correction(&mut e);
        // The GPU has the objective only after the finest level's kernels have used the matrix.
        let phi = objective.value(&z);
        if k == 0 {
            first = phi;
        } else if !has_multipliers && phi > last + MOST_RISE * first.abs() + ROUNDING_ENERGY {
            cycle.t_min = CAREFUL;
        }
        last = phi;
        before = std::mem::replace(&mut x, z.iter().zip(&e).map(|(z, e)| *z - *e).collect());
        observer.iterate(&mut x);
    }
    x
}

/// Roughly the solution of A e = `residual` after `steps` steps of conjugate gradients, preconditioned by a cycle. `multiply`
/// gives A d.
fn conjugate_gradients(
    multiply: impl Fn(&[DVec3]) -> Vec<DVec3>,
    cycle: &Cycle<'_>,
    residual: &[DVec3],
    steps: u32,
) -> Vec<DVec3> {
    let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let add = |to: &mut [DVec3], factor: f64, of: &[DVec3]| {
        to.iter_mut().zip(of).for_each(|(to, of)| *to += factor * *of);
    };
    let mut r = residual.to_vec();
    let mut e = vec![DVec3::ZERO; r.len()];
    let (mut product, mut curvature) = (e.clone(), 0.0);
    let mut direction = e.clone();
    for _ in 0..steps {
        let z = cycle.apply(&r);
        let beta = if curvature > 0.0 { -dot(&z, &product) / curvature } else { 0.0 };
        direction.iter_mut().zip(z).for_each(|(d, z)| *d = z + beta * *d);
        product = multiply(&direction);
        curvature = dot(&direction, &product);
        let alpha = if curvature > 0.0 { dot(&direction, &r) / curvature } else { 0.0 };
        add(&mut e, alpha, &direction);
        add(&mut r, -alpha, &product);
    }
    e
}

/// One step of length `h` \[s\]. `hierarchy` belongs to the model of `forces`; `multipliers` are those of the model for
/// such a step, and `lambda` \[N\] their values, which the step changes: none at first, or one for each spring.
pub fn step(
    forces: &Forces<'_>,
    hierarchy: &Hierarchy,
    options: &Options,
    multipliers: &Multipliers,
    lambda: &mut Vec<f64>,
    h: f64,
    state: &mut State64,
) {
    let mut objective = Objective::of_step(forces, h, state).with_multipliers(multipliers, lambda);
    let start = start(forces, &objective, h, state);
    let reached = iterate(&mut objective, hierarchy, start, options, |_: &mut [DVec3]| ());
    *lambda = objective.multiplier().to_vec();
    finish(forces, h, state, reached);
}

/// The method, as [`crate::check`] compares it: multipliers begin at zero.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        let (model, settings) = (forces.model, forces.settings);
        let multipliers = hierarchy::multipliers(model, h);
        let hierarchy = levels(model, settings);
        let settings = settings.for_multipliers(!multipliers.is_empty(), model.copies());
        let options = Options::on_gpu(model, &hierarchy, &settings);
        step(forces, &hierarchy, &options, &multipliers, &mut Vec::new(), h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        let loads = loads(forces, h, before);
        Bounds::all_within(h, after, bound::position(forces, h, before, &loads))
    }
}

#[cfg(test)]
mod tests;
