//! Springs as soft constraints: M. Servin, C. Lacoursiere, N. Melin, "Interactive simulation of elastic deformable
//! materials", SIGRAD 2006, with the average of the constraint over [t_n, t_n + h].
//!
//! With C = l - r, J = dC/dx, compliance 1 / k and damping time c / k, the tension -lambda of a spring is its average over
//! the step, to first order in h:
//!
//! ```text
//! lambda = -k (C + h/2 dC/dt) - c dC/dt,   dC/dt = J v+
//! Gamma (x+ - y) = J^T lambda,   v+ = (x+ - x_n) / h
//! ```
//!
//! where Gamma and y are those of [`super::objective`], with the force of bending at x_n in y. Without x+:
//!
//! ```text
//! S lambda = -k C / q - J (y - x_n),   S = J Gamma^-1 J^T + 1 / q,   q = k / 2 + c / h
//! ```
//!
//! solved by conjugate gradients over springs from lambda = 0, preconditioned by W_i + W_j + 1 / q, W the inverse of the
//! isotropic part of Gamma. Then v+ is multiplied by exp(-drag h).
//!
//! An inextensible spring has 1 / q = 0 and k / q = 1, as with a damping time of h / 2: it comes to its length within the
//! step, to first order. (With k / q = 2 its stretch would change its sign with each step.)
//!
//! Limits: J is taken at x_n, so tension limits the step; bending is explicit.

mod bound;

use glam::{DMat3, DVec3};

use super::bound::Bounds;
use super::forces::{add_bending, direction};
use super::objective::Objective;
use super::{Forces, Reference, State64};

/// A disturbance in place of rounding: a number within the given bound.
pub type Disturb<'a> = &'a mut dyn FnMut(f64) -> f64;

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    disturbed_step(forces, h, state, 0.0, &mut |_| 0.0);
}

/// One step, disturbed as by an arithmetic of unit roundoff `u`.
pub fn disturbed_step(forces: &Forces<'_>, h: f64, state: &mut State64, u: f64, disturb: Disturb<'_>) {
    let system = System::new(forces, h, state);
    let mut right = system.b.clone();
    for (b, size) in right.iter_mut().zip(&system.sizes) {
        *b += disturb(4.0 * u * size);
    }
    let lambda = system.solve(right, forces.settings.iterations(), u, disturb);
    let pull = system.scatter(&lambda);
    let drag = forces.drag_factor(h);
    for (i, pull) in pull.into_iter().enumerate() {
        let mut moved = system.ahead[i] + pull;
        let size = 4.0 * u * (moved.length() + pull.length());
        if forces.is_free(i) {
            moved += DVec3::new(disturb(size), disturb(size), disturb(size));
            state.velocity[i] = drag * moved / h;
        }
        state.position[i] += moved;
        if forces.is_free(i) {
            let size = u * state.position[i].length();
            state.position[i] += DVec3::new(disturb(size), disturb(size), disturb(size));
        }
    }
    state.time += h;
}

/// S lambda = b, over the springs with stiffness or dashpot and a free end.
struct System {
    /// Ends, direction, compliance 1 / q and preconditioner of each spring.
    springs: Vec<([usize; 2], DVec3, f64, f64)>,
    /// Gamma^-1 [m/N]; zero where pinned.
    inverse: Vec<DMat3>,
    /// y - x_n \[m\].
    ahead: Vec<DVec3>,
    /// b \[m\].
    b: Vec<f64>,
    /// Sum of the magnitudes that enter b \[m\].
    sizes: Vec<f64>,
}

impl System {
    fn new(forces: &Forces<'_>, h: f64, state: &State64) -> Self {
        let (model, x) = (forces.model, &state.position);
        let objective = Objective::of_step(forces, h, state);
        let mut bending = vec![DVec3::ZERO; x.len()];
        add_bending(model, x, &mut bending);
        let free = |i: usize| forces.is_free(i);
        let inverse: Vec<DMat3> = (0..x.len())
            .map(|i| if free(i) { objective.gamma()[i].inverse() } else { DMat3::ZERO })
            .collect();
        let ahead: Vec<DVec3> = (0..x.len())
            .map(|i| match free(i) {
                true => objective.target()[i] - x[i] + inverse[i] * bending[i],
                false => h * state.velocity[i],
            })
            .collect();
        let mobility = |i: usize| match free(i) {
            true => 1.0 / (forces.mass(i) / (h * h) + forces.viscosity(i) / h + objective.pull()[i]),
            false => 0.0,
        };
        let mut system = Self { springs: vec![], inverse, ahead, b: vec![], sizes: vec![] };
        for spring in model.springs() {
            let [i, j] = spring.nodes.map(|n| n as usize);
            let (k, r) = (f64::from(spring.stiffness), f64::from(spring.rest_length));
            let q = 0.5 * k + f64::from(spring.dashpot) / h;
            if q == 0.0 || !(free(i) || free(j)) {
                continue;
            }
            let part = if spring.is_inextensible() { 1.0 } else { k / q };
            let (_, l, n) = direction(spring, x);
            let apart = n.dot(system.ahead[i] - system.ahead[j]);
            system.b.push(-part * (l - r) - apart);
            system.sizes.push(part * (l + r) + system.ahead[i].length() + system.ahead[j].length());
            system.springs.push(([i, j], n, 1.0 / q, 1.0 / (mobility(i) + mobility(j) + 1.0 / q)));
        }
        system
    }

