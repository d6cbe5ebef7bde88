//! The objective of implicit Euler as a minimization, with all damping implicit and its coefficients
//! frozen at the start of the step: S. Martin, B. Thomaszewski, E. Grinspun, M. Gross,
//! "Example-based elastic materials", ACM TOG 30(4), 2011, <https://doi.org/10.1145/2010324.1964967>;
//! T. Liu, A. Bargteil, J. O'Brien, L. Kavan, "Fast simulation of mass-spring systems", ACM TOG 32(6),
//! 2013, <https://doi.org/10.1145/2508363.2508406>, eq. 8.
//!
//! ```text
//! phi(x) = sum_i (x_i - y_i)^T Gamma_i (x_i - y_i) / 2 + sum_s k (l - r)^2 / 2
//!        + sum_s c (n_n . (e - e_n))^2 / (2 h) + x^T Q x / 2
//! Gamma_i = (m / h^2 + (a m + d) / h + K_i) I + B_i / h,   B_i = sum of B / 3 of its triangles
//! Gamma_i y_i = m / h^2 (x_n + h v) + m g + (a m + d) / h x_n + K_i target + B_i / h (x_n + h wind) + push_i
//! ```
//!
//! K_i is the effective stiffness of the handles at x_n, B the matrix of air ([`super::air`]) at x_n and v_n, to which
//! comes that of colliders ([`super::colliders`]), push what colliders and loads do at x_n and v_n, n_n and e_n direction and vector of a spring at x_n. The gradient is the residual of
//! backward Euler. Its derivative is Gamma and, for each spring, (c / h) n_n n_n^T and
//!
//! ```text
//! K = k [(1 - t) n n^T + t I],   t = 1 - r / l
//! ```
//!
//! and Q, the constant matrix of bending. K is positive definite once t is projected to max(0, t) (K.-J. Choi, H.-S. Ko, "Stable but
//! responsive cloth", ACM TOG 21(3), 2002, <https://doi.org/10.1145/566654.566624>); K = k I where a
//! spring has no direction.
//!
//! Where a spring has a multiplier lambda ([`crate::model::Multipliers`]), its energy is rho (l - r)^2 / 2 + theta lambda (l - r)
//! instead, the augmented Lagrangian: F = rho (l - r) + theta lambda stands for k (l - r), and t = F / (rho l).
//!
//! Where it has a limit of stretch, too, see there; t is then F over l and the stiffness along the spring, as if it were at its
//! limit.
//!
//! Contact of cloth with cloth ([`super::contact`]), where it is added, has an energy but for friction; products and stiffness
//! blocks, and so the minimizer, leave it out.
//!
//! Without time, gravity as a constant load and Gamma = 0, the same sum is the potential energy whose
//! minimum is the static equilibrium.

mod augmented;

pub use augmented::augmented;

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use super::colliders::Motion;
use super::contact::{Contacts, Coupling, Groups};
use super::forces::{add_bending, direction, outer};
use super::{Forces, State64};
use crate::measure::energy;
use crate::model::{Model, Spring};
use crate::settings::Start;

/// phi, ready to be evaluated at any x. Pinned nodes take part with the position they have in x;
/// derivatives with respect to them are zero.
#[derive(Clone, Debug)]
pub struct Objective<'a> {
    model: &'a Model,
    /// Gamma_i [N/m].
    gamma: Vec<DMat3>,
    /// Stiffness of the pulls in Gamma_i [N/m].
    pull: Vec<f64>,
    /// y_i \[m\].
    target: Vec<DVec3>,
    /// Constant force on each node \[N\].
    load: Vec<DVec3>,
    /// c / h [N/m] of each spring, its n_n and e_n \[m\]; no entries where there is no dashpot.
    dashpots: Vec<(f64, DVec3, DVec3)>,
    /// (rho, theta) [N/m, 1] of each spring; no entries where none has a multiplier, (k, 0) of one that has none.
    augmented: Vec<(f64, f64)>,
    /// sigma [N/m] of each spring; 0 without a multiplier.
    penalty: Vec<f64>,
    /// a \[m\] of each spring, its limit of stretch; 0 without.
    limit: Vec<f64>,
    /// lambda \[N\] of each spring.
    multiplier: Vec<f64>,
    /// Contact of cloth with cloth.
    contact: Option<(Contacts, Groups)>,
}

