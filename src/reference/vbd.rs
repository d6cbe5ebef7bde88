//! Vertex block descent: A. Chen, Z. Liu, Y. Yang, C. Yuksel, "Vertex Block Descent", ACM TOG 43(4), 2024,
//! <https://doi.org/10.1145/3658179>.
//!
//! One iteration visits the nodes color by color ([`crate::model::Coloring`]) and moves each to the
//! minimum of a local quadratic model of phi ([`super::objective`]), all others held (eq. 9 and 10):
//!
//! ```text
//! x_i <- x_i - H_i^-1 d phi / d x_i
//! H_i = Gamma_i + sum_j ( k [(1 - t) n n^T + t I] + (c / h) n_n n_n^T ) + Q_ii I,   t = max(0, 1 - r / l)
//! ```
//!
//! t is projected so that H_i is positive definite where springs are compressed; t = 1 where a spring has
//! no direction. Q is the matrix of bending, Q_ii the sum of kappa over the node's pairs
//! ([`crate::model::BendingRows`]): where nodes move one after the other the exact diagonal is enough. With a Chebyshev radius rho, after each iteration (eq. 18), x^ being its result,
//!
//! ```text
//! x_t = omega_t (x^ - x_(t-2)) + x_(t-2)
//! ```
//!
//! Contact of cloth with cloth ([`super::contact`]) adds to gradient and H_i what its pairs are at the iterate that an iteration begins
//! with, to H_i with twice their block: both sides of a pair move, and with one block they would open it and fall back in turn. Nodes that
//! touch have no weights, and start the next step where they get with what they have gained in this one ([`Gained`]). Then v+ = (x+ - x_n) / h exp(-drag h). Differences from the article: damping, air and handles are part
//! of the objective, all other nodes have the start of the settings, and there are no weights unless a radius is given
//! (rho of .99 and above diverges). Limits: an iteration moves information by a few springs, so large
//! sheets need many.

mod bound;

use glam::{DMat3, DVec3};

use super::bound::Bounds;
use super::contact::{AtNodes, Contacts};
use super::forces::direction;
use super::gained::{Gained, touches};
use super::objective::{Objective, finish, start};
use super::{Forces, Reference, State64};
use crate::model::{Coloring, Model};
use crate::settings::{CHEBYSHEV, Chebyshev, ITERATIONS, Iterations, Settings};

/// One step of length `h` \[s\].
pub fn step(forces: &Forces<'_>, h: f64, state: &mut State64) {
    let (reached, _) = reached(forces, h, state, None, &Gained::default());
    finish(forces, h, state, reached);
}

/// x+ \[m\] of a step of `h` \[s\], with contact of cloth with cloth if there is any, and what nodes gained in it, after what they gained before.
pub fn reached(
    forces: &Forces<'_>,
    h: f64,
    state: &State64,
    contacts: Option<&Contacts>,
    gained: &Gained,
) -> (Vec<DVec3>, Gained) {
    let settings = forces.settings;
    let objective = Objective::of_step(forces, h, state);
    let coloring = Coloring::of(forces.model);
    let incident = incident(forces.model);
    let rho = spectral_radius(settings.value(CHEBYSHEV));
    let mut x = start(forces, &objective, h, state);
    gained.begin(forces, &objective, h, state, &mut x);
    let (mut before, mut last) = (Vec::new(), Vec::new());
    let mut omega = 1.0;
    let mut pairs = AtNodes::default();
    for t in 0..u64::from(settings.iterations()) {
        pairs = AtNodes::of(contacts, t as usize, &x);
        if t == 0 {
            gained.settle(forces, &objective, h, contacts, &mut pairs, &mut x);
            (before, last) = (x.clone(), x.clone());
        }
        for i in coloring.classes().flatten().map(|&i| i as usize) {
            if forces.is_free(i) {
                let Block { gradient, hessian } = Block::of(&objective, &incident[i], i, &x);
                x[i] -= (hessian + 2.0 * pairs.block[i]).inverse() * (gradient - pairs.force[i]);
            }
        }
        omega = weight(t, rho, omega);
        for (i, (x, before)) in x.iter_mut().zip(&before).enumerate() {
            let omega = if touches(forces, &objective, h, &pairs, i) { 1.0 } else { omega };
            *x = omega * (*x - *before) + *before;
        }
        before = std::mem::replace(&mut last, x.clone());
    }
    let gained = Gained::after(forces, &objective, h, state, &x, &pairs);
    (x, gained)
}

