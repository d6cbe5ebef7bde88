//! Implicit Euler, linearized: D. Baraff, A. Witkin, "Large steps in cloth simulation", SIGGRAPH 1998,
//! <https://doi.org/10.1145/280814.280821>, eq. 6:
//!
//! ```text
//! (M + h^2 K + h D) dv = h (f(x_n, v_n) - h K v_n),   v+ = (v_n + dv) exp(-drag h),   x+ = x_n + h (v_n + dv)
//! ```
//!
//! K and D are minus the derivatives of all forces by x and v at x_n, those of springs projected as
//! [`super::objective`] says (or not, by the settings). With u = h dv it is one Newton step on that objective from
//! x_n + h v_n, with the second derivative of x_n:
//!
//! ```text
//! A u = b,   A = Gamma + sum K_s + Q,   b = -grad phi(x_n) - A h v_n
//! ```
//!
//! The iteration is that of [`super::linear`] from the start of the settings ([`super::objective::start`]): from x_n +
//! h v_n, few iterations would keep only a part of gravity. Limits: those of a single Newton step.

mod bound;

use glam::{DMat3, DVec3};

use super::bound::{Bounds, loads};
use super::linear::System;
use super::objective::Objective;
use super::objective::{self, bending_majorant};
use super::{Forces, Reference, State64};
use crate::method::projects;
use crate::model::Coloring;
use crate::settings::LinearSolver;

/// The linear system of one step.
pub struct Linearized<'a> {
    /// phi of the step.
    pub objective: Objective<'a>,
    /// The block of each spring in A [N/m].
    pub stiffness: Vec<DMat3>,
    /// b \[N\].
    pub b: Vec<DVec3>,
}

impl<'a> Linearized<'a> {
    /// That of a step of `h` \[s\] from `state`.
    pub fn new(forces: &Forces<'a>, h: f64, state: &State64) -> Self {
        let objective = Objective::of_step(forces, h, state);
        let stiffness = objective.stiffness(&state.position, projects(forces.settings));
        let coasting: Vec<DVec3> = state.velocity.iter().map(|v| h * *v).collect();
        let gradient = objective.gradient(&state.position);
        let ahead = objective.product(&stiffness, &coasting);
        let b = gradient.iter().zip(ahead).map(|(g, a)| -*g - a).collect();
        Self { objective, stiffness, b }
    }

    /// The first u \[m\] of a step of `h` \[s\] from `state`.
    pub fn first(&self, forces: &Forces<'_>, h: f64, state: &State64) -> Vec<DVec3> {
        let start = objective::start(forces, &self.objective, h, state);
        let coasted = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v);
        start.iter().zip(coasted).map(|(start, coasted)| *start - coasted).collect()
    }

    /// A u \[N\] for u \[m\], zero where pinned.
    pub fn product(&self, u: &[DVec3]) -> Vec<DVec3> {
        self.objective.product(&self.stiffness, u)
    }

    /// The inverse of what `solver` divides by at each node [m/N]: A's own block with every spring projected, for
    /// Jacobi sweeps with the majorant of bending; zero where pinned.
    pub fn inverse(&self, solver: LinearSolver, x: &[DVec3]) -> Vec<DMat3> {
        let model = self.objective.model();
        let projected = self.objective.stiffness(x, true);
        inverse_blocks(&self.objective, &projected, solver == LinearSolver::Jacobi)
            .into_iter()
            .zip(model.pinned())
            .map(|(inverse, pinned)| if *pinned { DMat3::ZERO } else { inverse })
            .collect()
    }
}

fn inverse_blocks(objective: &Objective<'_>, stiffness: &[DMat3], majorant: bool) -> Vec<DMat3> {
    if !majorant {
        return objective.diagonal(stiffness).into_iter().map(|block| block.inverse()).collect();
    }
    let mut blocks = objective.gamma().to_vec();
    for (spring, block) in objective.model().springs().iter().zip(stiffness) {
        for node in spring.nodes {
            blocks[node as usize] += *block;
        }
    }
    let bending = bending_majorant(objective.model());
    blocks.iter().zip(bending).map(|(block, q)| (*block + DMat3::IDENTITY * q).inverse()).collect()
}

/// The nodes of each color.
pub fn colors(forces: &Forces<'_>) -> Vec<Vec<u32>> {
    Coloring::of(forces.model).classes().map(<[u32]>::to_vec).collect()
}

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    let solver = forces.settings.linear_solver();
    let linearized = Linearized::new(forces, h, state);
    let first = linearized.first(forces, h, state);
    let known = linearized.product(&first);
    let system = System {
        b: linearized.b.iter().zip(known).map(|(b, a)| *b - a).collect(),
        inverse: linearized.inverse(solver, &state.position),
        product: &mut |u| linearized.product(u),
        colors: colors(forces),
    };
    let rest = system.solve(solver, forces.settings.iterations());
    let u: Vec<DVec3> = first.iter().zip(rest).map(|(first, rest)| *first + rest).collect();
    finish(forces, h, &u, state);
}

