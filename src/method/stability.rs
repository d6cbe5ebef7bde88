//! The largest stable step of the explicit methods.
//!
//! Symplectic Euler and Verlet are stable for h < 2 / omega. The bound
//! omega^2 <= 2 max_i w_i sum_j k_ij (Gershgorin on M^-1 K, springs no shorter than half their rest
//! length; for bending half of the sum of |Q_ij| over a row in place of k) is never too optimistic;
//! power iterations would estimate omega from below, the unsafe side. Pressure counts with the larger of the areas that the
//! skin has at rest and at the start: a skin that grows far beyond these needs more substeps.

use rayon::prelude::*;

use super::{DEFAULT, contact, touch};
use crate::model::{Load, Model};
use crate::settings::{MAX_SUBSTEPS, Settings, SolverKind, Substeps, World};

/// The part of the limit that is used when the tool chooses the step itself.
const MARGIN: f64 = 0.9;

/// Pairs in touch that act on a node with all their stiffness: its own four, and as many in which it is a corner.
const MOST_PAIRS: f32 = 8.0;

/// What limits the step of an explicit method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// Bound on the square of the highest angular frequency, omega^2 [1/s^2].
    pub omega_squared: f64,
    /// The same of bending alone [1/s^2].
    pub bending_omega_squared: f64,
    /// The same of springs and bending in bodies that rub on others or themselves; 0 where none does [1/s^2].
    pub rubbing_omega_squared: f64,
    /// Bound on the highest damping rate, 2 max_i w_i sum c plus viscous damping [1/s].
    pub damping_rate: f64,
    /// Least viscous damping rate of any free node [1/s], drag included.
    pub least_damping: f64,
    /// Largest drag [1/s] of any copy. It shortens Verlet's step, whose drag acts on the old increment only.
    pub drag: f64,
    /// The node that sets omega.
    pub node: u32,
    /// The node that sets that of bending.
    pub bending_node: u32,
}

/// A step that the solver cannot take.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StabilityError {
    /// Beyond the limit of the method.
    #[error(
        "{solver} is unstable at {substeps} substeps a frame (h = {step:.3e} s): node {node} allows h <= \
         {largest:.3e} s. Use substeps = {recommended} (or \"auto\"), softer springs, less bending, heavier nodes, or \
         solver = {DEFAULT}; --force runs it anyway"
    )]
    TooLarge {
        /// The solver.
        solver: SolverKind,
        /// Substeps asked for.
        substeps: u32,
        /// The step asked for \[s\].
        step: f64,
        /// Largest stable step \[s\].
        largest: f64,
        /// Substeps that are stable with a margin.
        recommended: u64,
        /// The node that sets the limit.
        node: u32,
    },
    /// No step is stable without damping.
    #[error(
        "undamped {solver} has no stable step: at {substeps} substeps a frame its stiffest mode (node {node}) \
         grows by a factor {growth:.3e} each simulated second. Use solver = {}, or add damping; --force runs it anyway, to see \
         it blow up", SolverKind::names(|one| one.is_explicit() && !one.grows_undamped())
    )]
    NeverStable {
        /// The solver.
        solver: SolverKind,
        /// Substeps asked for or chosen.
        substeps: u32,
        /// Growth of the stiffest mode in one simulated second.
        growth: f64,
        /// The node that sets the frequency.
        node: u32,
    },
    /// More substeps than one frame may hold.
    #[error(
        "{solver} needs {needed} substeps a frame here (node {node} allows h <= {largest:.3e} s), more than \
         {MAX_SUBSTEPS}. Use softer springs, less bending, heavier nodes, a shorter frame-time, or solver = {DEFAULT}"
    )]
    TooMany {
        /// The solver.
        solver: SolverKind,
        /// Substeps needed.
        needed: u64,
        /// Largest stable step \[s\].
        largest: f64,
        /// The node that sets the limit.
        node: u32,
    },
}