impl<'a> Objective<'a> {
    /// phi of the step of length `h` \[s\] that starts at `state`.
    pub fn of_step(forces: &Forces<'a>, h: f64, state: &State64) -> Self {
        Self::of_nodes(forces, h, state, !forces.model.colliders().is_empty())
    }

    /// Every node in such a step, but for its contact.
    pub fn motions(forces: &Forces<'a>, h: f64, state: &State64) -> Vec<Motion> {
        let free = Self::of_nodes(forces, h, state, false);
        let weighted: Vec<DVec3> =
            free.gamma.iter().zip(&free.target).map(|(gamma, y)| *gamma * *y).collect();
        motions(forces, h, state, &free.gamma, &weighted)
    }

    fn of_nodes(forces: &Forces<'a>, h: f64, state: &State64, has_contact: bool) -> Self {
        let (x, v) = (&state.position, &state.velocity);
        let wind = forces.settings.world.wind.as_dvec3();
        let mut gamma = vec![DMat3::ZERO; x.len()];
        let mut weighted = vec![DVec3::ZERO; x.len()];
        let mut pull = vec![0.0; x.len()];
        let mut add = |i: usize, block: DMat3, target: DVec3| {
            gamma[i] += block;
            weighted[i] += block * target;
        };
        for i in 0..x.len() {
            let inertia = forces.mass(i) / (h * h);
            let fall = h * h * forces.settings.world.gravity.as_dvec3();
            add(i, DMat3::IDENTITY * inertia, x[i] + h * v[i] + fall);
            add(i, DMat3::IDENTITY * (forces.viscosity(i) / h), x[i]);
        }
        for handle in forces.pulls {
            let i = handle.node as usize;
            let stiffness = handle.effective_stiffness(x[i], forces.reach);
            add(i, DMat3::IDENTITY * stiffness, handle.target);
            pull[i] += stiffness;
        }
        for &triangle in forces.model.triangles() {
            let block = forces.air_block(triangle, x, v) * (1.0 / (3.0 * h));
            for i in triangle.map(|i| i as usize) {
                add(i, block, x[i] + h * wind);
            }
        }
        let mut push = vec![DVec3::ZERO; x.len()];
        let passed = if forces.settings.solver.acts_ahead() { h } else { 0.0 };
        let ahead: Vec<DVec3> = x.iter().zip(v).map(|(x, v)| *x + passed * *v).collect();
        forces.add_loads(&ahead, &mut push);
        weighted.iter_mut().zip(&push).for_each(|(w, push)| *w += *push);
        if has_contact {
            for (i, motion) in motions(forces, h, state, &gamma, &weighted).into_iter().enumerate() {
                let (push, drag) = forces.contact(i, x[i], motion, true);
                gamma[i] += drag * (1.0 / h);
                weighted[i] += drag * (1.0 / h) * x[i] + push;
            }
        }
        let target = gamma.iter().zip(&weighted).map(|(gamma, w)| gamma.inverse() * *w).collect();
        let frozen = |s: &Spring| {
            let (e, _, n) = direction(s, x);
            (f64::from(s.dashpot) / h, n, e)
        };
        let springs = forces.model.springs();
        let dashpots =
            if forces.model.has_dashpots() { springs.iter().map(frozen).collect() } else { Vec::new() };
        let load = vec![DVec3::ZERO; x.len()];
        let model = forces.model;
        let (augmented, penalty, limit, multiplier, contact) = Default::default();
        Self { model, gamma, pull, target, load, dashpots, augmented, penalty, limit, multiplier, contact }
    }

    /// Elastic and gravitational energy, for gravity `g` [m/s^2].
    pub fn of_statics(model: &'a Model, g: DVec3) -> Self {
        let load = model.mass().iter().map(|m| f64::from(*m) * g).collect();
        let n = model.node_count();
        let (gamma, target) = (vec![DMat3::ZERO; n], vec![DVec3::ZERO; n]);
        let (dashpots, augmented, penalty, limit, multiplier, contact) = Default::default();
        Self {
            model,
            gamma,
            pull: vec![0.0; n],
            target,
            load,
            dashpots,
            augmented,
            penalty,
            limit,
            multiplier,
            contact,
        }
    }

    /// The same with contact of cloth with cloth.
    pub fn in_contact(self, contacts: Contacts, groups: Groups) -> Self {
        Self { contact: Some((contacts, groups)), ..self }
    }

    /// Says the number of the iteration, which friction follows.
    pub fn at_iteration(&mut self, k: usize) {
        if let Some((contacts, _)) = &mut self.contact {
            contacts.iteration = k;
        }
    }

