//! Implicit Euler as a minimization by local/global steps: T. Liu, A. Bargteil, J. O'Brien,
//! L. Kavan, "Fast simulation of mass-spring systems", ACM TOG 32(6), 2013,
//! <https://doi.org/10.1145/2508363.2508406>, with Jacobi sweeps in place of the factored global step
//! and the Chebyshev weights of H. Wang, "A Chebyshev semi-iterative approach for accelerating
//! projective and position-based dynamics", ACM TOG 34(6), 2015,
//! <https://doi.org/10.1145/2816795.2818063>.
//!
//! One round: the local step takes d = r n of every spring at the present x; then `sweeps` times
//!
//! ```text
//! x_i <- x_i + D_i^-1 [ Gamma_i (y_i - x_i) + sum_j ( -k (e - d) - (c / h) n_n (n_n . (e - e_n)) ) ]
//!                          - sum_j Q_ij x_j ]
//! D_i = Gamma_i + (sum_j k + sum_j c / h + Q_ii / 2 + sum_j |Q_ij| / 2) I
//! ```
//!
//! with the objective of [`super::objective`]. The sums are over other nodes except that of Q x; Q, the
//! matrix of bending, is not diagonally dominant, so that its diagonal alone would diverge.
//! Contact of cloth with cloth ([`super::contact`]) adds to the sum what its pairs are at x, and to D_i twice their block. Nodes that touch have weights
//! only if they have touched in the step before; these start where they get with what they have gained in it ([`Gained`]).
//! In the first sweep of a round e - d = (l - r) n.
//! Over all N = iterations * sweeps sweeps, with x^ the result of plain sweep t = 0, 1, ..:
//!
//! ```text
//! x_(t+1) = omega_t (x^ - x_(t-1)) + x_(t-1)
//! omega_t = 1 for t < 5,  2 / (2 - rho^2) for t = 5,  then 4 / (4 - rho^2 omega_(t-1))
//! ```
//!
//! Then v+ = (x+ - x_n) / h exp(-drag h). Differences from the article: damping, air and handles are
//! part of the objective, and the iteration starts from y where nothing touches. Limits: a sweep moves information by one
//! spring, so large sheets need many; the weights are not watched for divergence here, unlike on the
//! device.

mod bound;

use glam::{DMat3, DVec3};

use super::bound::{Bounds, loads};
use super::contact::{AtNodes, Contacts};
use super::forces::{add_bending, direction, outer};
use super::gained::{Gained, touches};
use super::linear::System;
use super::objective::{Objective, bending_majorant, finish, start};
use super::{Forces, Reference, State64, keep_first_sweeps};
use crate::settings::{
    CHEBYSHEV, Chebyshev, ITERATIONS, Iterations, LinearSolver, SWEEPS, Settings, TOLERANCE,
};

/// Sweeps before the Chebyshev weights set in.
const DELAY: u64 = 5;

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
    let mut now = start(forces, &objective, h, state);
    gained.begin(forces, &objective, h, state, &mut now);
    if settings.linear_solver() == LinearSolver::ConjugateGradients {
        let mut product = |o: &Objective<'_>, blocks: &[DMat3], u: &[DVec3]| o.product(blocks, u);
        let (x, pairs) =
            solved(forces, &objective, h, contacts, (now, Some(gained)), &mut product, &mut |_| ());
        let gained = Gained::after(forces, &objective, h, state, &x, &pairs);
        return (x, gained);
    }
    let diagonal = diagonal(&objective);
    let (rounds, sweeps) = (u64::from(settings.iterations()), u64::from(settings.sweeps()));
    let rho = spectral_radius(forces, h);
    let mut before = Vec::new();
    let mut goal = Vec::new();
    let mut omega = 1.0;
    let mut pairs = AtNodes::default();
    for t in 0..rounds * sweeps {
        pairs = AtNodes::of(contacts, t as usize, &now);
        if t == 0 {
            gained.settle(forces, &objective, h, contacts, &mut pairs, &mut now);
            before = now.clone();
        }
        let local = t % sweeps == 0;
        if local {
            goal = local_step(&objective, &now);
        }
        let plain = sweep(&objective, &diagonal, &goal, local, &now, &pairs);
        omega = weight(t, rho, omega);
        let mix = |((i, plain), before): ((usize, DVec3), DVec3)| {
            let begins = touches(forces, &objective, h, &pairs, i) && !gained.has(forces, i);
            before + if begins { 1.0 } else { omega } * (plain - before)
        };
        let next = plain.into_iter().enumerate().zip(before).map(mix).collect();
        before = std::mem::replace(&mut now, next);
    }
    let gained = Gained::after(forces, &objective, h, state, &now, &pairs);
    (now, gained)
}