impl Stability {
    /// Bounds for a model under given settings.
    pub fn of(model: &Model, settings: &Settings) -> Self {
        let n = model.node_count();
        let bending = model.bending_majorant();
        let (mut stiffness, mut dashpot) = (bending.clone(), vec![0f64; n]);
        for spring in model.springs() {
            for node in spring.nodes {
                stiffness[node as usize] += f64::from(spring.stiffness);
                dashpot[node as usize] += f64::from(spring.dashpot);
            }
        }
        let of_node = |i: usize| 2.0 * f64::from(model.inverse_mass(i)) * stiffness[i];
        let rubbing = model.bodies().iter().filter(|body| body.touches() && body.layer.friction > 0.0);
        let rubbing_omega_squared = rubbing
            .flat_map(|body| body.nodes.start as usize..body.nodes.end as usize)
            .map(of_node)
            .fold(0.0, f64::max);
        // Implicit solvers use the bound for springs only, as a measure of what a sweep can do.
        for handle in model.handles().iter().filter(|_| settings.solver.is_explicit()) {
            for &(node, weight) in &handle.nodes {
                // A pull acts on one node only: half of a spring's share in Gershgorin's bound.
                stiffness[node as usize] += 0.5 * f64::from(weight * handle.stiffness);
            }
        }
        for load in model.loads().iter().filter(|l| l.is_pressure() && settings.solver.is_explicit()) {
            add_pressure(model, load, &mut stiffness);
        }
        if settings.solver.is_explicit() && touch(model, settings).is_some() {
            let bodies = model.bodies().iter().zip(contact::stiffness(model));
            for (body, stiffness_of_pair) in bodies.filter(|(body, _)| body.touches()) {
                let nodes = body.nodes.start as usize..body.nodes.end as usize;
                stiffness[nodes].iter_mut().for_each(|k| *k += f64::from(MOST_PAIRS * stiffness_of_pair));
            }
        }
        // A node may be inside of all colliders at once; each acts on it alone, as a handle does, and damps by its rate.
        // Friction is bounded by the kernels.
        let (mut contact, mut contact_rate) = (0.0, 0.0);
        for collider in model.colliders().iter().filter(|_| settings.solver.is_explicit()) {
            contact += f64::from(collider.stiffness);
            contact_rate += f64::from(collider.damping);
        }
        let nodes_per_copy = model.nodes_per_copy();
        let copies: Vec<World> = (0..model.copies()).map(|c| settings.world_of(c)).collect();
        let each = |i: usize| {
            let around = &copies[i / nodes_per_copy];
            let (damping, node_damping) = (f64::from(around.damping), f64::from(around.node_damping));
            let w = f64::from(model.inverse_mass(i));
            let viscous = if w > 0.0 { damping + node_damping * w } else { f64::INFINITY };
            let rate = 2.0 * w * dashpot[i] + if w > 0.0 { viscous + contact_rate } else { 0.0 };
            let contact = if w > 0.0 { contact } else { 0.0 };
            (2.0 * w * stiffness[i] + contact, i as u32, rate, viscous + f64::from(around.drag))
        };
        let worst = |a: (f64, u32, f64, f64), b: (f64, u32, f64, f64)| {
            let (omega_squared, node) = if b.0 > a.0 { (b.0, b.1) } else { (a.0, a.1) };
            (omega_squared, node, a.2.max(b.2), a.3.min(b.3))
        };
        let none = || (0.0, 0, 0.0, f64::INFINITY);
        let (omega_squared, node, damping_rate, least) = (0..n).into_par_iter().map(each).reduce(none, worst);
        let drag = copies.iter().map(|c| f64::from(c.drag)).fold(0.0, f64::max);
        let bent = |i: usize| 2.0 * f64::from(model.inverse_mass(i)) * bending[i];
        let stiffest = (0..n).max_by(|&a, &b| bent(a).total_cmp(&bent(b))).unwrap_or(0);
        let (bending_omega_squared, bending_node) = (bent(stiffest), stiffest as u32);
        Self {
            omega_squared,
            bending_omega_squared,
            rubbing_omega_squared,
            bending_node,
            damping_rate,
            least_damping: least,
            drag,
            node,
        }
    }

    /// Largest stable step \[s\] where springs are implicit, which only adds to what inertia holds against bending.
    pub(super) fn largest_step_of_bending(&self) -> f64 {
        // Infinite where nothing bends.
        2.0 / self.bending_omega_squared.sqrt()
    }

    /// The substeps a frame that the settings ask for, checked, or the fewest recommended ones.
    pub fn substeps(&self, settings: &Settings) -> Result<u32, StabilityError> {
        let solver = settings.solver;
        let frame = f64::from(settings.step.frame_time);
        let largest = solver.largest_step(self);
        if solver.grows_undamped() && largest == 0.0 {
            return self.undamped(settings, frame);
        }
        // Kept far from the end of u64, beyond which the next even number would wrap to zero.
        let recommended = even((frame / (MARGIN * largest)).ceil().clamp(1.0, 1e15) as u64);
        let too_many = || StabilityError::TooMany {
            solver,
            needed: recommended,
            largest,
            node: self.limiting_node(solver),
        };
        let are_enough_allowed = recommended <= u64::from(MAX_SUBSTEPS);
        let substeps = match settings.step.substeps {
            Substeps::Fixed(n) => n,
            Substeps::Auto if !are_enough_allowed => return Err(too_many()),
            Substeps::Auto => (recommended as u32).max(solver.least_substeps()),
        };
        let step = frame / f64::from(substeps);
        if step > largest && !settings.step.force && !are_enough_allowed {
            return Err(too_many());
        }
        if step > largest && !settings.step.force {
            return Err(StabilityError::TooLarge {
                solver,
                substeps,
                step,
                largest,
                recommended,
                node: self.limiting_node(solver),
            });
        }
        Ok(substeps)
    }