    /// What contact adds to the matrix at `x` \[m\], level by level; nothing without contact.
    pub fn couplings(&self, x: &[DVec3]) -> Vec<Vec<Coupling>> {
        let pinned = self.model.pinned();
        let of = |(contacts, groups): &(Contacts, Groups)| contacts.couplings(groups, x, |i| !pinned[i]);
        self.contact.as_ref().map(of).unwrap_or_default()
    }

    /// Sum of the magnitudes of what pulls on free nodes at `x` \[m\], springs apart \[N\].
    pub fn total_load(&self, x: &[DVec3]) -> f64 {
        let load = |i: usize| (self.gamma[i] * (x[i] - self.target[i]) - self.load[i]).length();
        (0..x.len()).filter(|&i| !self.model.pinned()[i]).map(load).sum()
    }

    /// The network.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Gamma_i of each node [N/m].
    pub fn gamma(&self) -> &[DMat3] {
        &self.gamma
    }

    /// Stiffness of the pulls in Gamma_i of each node [N/m].
    pub fn pull(&self) -> &[f64] {
        &self.pull
    }

    /// The inertial target y_i of each node \[m\]: where it would go without springs.
    pub fn target(&self) -> &[DVec3] {
        &self.target
    }

    /// c / h [N/m] of spring `s` and its n_n and e_n \[m\]; zeros without dashpots.
    pub fn dashpot(&self, s: usize) -> (f64, DVec3, DVec3) {
        self.dashpots.get(s).copied().unwrap_or_default()
    }

    /// phi \[J\] at `x` \[m\], up to a constant.
    pub fn value(&self, x: &[DVec3]) -> f64 {
        let mut phi = 0.0;
        for i in (0..x.len()).filter(|&i| !self.model.pinned()[i]) {
            let away = x[i] - self.target[i];
            phi += 0.5 * away.dot(self.gamma[i] * away) - self.load[i].dot(x[i]);
        }
        for (s, spring) in self.model.springs().iter().enumerate() {
            let (e, l, _) = direction(spring, x);
            let (c, n, before) = self.dashpot(s);
            let stretch = l - f64::from(spring.rest_length);
            phi += 0.5 * self.free(s) * stretch * stretch + self.carried(s) * stretch + self.above(s, l);
            phi += 0.5 * c * n.dot(e - before).powi(2);
        }
        let contact = self.contact.as_ref().map_or(0.0, |(contacts, _)| contacts.energy(x));
        phi + energy::bending(self.model, x) + contact
    }

    /// The gradient of phi \[N\] at `x` \[m\]; zero at pinned nodes.
    pub fn gradient(&self, x: &[DVec3]) -> Vec<DVec3> {
        let each = |i: usize| self.gamma[i] * (x[i] - self.target[i]) - self.load[i];
        let mut gradient: Vec<DVec3> = (0..x.len()).map(each).collect();
        for (s, spring) in self.model.springs().iter().enumerate() {
            let [i, j] = spring.nodes.map(|i| i as usize);
            let (e, l, n) = direction(spring, x);
            let (c, n_n, before) = self.dashpot(s);
            let elastic = self.tension(s, l) * n;
            let pull = elastic + c * n_n.dot(e - before) * n_n;
            gradient[i] += pull;
            gradient[j] -= pull;
        }
        self.add_bending(x, &mut gradient);
        if let Some((contacts, _)) = &self.contact {
            contacts.add_gradient(x, &mut gradient);
        }
        self.hold(&mut gradient);
        gradient
    }

    /// The stiffness block of each spring at `x` \[m\], K + (c / h) n_n n_n^T [N/m]; with
    /// `projected`, no spring pushes sideways, and those with a limit of stretch are as stiff as beyond it.
    pub fn stiffness(&self, x: &[DVec3], projected: bool) -> Vec<DMat3> {
        (0..self.model.springs().len()).map(|s| self.block(s, x, projected)).collect()
    }

    /// The stiffness block of spring `s`, as [`Objective::stiffness`] lists them.
    pub fn block(&self, s: usize, x: &[DVec3], projected: bool) -> DMat3 {
        let (_, l, n) = direction(&self.model.springs()[s], x);
        let k = if projected { self.along(s) } else { self.slope(s, l) };
        let (c, n_n, _) = self.dashpot(s);
        let across = if n == DVec3::ZERO { k } else { self.tension(s, l) / l };
        let across = if projected { across.max(self.least_across(s)) } else { across };
        outer(n) * (k - across) + DMat3::IDENTITY * across + outer(n_n) * c
    }