/// Where local steps come to \[m\] from a start and what nodes have gained before, and the pairs of the last one, each with a global step solved by conjugate gradients of `settings.sweeps()` steps:
/// x <- x + u, A u = -grad phi(x), A = Gamma + sum (k I + (c / h) n_n n_n^T) + Q. How A is multiplied, and what happens
/// to each vector before it is used, is the caller's: that is how the effect of rounding is found.
pub fn solved(
    forces: &Forces<'_>,
    objective: &Objective<'_>,
    h: f64,
    contacts: Option<&Contacts>,
    (start, gained): (Vec<DVec3>, Option<&Gained>),
    product: Product<'_>,
    round: Round<'_>,
) -> (Vec<DVec3>, AtNodes) {
    let model = forces.model;
    let blocks: Vec<DMat3> = (model.springs().iter().enumerate())
        .map(|(s, spring)| {
            let (c, n, _) = objective.dashpot(s);
            DMat3::IDENTITY * f64::from(spring.stiffness) + outer(n) * c
        })
        .collect();
    let diagonal = objective.diagonal(&blocks);
    let held = |pinned: &[bool], vector: &mut [DVec3]| {
        vector.iter_mut().zip(pinned).filter(|(_, pinned)| **pinned).for_each(|(v, _)| *v = DVec3::ZERO);
    };
    let mut x = start;
    let mut pairs = AtNodes::default();
    for t in 0..forces.settings.iterations() {
        pairs = AtNodes::of(contacts, t as usize, &x);
        if let (Some(gained), 0) = (gained, t) {
            gained.settle(forces, objective, h, contacts, &mut pairs, &mut x);
        }
        let inverse = (diagonal.iter().zip(&pairs.block).zip(model.pinned()))
            .map(|((block, pair), pinned)| if *pinned { DMat3::ZERO } else { (*block + *pair).inverse() });
        let mut b: Vec<DVec3> =
            objective.gradient(&x).into_iter().zip(&pairs.force).map(|(g, f)| *f - g).collect();
        held(model.pinned(), &mut b);
        round(&mut b);
        let system = System {
            b,
            product: &mut |u| {
                let mut all = product(objective, &blocks, u);
                pairs.add_product(u, &mut all);
                held(model.pinned(), &mut all);
                all
            },
            inverse: inverse.collect(),
            colors: Vec::new(),
        };
        let u = system.solve(LinearSolver::ConjugateGradients, forces.settings.sweeps());
        x.iter_mut().zip(u).for_each(|(x, u)| *x += u);
    }
    (x, pairs)
}