/// x_n + h v_n + u and its velocity, for u \[m\].
pub fn finish(forces: &Forces<'_>, h: f64, u: &[DVec3], state: &mut State64) {
    let drag = forces.drag_factor(h);
    for (i, u) in u.iter().enumerate() {
        let v = state.velocity[i] + *u / h;
        if forces.is_free(i) {
            state.velocity[i] = drag * v;
        }
        state.position[i] += h * v;
    }
    state.time += h;
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        let loads = loads(forces, h, before);
        Bounds::all_within(h, after, bound::position(forces, h, before, &loads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::fixture;
    use crate::settings::{DAMPING, ITERATIONS, LINEAR_SOLVER, PROJECTION, Settings};

    #[test]
    fn the_system_is_that_of_the_paper() {
        // A damped chain: M + h^2 K + h D and h (f - h K v), put together by hand.
        let model = fixture::changed(&fixture::cloth(3, 3, &[0]), 2.0, 0.3);
        let settings = Settings::default().with(DAMPING, 0.8);
        let forces = Forces::of(&model, &settings);
        let (h, state) = (0.01, fixture::disturbed(&model));
        let linearized = Linearized::new(&forces, h, &state);
        // A times h^2 is the paper's matrix, b times h its right-hand side; K and D by differences of the forces.
        let (x, v) = (&state.position, &state.velocity);
        let change = |x_by: f64, v_by: f64, d: &[DVec3]| -> Vec<DVec3> {
            let at = |s: f64| {
                let x: Vec<_> = x.iter().zip(d).map(|(x, d)| *x + s * x_by * *d).collect();
                let v: Vec<_> = v.iter().zip(d).map(|(v, d)| *v + s * v_by * *d).collect();
                // Positions of dashpots' directions are frozen: only springs are differentiated by x.
                let mut force = vec![DVec3::ZERO; x.len()];
                if x_by != 0.0 {
                    crate::reference::forces::add_springs(&model, &x, &mut force);
                } else {
                    crate::reference::forces::add_dashpots(&model, &state.position, &v, &mut force);
                    forces.add_damping(&v, &mut force);
                }
                force
            };
            let (above, below) = (at(1e-6), at(-1e-6));
            above.iter().zip(&below).map(|(a, b)| (*b - *a) / 2e-6).collect()
        };
        let free = |u: &mut Vec<DVec3>| u[0] = DVec3::ZERO;
        let mut d: Vec<DVec3> = (0..9).map(|i| 1e-3 * fixture::noise(i, 9)).collect();
        free(&mut d);
        let unprojected = settings.clone().with(PROJECTION, false);
        let raw = Linearized::new(&Forces { settings: &unprojected, ..forces }, h, &state);
        let (k, c) = (change(1.0, 0.0, &d), change(0.0, 1.0, &d));
        let mut paper: Vec<_> = (0..9).map(|i| forces.mass(i) * d[i] + h * h * k[i] + h * c[i]).collect();
        free(&mut paper);
        let ours: Vec<_> = raw.product(&d).iter().map(|a| h * h * *a).collect();
        assert!(fixture::distance(&paper, &ours) < 1e-10, "{}", fixture::distance(&paper, &ours));
        let total = forces.total(x, v);
        let turned = change(1.0, 0.0, v);
        let mut paper: Vec<_> = (0..9).map(|i| h * (total[i] - h * turned[i])).collect();
        free(&mut paper);
        let ours: Vec<_> = raw.b.iter().map(|b| h * *b).collect();
        assert!(fixture::distance(&paper, &ours) < 1e-8, "{}", fixture::distance(&paper, &ours));
        // Projected, a compressed network has another matrix.
        assert!(fixture::distance(&raw.product(&d), &linearized.product(&d)) > 1e-5);
    }

    #[test]
    fn every_linear_solver_comes_to_the_same_step() {
        let model = fixture::cloth(5, 5, &[0, 4]);
        let run = |solver, iterations| {
            let (linear_solver, iterations) = (Some(solver), crate::settings::Iterations::Fixed(iterations));
            let kind = crate::settings::SolverKind::ImplicitEuler;
            let settings = Settings::of(kind).with(LINEAR_SOLVER, linear_solver).with(ITERATIONS, iterations);
            let forces = Forces::of(&model, &settings);
            let mut state = fixture::disturbed(&model);
            step(&forces, 0.01, &mut state);
            state.position
        };
        let exact = run(LinearSolver::ConjugateGradients, 200);
        for (solver, iterations) in [
            (LinearSolver::Jacobi, 2000),
            (LinearSolver::GaussSeidel, 1000),
            (LinearSolver::GradientDescent, 2000),
        ] {
            assert!(fixture::distance(&run(solver, iterations), &exact) < 1e-12, "{solver}");
        }
    }
}