    /// The second derivative with the spring blocks `stiffness` [N/m] times `p` \[m\], in N; `p` must
    /// be zero at pinned nodes, and so is the product.
    pub fn product(&self, stiffness: &[DMat3], p: &[DVec3]) -> Vec<DVec3> {
        let mut product: Vec<DVec3> = self.gamma.iter().zip(p).map(|(gamma, p)| *gamma * *p).collect();
        for (spring, block) in self.model.springs().iter().zip(stiffness) {
            let [i, j] = spring.nodes.map(|i| i as usize);
            let pull = *block * (p[i] - p[j]);
            product[i] += pull;
            product[j] -= pull;
        }
        self.add_bending(p, &mut product);
        self.hold(&mut product);
        product
    }

    /// The diagonal blocks of that matrix [N/m].
    pub fn diagonal(&self, stiffness: &[DMat3]) -> Vec<DMat3> {
        let mut diagonal = self.gamma.clone();
        for (spring, block) in self.model.springs().iter().zip(stiffness) {
            for i in spring.nodes {
                diagonal[i as usize] += *block;
            }
        }
        self.model.for_each_bending_stencil(|nodes, coefficients| {
            for (&node, c) in nodes.iter().zip(coefficients) {
                diagonal[node as usize] += DMat3::IDENTITY * (c * c);
            }
        });
        diagonal
    }

    /// Adds Q x to `gradient` \[N\].
    fn add_bending(&self, x: &[DVec3], gradient: &mut [DVec3]) {
        let mut force = vec![DVec3::ZERO; x.len()];
        add_bending(self.model, x, &mut force);
        gradient.iter_mut().zip(force).for_each(|(gradient, force)| *gradient -= force);
    }

    /// Sets the entries of pinned nodes to zero.
    fn hold(&self, vector: &mut [DVec3]) {
        for (entry, pinned) in vector.iter_mut().zip(self.model.pinned()) {
            if *pinned {
                *entry = DVec3::ZERO;
            }
        }
    }
}

/// Nodes that go to Gamma^-1 `weighted` \[m\] by themselves.
fn motions(forces: &Forces<'_>, h: f64, state: &State64, gamma: &[DMat3], weighted: &[DVec3]) -> Vec<Motion> {
    let (x, v) = (&state.position, &state.velocity);
    let mut pull = vec![DVec3::ZERO; x.len()];
    forces.add_network(x, v, &mut pull);
    forces.add_prompt(x, h, &mut pull);
    pull.iter_mut().zip(forces.last_contact).for_each(|(pull, contact)| *pull += *contact);
    let stiffness = forces.network_stiffness(h);
    let each = |i: usize| {
        let inverse = gamma[i].inverse();
        let (mobility, alone) = (inverse * (1.0 / (h * h)), (inverse * weighted[i] - x[i]) / h);
        let arrival = forces.burden.get(i).map_or(DVec3::ZERO, |burden| burden.arrival);
        let arriving = h * (mobility * arrival);
        let pulled = alone + h * (mobility * pull[i]);
        let relaxed = alone + (gamma[i] + DMat3::IDENTITY * stiffness[i]).inverse() * pull[i] / h;
        Motion { present: v[i], alone, relaxed, pulled, arriving, mobility }
    };
    (0..x.len()).map(each).collect()
}

/// The vector that the iteration starts from \[m\], for a step of `h` \[s\]; pinned nodes are where they
/// end.
pub fn start(forces: &Forces<'_>, objective: &Objective<'_>, h: f64, state: &State64) -> Vec<DVec3> {
    let each = |i: usize| {
        let drift = state.position[i] + h * state.velocity[i];
        match forces.settings.start() {
            _ if !forces.is_free(i) => drift,
            Start::Velocity => drift,
            Start::Auto | Start::Inertial => objective.target()[i],
            Start::Previous => state.position[i],
        }
    };
    (0..state.position.len()).map(each).collect()
}

/// Moves the state to `reached` \[m\] at the end of a step of `h` \[s\].
pub fn finish(forces: &Forces<'_>, h: f64, state: &mut State64, reached: Vec<DVec3>) {
    let drag = forces.drag_factor(h);
    for (i, reached) in reached.into_iter().enumerate() {
        if forces.is_free(i) {
            state.velocity[i] = drag * (reached - state.position[i]) / h;
        }
        state.position[i] = reached;
    }
    state.time += h;
}