/// omega_t for t = 0, 1, .. after `omega`, the weight of the iteration before.
pub fn weight(t: u64, rho: f64, omega: f64) -> f64 {
    match t {
        0 => 1.0,
        1 => 2.0 / (2.0 - rho * rho),
        _ => 4.0 / (4.0 - rho * rho * omega),
    }
}

/// The Chebyshev radius; 0 gives plain iterations.
pub fn spectral_radius(chebyshev: Chebyshev) -> f64 {
    match chebyshev {
        Chebyshev::Off | Chebyshev::Auto => 0.0,
        Chebyshev::Radius(rho) => f64::from(rho),
    }
}

/// The springs at each node, by index; bending pairs are listed by the model.
pub fn incident(model: &Model) -> Vec<Vec<usize>> {
    let mut incident = vec![Vec::new(); model.node_count()];
    for (s, spring) in model.springs().iter().enumerate() {
        for i in spring.nodes {
            incident[i as usize].push(s);
        }
    }
    incident
}

/// The nodes that bending couples node `i` to, and kappa [N/m] of each pair.
pub fn bending_pairs(model: &Model, i: usize) -> &[(u32, f32)] {
    if model.has_bending() { model.bending_rows().row(i) } else { &[] }
}

/// What decides where one node moves.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// d phi / d x_i \[N\].
    pub gradient: DVec3,
    /// H_i [N/m].
    pub hessian: DMat3,
}