    /// Gamma^-1 J^T lambda \[m\] for lambda \[N\].
    fn scatter(&self, lambda: &[f64]) -> Vec<DVec3> {
        let mut force = vec![DVec3::ZERO; self.inverse.len()];
        for (([i, j], n, ..), lambda) in self.springs.iter().zip(lambda) {
            force[*i] += *lambda * *n;
            force[*j] -= *lambda * *n;
        }
        self.inverse.iter().zip(force).map(|(inverse, force)| *inverse * force).collect()
    }

    /// lambda \[N\] after `iterations` for the right-hand side `r` \[m\].
    fn solve(&self, mut r: Vec<f64>, iterations: u32, u: f64, disturb: Disturb<'_>) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let precondition =
            |r: &[f64]| -> Vec<f64> { self.springs.iter().zip(r).map(|(s, r)| s.3 * r).collect() };
        let mut lambda = vec![0.0; r.len()];
        let mut z = precondition(&r);
        let mut p = z.clone();
        let mut rz = dot(&r, &z);
        for _ in 0..iterations {
            let moved = self.scatter(&p);
            let product: Vec<f64> = (self.springs.iter().zip(&p))
                .map(|(([i, j], n, compliance, _), p)| {
                    let size = moved[*i].length() + moved[*j].length() + compliance * p.abs();
                    n.dot(moved[*i] - moved[*j]) + compliance * p + disturb(4.0 * u * size)
                })
                .collect();
            let curvature = dot(&p, &product);
            let alpha = if curvature > 0.0 { rz / curvature } else { 0.0 };
            for s in 0..p.len() {
                lambda[s] += alpha * p[s];
                r[s] -= alpha * product[s];
            }
            z = precondition(&r);
            let before = std::mem::replace(&mut rz, dot(&r, &z));
            let beta = if before != 0.0 { rz / before } else { 0.0 };
            for s in 0..p.len() {
                p[s] = z[s] + beta * p[s];
            }
        }
        lambda
    }
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
    use crate::measure::energy;
    use crate::reference::fixture;
    use crate::settings::{GRAVITY, ITERATIONS};
    use crate::settings::{Iterations, Settings, SolverKind};

    fn settings(iterations: u32) -> Settings {
        Settings::of(SolverKind::SoftConstraint).with(ITERATIONS, Iterations::Fixed(iterations))
    }

    #[test]
    fn one_spring_moves_as_its_law_says() {
        // v+ = v - (h / m) [k (C + h v+ / 2) + c v+], by hand.
        let model = fixture::changed(&fixture::chain(1, 1.0, 50.0, 0.1, &[0]), 1.0, 0.0);
        let settings = settings(5).with(GRAVITY, glam::Vec3::ZERO);
        let forces = Forces::of(&model, &settings);
        let h = 0.02;
        let mut state = fixture::at_rest(&model);
        let along = (state.position[1] - state.position[0]).normalize();
        state.position[1] += 0.2 * along;
        state.velocity[1] = 0.7 * along;
        let (m, k) = (forces.mass(1), f64::from(model.springs()[0].stiffness));
        let length = (state.position[1] - state.position[0]).length();
        let stretch = length - f64::from(model.springs()[0].rest_length);
        let wanted = (0.7 - h / m * k * stretch) / (1.0 + h / m * k * h / 2.0);
        step(&forces, h, &mut state);
        assert!((state.velocity[1].dot(along) - wanted).abs() < 1e-12);
    }

    #[test]
    fn both_equations_hold_and_momentum_is_kept() {
        let model = fixture::cloth(4, 4, &[]);
        let settings = settings(200).with(GRAVITY, glam::Vec3::ZERO);
        let forces = Forces::of(&model, &settings);
        let (h, before) = (0.01, fixture::disturbed(&model));
        let mut after = before.clone();
        step(&forces, h, &mut after);
        let mut force = vec![DVec3::ZERO; 16];
        for spring in model.springs() {
            let [i, j] = spring.nodes.map(|n| n as usize);
            let (_, l, n) = direction(spring, &before.position);
            let rate = n.dot(after.velocity[i] - after.velocity[j]);
            let (k, c) = (f64::from(spring.stiffness), f64::from(spring.dashpot));
            let tension = k * (l - f64::from(spring.rest_length) + 0.5 * h * rate) + c * rate;
            force[i] -= tension * n;
            force[j] += tension * n;
        }
        for (i, force) in force.into_iter().enumerate() {
            let wanted = before.velocity[i] + h / forces.mass(i) * force;
            assert!((after.velocity[i] - wanted).length() < 1e-10, "{i}");
        }
        let change = energy::linear_momentum(&model, &after) - energy::linear_momentum(&model, &before);
        assert!(change.length() < 1e-14);
    }
}