/// Half of the sum of |Q_ij| over all j, i included, for every node i [N/m].
pub fn bending_majorant(model: &Model) -> Vec<f64> {
    let mut rows = vec![BTreeMap::new(); model.node_count()];
    model.for_each_bending_stencil(|nodes, coefficients| {
        for (&i, c_i) in nodes.iter().zip(coefficients) {
            for (&j, c_j) in nodes.iter().zip(coefficients) {
                *rows[i as usize].entry(j).or_insert(0.0) += c_i * c_j;
            }
        }
    });
    rows.iter().map(|row| 0.5 * row.values().map(|q: &f64| q.abs()).sum::<f64>()).collect()
}

#[cfg(test)]
mod tests {
    use crate::settings::{AIR, DAMPING, NODE_DAMPING, WIND};
    use glam::Vec3;

    use super::*;
    use crate::reference::{Pull, fixture, forces};
    use crate::settings::{Air, Settings};

    fn settings() -> Settings {
        Settings::default()
            .with(AIR, Air { density: 1.2, ..Air::NONE })
            .with(WIND, Vec3::new(2.0, 1.0, -3.0))
            .with(DAMPING, 0.7)
            .with(NODE_DAMPING, 0.02)
    }

    #[test]
    fn the_gradient_is_the_residual_of_backward_euler() {
        let model = fixture::cloth(4, 4, &[3]);
        let settings = settings();
        let pulls = [Pull { node: 6, stiffness: 20.0, target: DVec3::new(0.5, 0.5, 0.0) }];
        let forces = Forces { pulls: &pulls, reach: 0.05, ..Forces::of(&model, &settings) };
        let (h, state) = (0.01, fixture::disturbed(&model));
        let objective = Objective::of_step(&forces, h, &state);
        let (x, v) = (&state.position, &state.velocity);
        // At x_n + h v there is no inertial force, and all that is frozen has its value at x_n, v_n.
        let reached: Vec<_> = x.iter().zip(v).map(|(x, v)| *x + h * *v).collect();
        let mut force = vec![DVec3::ZERO; x.len()];
        forces.add_gravity(&mut force);
        forces.add_damping(v, &mut force);
        forces.add_air(x, v, &mut force);
        forces::add_dashpots(&model, x, v, &mut force);
        forces::add_springs(&model, &reached, &mut force);
        let stiffness = pulls[0].effective_stiffness(x[6], 0.05);
        assert!(stiffness < 10.0);
        force[6] += stiffness * (pulls[0].target - reached[6]);
        force[3] = DVec3::ZERO;
        let gradient: Vec<_> = objective.gradient(&reached).into_iter().map(|g| -g).collect();
        assert!(fixture::distance(&force, &gradient) < 1e-11);
    }

    #[test]
    fn gradient_and_product_are_differences_of_the_value() {
        let model = fixture::cloth(4, 4, &[3]);
        let settings = settings();
        let forces = Forces::of(&model, &settings);
        let state = fixture::disturbed(&model);
        let free = |(i, x): (usize, DVec3)| if model.pinned()[i] { DVec3::ZERO } else { x };
        let p: Vec<_> = (0..16).map(|i| fixture::noise(i, 7)).enumerate().map(free).collect();
        let dot = |a: &[DVec3]| a.iter().zip(&p).map(|(a, p)| a.dot(*p)).sum::<f64>();
        for objective in
            [Objective::of_step(&forces, 0.01, &state), Objective::of_statics(&model, DVec3::Y * -9.81)]
        {
            let x = &state.position;
            let at = |s: f64| x.iter().zip(&p).map(|(x, p)| *x + s * *p).collect::<Vec<_>>();
            let step = 1e-5;
            let slope = (objective.value(&at(step)) - objective.value(&at(-step))) / (2.0 * step);
            let expected = dot(&objective.gradient(x));
            assert!((slope / expected - 1.0).abs() < 1e-5, "{slope} {expected}");
            let (ahead, behind) = (objective.gradient(&at(step)), objective.gradient(&at(-step)));
            let product = objective.product(&objective.stiffness(x, false), &p);
            let difference: Vec<_> =
                ahead.iter().zip(&behind).map(|(a, b)| (*a - *b) / (2.0 * step)).collect();
            assert!(fixture::distance(&product, &difference) < 1e-5 * dot(&product));
            // Projection only adds stiffness.
            assert!(dot(&objective.product(&objective.stiffness(x, true), &p)) > dot(&product));
        }
    }
}