/// A u for spring blocks and u.
type Product<'a> = &'a mut dyn FnMut(&Objective<'_>, &[DMat3], &[DVec3]) -> Vec<DVec3>;
/// Disturbs a right-hand side.
type Round<'a> = &'a mut dyn FnMut(&mut [DVec3]);

/// d = r n of every spring \[m\] at `x` \[m\].
fn local_step(objective: &Objective<'_>, x: &[DVec3]) -> Vec<DVec3> {
    let springs = objective.model().springs().iter();
    springs.map(|s| f64::from(s.rest_length) * direction(s, x).2).collect()
}

/// D of every node [N/m].
fn diagonal(objective: &Objective<'_>) -> Vec<DMat3> {
    let mut diagonal = objective.gamma().to_vec();
    for (s, spring) in objective.model().springs().iter().enumerate() {
        let majorant = f64::from(spring.stiffness) + objective.dashpot(s).0;
        for i in spring.nodes {
            diagonal[i as usize] += DMat3::IDENTITY * majorant;
        }
    }
    for (diagonal, majorant) in diagonal.iter_mut().zip(bending_majorant(objective.model())) {
        *diagonal += DMat3::IDENTITY * majorant;
    }
    diagonal
}

/// One plain Jacobi sweep from `x` \[m\] with the spring vectors `goal` \[m\], which are those of `x`
/// itself where `local`.
fn sweep(
    objective: &Objective<'_>,
    diagonal: &[DMat3],
    goal: &[DVec3],
    local: bool,
    x: &[DVec3],
    pairs: &AtNodes,
) -> Vec<DVec3> {
    let each = |i: usize| objective.gamma()[i] * (objective.target()[i] - x[i]) + pairs.force[i];
    let mut residual: Vec<DVec3> = (0..x.len()).map(each).collect();
    for (s, spring) in objective.model().springs().iter().enumerate() {
        let [i, j] = spring.nodes.map(|i| i as usize);
        let (e, l, n) = direction(spring, x);
        let (c, n_n, e_n) = objective.dashpot(s);
        // The same vector but for a spring too short to have a direction, which exerts no force.
        let away = if local { (l - f64::from(spring.rest_length)) * n } else { e - goal[s] };
        let pull = -f64::from(spring.stiffness) * away - c * n_n.dot(e - e_n) * n_n;
        residual[i] += pull;
        residual[j] -= pull;
    }
    add_bending(objective.model(), x, &mut residual);
    let moved = |i: usize| {
        if objective.model().pinned()[i] {
            x[i]
        } else {
            x[i] + (diagonal[i] + 2.0 * pairs.block[i]).inverse() * residual[i]
        }
    };
    (0..x.len()).map(moved).collect()
}

/// The radius rho of the Chebyshev weights for steps of `h` \[s\]; 0 gives plain sweeps.
pub fn spectral_radius(forces: &Forces<'_>, h: f64) -> f64 {
    let settings = forces.settings;
    let count = u64::from(settings.iterations()) * u64::from(settings.sweeps());
    match settings.value(CHEBYSHEV) {
        Chebyshev::Off => 0.0,
        Chebyshev::Radius(rho) => f64::from(rho),
        Chebyshev::Auto if count <= DELAY => 0.0,
        Chebyshev::Auto => {
            let mut stiffness = bending_majorant(forces.model);
            for spring in forces.model.springs() {
                for i in spring.nodes {
                    stiffness[i as usize] += f64::from(spring.stiffness);
                }
            }
            let rate = |i: usize| if forces.is_free(i) { stiffness[i] / forces.mass(i) } else { 0.0 };
            let stiffest = (0..stiffness.len()).map(rate).fold(0.0, f64::max);
            let whole = 1.0 - 1.0 / (1.0 + h * h * stiffest);
            let affordable = 1.0 - (2.0 / count as f64).powi(2);
            whole.min(affordable)
        }
    }
}

/// omega_t after `omega`, the weight of the sweep before.
fn weight(t: u64, rho: f64, omega: f64) -> f64 {
    match t {
        _ if t < DELAY => 1.0,
        DELAY => 2.0 / (2.0 - rho * rho),
        _ => 4.0 / (4.0 - rho * rho * omega),
    }
}

/// The method, as [`crate::check`] compares it.
pub struct Oracle;

impl Reference for Oracle {
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64) {
        step(forces, h, state);
    }

    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
        let loads = loads(forces, h, before);
        match forces.settings.linear_solver() {
            LinearSolver::Jacobi => {
                Bounds::of_positions(h, after, bound::of_sweeps(forces, h, before, after, &loads))
            }
            _ => Bounds::all_within(h, after, bound::of_global_steps(forces, h, before, &loads)),
        }
    }

    fn shorten(&self, settings: &mut Settings) {
        if settings.keeps_tolerance() && settings.get(TOLERANCE).is_some() {
            // One global step: of several it is not known which took how many.
            settings.set(ITERATIONS, Iterations::Fixed(1));
        }
        keep_first_sweeps(settings);
    }

    fn take(&self, settings: &mut Settings, iterations: u32) {
        settings.set(SWEEPS, Some(iterations));
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::Model;
    use crate::reference::{Pull, fixture, minimizer, symplectic_euler};
    use crate::settings::{
        AIR, Air, DAMPING, GRAVITY, Iterations, NODE_DAMPING, START, Settings, Start, WIND,
    };

    const H: f64 = 1.0 / 120.0;
    const PULLS: [Pull; 1] = [Pull { node: 12, stiffness: 30.0, target: DVec3::new(0.2, 0.3, 0.2) }];

    /// Everything present at once: pins, dashpots, damping, air in the wind, a pull beyond its reach.
    fn settings(iterations: u32, sweeps: u32, chebyshev: Chebyshev, start: Start) -> Settings {
        let air = Air { density: 1.2, ..Air::NONE };
        let wind = Vec3::new(1.0, 3.0, 0.0);
        let damped =
            Settings::default().with(DAMPING, 0.5).with(NODE_DAMPING, 0.01).with(WIND, wind).with(AIR, air);
        damped
            .with(ITERATIONS, Iterations::Fixed(iterations))
            .with(SWEEPS, sweeps)
            .with(CHEBYSHEV, chebyshev)
            .with(START, start)
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
    fn many_sweeps_reach_the_minimizer_from_any_start() {
        let model = fixture::cloth(5, 5, &[0, 4]);
        for start in [Start::Auto, Start::Inertial, Start::Velocity, Start::Previous] {
            for (iterations, sweeps) in [(4000, 1), (1500, 4)] {
                let found = error(&model, &settings(iterations, sweeps, Chebyshev::Off, start));
                assert!(found < 1e-11, "{start:?}, {sweeps} sweeps: {found}");
            }
        }
        let found = error(&model, &settings(2000, 1, Chebyshev::Radius(0.9), Start::Auto));
        assert!(found < 1e-11, "with weights: {found}");
    }

    #[test]
    fn more_sweeps_come_closer_and_weights_closer_still() {
        let model = fixture::changed(&fixture::cloth(5, 5, &[0, 4]), 20.0, 0.1);
        let of = |n, chebyshev| error(&model, &settings(n, 1, chebyshev, Start::Auto));
        let (few, many) = (of(20, Chebyshev::Off), of(80, Chebyshev::Off));
        assert!(many < 0.8 * few, "{few} {many}");
        let (plain, weighted) = (of(60, Chebyshev::Off), of(60, Chebyshev::Auto));
        assert!(weighted < 0.5 * plain, "{plain} {weighted}");
    }

    #[test]
    fn one_round_of_many_sweeps_is_the_global_step_of_the_article() {
        // One free node: (m + h^2 k) x_1 = m y_1 + h^2 k (x_0 + d), with d of the start.
        let model = fixture::chain(1, 1.0, 50.0, 0.1, &[0]);
        let settings = settings(1, 500, Chebyshev::Off, Start::Previous);
        let settings = settings.with(GRAVITY, Vec3::ZERO).with(DAMPING, 0.0).with(NODE_DAMPING, 0.0);
        let forces = Forces::of(&model, &settings);
        let mut state = fixture::at_rest(&model);
        state.position[1] = DVec3::new(1.2, 0.0, 0.0);
        state.velocity[1] = DVec3::new(0.0, 5.0, 0.0);
        let (m, k) = (forces.mass(1), H * H * 50.0);
        let y = state.position[1] + H * state.velocity[1];
        let expected = (m * y + k * DVec3::X) / (m + k);
        let before = state.position[1];
        step(&forces, H, &mut state);
        assert!((state.position[1] - expected).length() < 1e-14);
        assert!((state.velocity[1] - (expected - before) / H).length() < 1e-11);
    }

    #[test]
    fn the_weights_are_those_of_the_recurrence() {
        let model = fixture::cloth(5, 5, &[0]);
        let of = |iterations, chebyshev| {
            let settings = settings(iterations, 1, chebyshev, Start::Auto);
            spectral_radius(&Forces::of(&model, &settings), 1.0)
        };
        assert_eq!(of(5, Chebyshev::Auto), 0.0);
        assert!((of(20, Chebyshev::Auto) - 0.99).abs() < 1e-15);
        assert_eq!(of(20, Chebyshev::Off), 0.0);
        assert_eq!(of(20, Chebyshev::Radius(0.5)), 0.5);
        let capped = of(100_000, Chebyshev::Auto);
        // The stiffest node is the middle one: four of 100, four of 50, four of 10 N/m on 0.01 kg.
        let rate = 640.0 / f64::from(model.mass()[12]);
        assert!((capped - (1.0 - 1.0 / (1.0 + rate))).abs() < 1e-12);
        let rho: f64 = 0.9;
        assert_eq!(weight(4, rho, 1.0), 1.0);
        let first = weight(5, rho, 1.0);
        assert_eq!(first, 2.0 / (2.0 - 0.81));
        assert_eq!(weight(6, rho, first), 4.0 / (4.0 - 0.81 * first));
    }

    #[test]
    fn one_spring_loses_what_implicit_euler_loses() {
        // In a line: v+ = (v - h omega^2 x) / (1 + h^2 omega^2), so the energy falls by exactly that.
        let model = fixture::chain(1, 1.0, 100.0, 1.0, &[0]);
        let settings = Settings::default().with(GRAVITY, Vec3::ZERO).with(ITERATIONS, Iterations::Fixed(400));
        let forces = Forces::of(&model, &settings);
        let mut state = fixture::at_rest(&model);
        state.position[1].y -= 0.1;
        for _ in 0..50 {
            step(&forces, H, &mut state);
        }
        let size = 100.0 * (state.position[1].y + 1.0).powi(2) + state.velocity[1].y.powi(2);
        let expected = 100.0 * 0.01 / (1.0 + H * H * 100.0).powi(50);
        assert!((size / expected - 1.0).abs() < 1e-6, "{size} {expected}");
    }

    #[test]
    fn steps_are_of_first_order_and_meet_the_explicit_motion() {
        let model = fixture::cloth(3, 3, &[0]);
        let settings = settings(300, 1, Chebyshev::Off, Start::Auto);
        let forces = Forces { reach: 0.1, ..Forces::of(&model, &settings) };
        let run = |h: f64, step: fn(&Forces<'_>, f64, &mut State64)| {
            let mut state = fixture::disturbed(&model);
            for _ in 0..(0.02 / h).round() as usize {
                step(&forces, h, &mut state);
            }
            state.position
        };
        let exact = run(2e-6, symplectic_euler::step);
        let error = |h| fixture::distance(&run(h, step), &exact);
        let ratio = error(4e-4) / error(2e-4);
        assert!((1.85..2.15).contains(&ratio), "{ratio}");
    }
}