impl Block {
    /// Of node `i` at `x` \[m\]; `springs` are those at the node.
    pub fn of(objective: &Objective<'_>, springs: &[usize], i: usize, x: &[DVec3]) -> Self {
        let gamma = objective.gamma()[i];
        let mut block = Self { gradient: gamma * (x[i] - objective.target()[i]), hessian: gamma };
        for &s in springs {
            let spring = &objective.model().springs()[s];
            let (e, l, n) = direction(spring, x);
            let (c, n_n, e_n) = objective.dashpot(s);
            let tension = f64::from(spring.stiffness) * (l - f64::from(spring.rest_length));
            let sign = if spring.nodes[0] as usize == i { 1.0 } else { -1.0 };
            block.gradient += sign * (tension * n + c * n_n.dot(e - e_n) * n_n);
            block.hessian += objective.block(s, x, true);
        }
        for &(j, kappa) in bending_pairs(objective.model(), i) {
            block.gradient += f64::from(kappa) * (x[i] - x[j as usize]);
            block.hessian += DMat3::IDENTITY * f64::from(kappa);
        }
        block
    }
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        Bounds::of_positions(h, after, bound::positions(forces, h, before))
    }

    fn shorten(&self, settings: &mut Settings) {
        // In each visit a node takes up all errors of its neighbors; only the second has a weight.
        let weighted = matches!(settings.value(CHEBYSHEV), Chebyshev::Radius(_));
        settings.set(ITERATIONS, Iterations::Fixed(settings.iterations().min(if weighted { 2 } else { 1 })));
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::reference::{Pull, fixture, minimizer};
    use crate::settings::{
        AIR, Air, DAMPING, GRAVITY, Iterations, NODE_DAMPING, SOLVER, START, Settings, SolverKind, Start,
        WIND,
    };

    const H: f64 = 1.0 / 120.0;
    const PULLS: [Pull; 1] = [Pull { node: 12, stiffness: 30.0, target: DVec3::new(0.2, 0.3, 0.2) }];

    /// Everything present at once: pins, dashpots, damping, air in the wind, a pull beyond its reach.
    fn settings(iterations: u32, chebyshev: Chebyshev, start: Start) -> Settings {
        let air = Air { density: 1.2, ..Air::NONE };
        let wind = Vec3::new(1.0, 3.0, 0.0);
        let solver = SolverKind::Vbd;
        let damped =
            Settings::of(solver).with(DAMPING, 0.5).with(NODE_DAMPING, 0.01).with(WIND, wind).with(AIR, air);
        damped.with(ITERATIONS, Iterations::Fixed(iterations)).with(CHEBYSHEV, chebyshev).with(START, start)
    }

    /// Distance of the step's result from the minimizer \[m\].
    fn error(model: &Model, settings: &Settings) -> f64 {
        let forces = Forces { pulls: &PULLS, reach: 0.1, ..Forces::of(model, settings) };
        let mut state = fixture::disturbed(model);
        let exact = minimizer::implicit_step(&forces, H, &state, 1e-11);
        assert!(exact.converged);
        step(&forces, H, &mut state);
        fixture::distance(&state.position, &exact.position)
    }

    #[test]
    fn many_iterations_reach_the_minimizer_from_any_start() {
        let model = fixture::cloth(5, 5, &[0, 4]);
        for start in [Start::Auto, Start::Inertial, Start::Velocity, Start::Previous] {
            let found = error(&model, &settings(1000, Chebyshev::Off, start));
            assert!(found < 1e-11, "{start:?}: {found}");
        }
        let found = error(&model, &settings(500, Chebyshev::Radius(0.7), Start::Auto));
        assert!(found < 1e-11, "with weights: {found}");
    }

    #[test]
    fn an_iteration_comes_closer_than_a_sweep_and_weights_closer_still() {
        let model = fixture::changed(&fixture::cloth(5, 5, &[0, 4]), 20.0, 0.1);
        let of = |n, chebyshev| error(&model, &settings(n, chebyshev, Start::Auto));
        let (few, many) = (of(20, Chebyshev::Off), of(60, Chebyshev::Off));
        let sweeps = settings(60, Chebyshev::Off, Start::Auto).with(SOLVER, SolverKind::LocalGlobal);
        let forces = Forces { pulls: &PULLS, reach: 0.1, ..Forces::of(&model, &sweeps) };
        let mut state = fixture::disturbed(&model);
        let exact = minimizer::implicit_step(&forces, H, &state, 1e-11);
        crate::reference::local_global::step(&forces, H, &mut state);
        let jacobi = fixture::distance(&state.position, &exact.position);
        let weighted = of(60, Chebyshev::Radius(0.7));
        assert!(many < 0.5 * few && many < 0.5 * jacobi, "{few} {many}, {jacobi} with sweeps");
        assert!(weighted < 0.5 * many, "{many} {weighted}");
    }

    #[test]
    fn one_node_is_solved_by_newtons_method() {
        // Along its spring phi is quadratic: one iteration gives (m y + h^2 k r) / (m + h^2 k).
        let model = fixture::chain(1, 1.0, 50.0, 0.1, &[0]);
        let settings = Settings::default().with(GRAVITY, Vec3::ZERO).with(ITERATIONS, Iterations::Fixed(1));
        let forces = Forces::of(&model, &settings);
        let mut state = fixture::at_rest(&model);
        let along = (state.position[1] - state.position[0]).normalize();
        state.velocity[1] = 7.0 * along;
        let (m, k) = (forces.mass(1), H * H * 50.0);
        let y = 1.0 + H * 7.0;
        let expected = state.position[0] + along * ((m * y + k) / (m + k));
        step(&forces, H, &mut state);
        assert!((state.position[1] - expected).length() < 1e-14);
    }
}