    /// The node that sets the limit of a solver.
    fn limiting_node(&self, solver: SolverKind) -> u32 {
        if solver.is_explicit() { self.node } else { self.bending_node }
    }

    /// A method without a stable step: every step amplifies the stiffest mode by sqrt(1 + h^2 omega^2).
    fn undamped(&self, settings: &Settings, frame: f64) -> Result<u32, StabilityError> {
        let substeps = match settings.step.substeps {
            Substeps::Fixed(n) => n,
            // Enough that the growth over a second stays below e^4, where that is affordable.
            Substeps::Auto => {
                even((frame * self.omega_squared / 8.0).ceil().clamp(1.0, 2000.0) as u64) as u32
            }
        };
        if settings.step.force {
            return Ok(substeps);
        }
        let step = frame / f64::from(substeps);
        let growth = (0.5 * (step * step * self.omega_squared).ln_1p() / step).exp();
        Err(StabilityError::NeverStable { solver: settings.solver, substeps, growth, node: self.node })
    }
}

/// The next even number above one: an even count ends in the buffer it began in, without a copy.
fn even(n: u64) -> u64 {
    if n > 1 { n.next_multiple_of(2) } else { n }
}

/// Half of the row sums of how the force of a pressure changes with the positions: a triangle's share p/6 (b - a) x (c - a)
/// changes by p/6 times each of its sides, the longer ones of rest and start.
fn add_pressure(model: &Model, load: &Load, stiffness: &mut [f64]) {
    let is_pushed = load.selects(stiffness.len());
    for triangle in model.triangles() {
        let around = |x: &[glam::Vec3]| {
            let [a, b, c] = triangle.map(|i| x[i as usize].as_dvec3());
            a.distance(b) + b.distance(c) + c.distance(a)
        };
        let sides = around(model.rest_position()).max(around(&model.initial_state().position));
        for i in triangle.map(|i| i as usize).into_iter().filter(|&i| is_pushed[i]) {
            stiffness[i] += f64::from(load.most_pressure()) * sides / 12.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::fixture;
    use crate::settings::CONTACT;

    fn with(omega_squared: f64, drag: f64) -> Stability {
        Stability {
            omega_squared,
            bending_omega_squared: 0.0,
            rubbing_omega_squared: 0.0,
            bending_node: 0,
            damping_rate: 0.0,
            least_damping: drag,
            drag,
            node: 0,
        }
    }

    /// Largest |(x, u)| while Verlet takes 2000 steps of one mode.
    fn verlet_growth(omega_squared: f64, drag: f64, h: f64) -> f64 {
        let (mut x, mut u, mut largest) = (1.0f64, 0.0f64, 0f64);
        for _ in 0..2000 {
            u = (-drag * h).exp() * u - h * omega_squared * x;
            x += h * u;
            largest = largest.max(x.abs());
        }
        largest
    }

    #[test]
    fn drag_shortens_the_step_of_verlet() {
        let (omega_squared, drag) = (1e6, 2000.0);
        let undamped = SolverKind::Verlet.largest_step(&with(omega_squared, 0.0));
        let damped = SolverKind::Verlet.largest_step(&with(omega_squared, drag));
        assert!(verlet_growth(omega_squared, drag, 0.999 * damped) < 10.0);
        assert!(verlet_growth(omega_squared, drag, 0.999 * undamped) > 1e6);
        assert_eq!(SolverKind::SymplecticEuler.largest_step(&with(omega_squared, drag)), undamped);
    }

    #[test]
    fn contact_shortens_the_step_of_surfaces_alone() {
        let of = |model: &Model, contact| {
            Stability::of(model, &Settings::of(SolverKind::Verlet).with(CONTACT, contact)).omega_squared
        };
        let (sheet, rope) = (fixture::fabric(4, 100.0, 10.0), fixture::chain(4, 0.1, 100.0, 0.01, &[0]));
        assert!(of(&sheet, true) > of(&sheet, false));
        assert_eq!(of(&rope, true), of(&rope, false));
    }

    #[test]
    fn a_hopelessly_stiff_model_is_refused_with_a_number() {
        let settings = Settings::of(SolverKind::SymplecticEuler);
        let found = with(1e60, 0.0).substeps(&settings);
        assert!(matches!(found, Err(StabilityError::TooMany { needed: 1_000_000_000_000_000, .. })));
    }
}
