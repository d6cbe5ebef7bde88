//! One step on the GPU against the f64 reference, with a bound for what rounding may do.
//!
//! Both begin at the same f32 state. With u = 2^-24 the bound per node is, for explicit methods,
//! `dv <= C u (|v| + h |g| + h a |v| + h w (F + d |v|))` and `dx <= 2 u (|x| + h |v|) + h dv`, where F sums
//! the magnitudes that enter the node's force: `k (l + r)` per spring, because l - r cancels after the
//! length has been rounded, `c (|v_i| + |v_j|)` per dashpot, `|B| (|v| + |wind|)` for air, and
//! `K (|x| + |target|)` per pull, and `|kappa| |x_i - x_j|` per pair of a bending stencil. C counts the roundings on the way of one summand: subtraction, dot
//! product, inverse square root (2 ulp, WGSL section 15.7.4), products, and a sum over some 16 terms.
//! A sweep of an implicit method adds such an error divided by the diagonal and passes on at most
//! L times the error of the sweep before, L the largest row sum of the sweep's own derivative. With
//! Chebyshev weights that grows some twofold a sweep: after 20 sweeps it would excuse anything. So only
//! the first sweeps of a substep are compared, which run every kernel of the method. `check/descent.rs` has
//! the bound of vertex block descent.

mod constraints;
mod contact;
mod descent;
mod linear;
mod multigrid;
mod noise;

use glam::{DVec3, Vec3};

use crate::Error;
use crate::gpu::Gpu;
use crate::hierarchy;
use crate::model::{Model, Multipliers, Spring};
use crate::reference::objective::augmented;
use crate::reference::{self, Forces, Instant, Pull, State64, verlet};
use crate::settings::{Chebyshev, Iterations, LinearSolver, Settings, SolverKind, Substeps};
use crate::simulation::Simulation;
use crate::solver::chebyshev_weights;
use crate::state::State;

/// Unit roundoff of f32.
const U: f64 = 1.0 / (1u64 << 24) as f64;
/// Roundings on the way of one summand of a force.
const C: f64 = 32.0;

/// A substep of more sweeps than this is compared on its first [`FIRST_SWEEPS`] only.
const MANY_SWEEPS: u32 = 9;
/// The plain sweeps before the acceleration begins, and one accelerated.
const FIRST_SWEEPS: u32 = 6;

/// How far the GPU's step is from the reference's. Field names are keys of JSON objects.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Comparison {
    /// The solver.
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_name"))]
    pub solver: SolverKind,
    /// Length of the step \[s\].
    pub step: f64,
    /// Largest quotient of error and bound; at most one where the kernel computes its method.
    pub worst: f64,
    /// The node where it is reached.
    pub node: u32,
    /// "position" or "velocity".
    pub quantity: &'static str,
    /// The error there \[m\] or [m/s].
    pub error: f64,
    /// The bound there \[m\] or [m/s].
    pub bound: f64,
    /// Largest error of any position \[m\].
    pub position_error: f64,
    /// Largest error of any velocity [m/s].
    pub velocity_error: f64,
}

#[cfg(feature = "serde")]
fn by_name<S: serde::Serializer>(solver: &SolverKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(solver.name())
}

/// Takes one substep from `state` on the GPU and with the reference, and compares. Where an iterative solver
/// would take many sweeps it takes the first few: beyond, rounding alone could explain too much.
pub fn one_step(gpu: &Gpu, model: &Model, settings: &Settings, state: &State) -> Result<Comparison, Error> {
    one_step_of(gpu, model, model, settings, state)
}

/// [`one_step`] with a model of its own for the GPU: how tests show that a wrong one is noticed.
pub fn one_step_of(
    gpu: &Gpu,
    on_gpu: &Model,
    model: &Model,
    settings: &Settings,
    state: &State,
) -> Result<Comparison, Error> {
    if model.copies() > 1 {
        return Err(Error::Argument("a batch is not compared as one; compare its copies".into()));
    }
    if settings.user_force.is_some() {
        let message = "a scene with user-force cannot be checked: the reference does not know what it does; to check \
                       the rest, take user-force (or user-force-file) out of a copy of the scene";
        return Err(Error::Argument(message.into()));
    }
    if on_gpu.order() != model.order() {
        return Err(Error::Argument(
            "two models whose nodes stand in different orders are not compared".into(),
        ));
    }
    crate::solver::check_held(model, settings.solver)?;
    let chosen = crate::solver::Stability::of(model, settings).substeps(settings)?;
    let mut single = settings.clone();
    single.frame_time = (f64::from(settings.frame_time) / f64::from(chosen)) as f32;
    single.substeps = Substeps::Fixed(1);
    if single.solver == SolverKind::LocalGlobal && single.keeps_tolerance() && single.tolerance.is_some() {
        // One global step: of several it is not known which took how many.
        single.iterations = Iterations::Fixed(1);
    }
    if single.solver == SolverKind::Vbd {
        // In each visit a node takes up all errors of its neighbours; only the second has a weight.
        let weighted = matches!(single.chebyshev, Chebyshev::Radius(_));
        single.iterations = Iterations::Fixed(single.iterations().min(if weighted { 2 } else { 1 }));
    } else if single.iterations().saturating_mul(single.sweeps()) > MANY_SWEEPS {
        let sweeps = single.sweeps().clamp(1, FIRST_SWEEPS);
        single.sweeps = Some(sweeps);
        single.iterations = Iterations::Fixed(single.iterations().min(FIRST_SWEEPS / sweeps));
    }
    let mut simulation = Simulation::new(gpu, on_gpu, &Settings { force: true, ..single.clone() })?;
    simulation.set_state(state)?;
    let h = f64::from(simulation.step_length());

    let (pulls, reach) = simulation.pulls();
    let reach = f64::from(reach);
    simulation.step()?;
    let result = simulation.state()?;
    if let Some(effort) = simulation.effort()? {
        // How many iterations it takes is decided by sums that round; the reference does as many.
        single.tolerance = None;
        match single.solver {
            SolverKind::LocalGlobal => single.sweeps = Some(effort.iterations),
            _ => single.iterations = Iterations::Fixed(effort.iterations),
        }
    }

    // Colours and levels follow from the order of the nodes: the reference has that of the GPU.
    let (order, model) = (model.order(), model.in_memory());
    let (state, result) = (&order.state_by_place(state), order.state_by_place(&result));
    let pull = |(node, k, target): (u32, f32, Vec3)| Pull {
        node: order.place(node),
        stiffness: f64::from(k),
        target: target.as_dvec3(),
    };
    let pulls: Vec<Pull> = pulls.into_iter().map(pull).collect();
    let mut expected = State64::from(state);
    move_pins(model, state.time, h, &mut expected);
    let before = expected.clone();
    let at = Instant { time: state.time, step: h };
    let forces = Forces { model, settings: &single, pulls: &pulls, reach, at };
    let staggered = settings.solver == SolverKind::Verlet;
    if staggered {
        verlet::stagger(&forces, h, &mut expected);
    }
    reference::step(model, &single, h, &pulls, reach, &mut expected);
    if staggered {
        let at = Instant { time: state.time + h, step: h };
        verlet::synchronise(&Forces { at, ..forces }, h, &mut expected);
    }
    let bounds = bounds(&forces, h, &before, &expected);
    let comparison = compare(settings.solver, h, &result, &expected, &bounds);
    Ok(Comparison { node: order.node(comparison.node), ..comparison })
}

/// Puts moving pins where their paths are, with the velocity of the coming step.
fn move_pins(model: &Model, time: f64, h: f64, state: &mut State64) {
    for pin in model.moving_pins().iter().filter(|p| !p.path.is_constant()) {
        let (from, to) = (pin.path.at(time), pin.path.at(time + h));
        for &node in &pin.nodes {
            let start: Vec3 = model.initial_state().position[node as usize] - pin.path.at(0.0);
            state.position[node as usize] = (start + from).as_dvec3();
            state.velocity[node as usize] = (to - from).as_dvec3() / h;
        }
    }
}

struct Bounds {
    position: Vec<f64>,
    velocity: Vec<f64>,
}

fn compare(solver: SolverKind, h: f64, found: &State, expected: &State64, bounds: &Bounds) -> Comparison {
    let mut report = Comparison {
        solver,
        step: h,
        worst: -1.0,
        node: 0,
        quantity: "position",
        error: 0.0,
        bound: 0.0,
        position_error: 0.0,
        velocity_error: 0.0,
    };
    let mut note = |node: usize, quantity, found: Vec3, expected: DVec3, bound: f64| {
        let error = (found.as_dvec3() - expected).length();
        let largest = match quantity {
            "position" => &mut report.position_error,
            _ => &mut report.velocity_error,
        };
        *largest = largest.max(error);
        // A NaN must count as the worst of all.
        let quotient = if error.is_finite() { error / bound } else { f64::INFINITY };
        if quotient > report.worst {
            (report.worst, report.node, report.quantity) = (quotient, node as u32, quantity);
            (report.error, report.bound) = (error, bound);
        }
    };
    for i in 0..found.position.len() {
        note(i, "position", found.position[i], expected.position[i], bounds.position[i]);
        note(i, "velocity", found.velocity[i], expected.velocity[i], bounds.velocity[i]);
    }
    report
}

/// Sums over the springs and other forces at a node.
#[derive(Clone, Copy, Default)]
struct Load {
    /// Magnitudes that enter the force \[N\].
    force: f64,
    /// Sum of k, c / h, pulls and air / h [N/m].
    stiffness: f64,
    /// Majorant of bending in a sweep [N/m].
    bending: f64,
    /// What bending adds to the row sum of a sweep's derivative, before the division by D [N/m].
    bending_row: f64,
    /// Largest factor by which a spring's Hessian exceeds k.
    excess: f64,
}

fn bounds(forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds {
    let loads = loads(forces, h, before);
    match forces.settings.solver {
        SolverKind::ImplicitEuler => {
            let bound = linear::position_bound(forces, h, before, &loads);
            of_positions(h, after, vec![bound; after.position.len()])
        }
        SolverKind::LocalGlobal if forces.settings.linear_solver() != LinearSolver::Jacobi => {
            let bound = linear::position_bound(forces, h, before, &loads);
            of_positions(h, after, vec![bound; after.position.len()])
        }
        SolverKind::LocalGlobal => implicit_bounds(forces, h, before, after, &loads),
        SolverKind::NewtonMultigrid => {
            let bound = multigrid::position_bound(forces, h, before, &loads);
            of_positions(h, after, vec![bound; after.position.len()])
        }
        SolverKind::SoftConstraint | SolverKind::Xpbd => {
            let bound = constraints::position_bound(forces, h, before);
            of_positions(h, after, vec![bound; after.position.len()])
        }
        SolverKind::Vbd => of_positions(h, after, descent::position_bounds(forces, h, before)),
        _ => explicit_bounds(forces, h, before, after, &loads),
    }
}

fn explicit_bounds(f: &Forces<'_>, h: f64, before: &State64, after: &State64, loads: &[Load]) -> Bounds {
    let gravity = f.settings.gravity.as_dvec3().length();
    let (damping, raw) = (f64::from(f.settings.damping), f64::from(f.settings.node_damping));
    let verlet = f.settings.solver == SolverKind::Verlet;
    let mut bounds = Bounds { position: Vec::new(), velocity: Vec::new() };
    for (i, load) in loads.iter().enumerate() {
        let w = f64::from(f.model.inverse_mass(i));
        let (x, v) =
            (before.position[i].length(), before.velocity[i].length().max(after.velocity[i].length()));
        let dv = C * U * (v + h * gravity + h * damping * v + h * w * (load.force + raw * v));
        let dx = 2.0 * U * (x + h * v) + h * dv;
        bounds.position.push(dx);
        bounds.velocity.push(dv);
    }
    if verlet {
        // Half kicks before and after the step: the second sees positions that carry the step's error.
        let widest = bounds.position.iter().copied().fold(0.0, f64::max);
        for (i, load) in loads.iter().enumerate() {
            let w = f64::from(f.model.inverse_mass(i));
            bounds.velocity[i] = 2.0 * bounds.velocity[i]
                + h * w * (load.stiffness * load.excess + 2.0 * load.bending) * widest;
            bounds.position[i] *= 1.5;
        }
    }
    bounds
}

fn implicit_bounds(f: &Forces<'_>, h: f64, before: &State64, after: &State64, loads: &[Load]) -> Bounds {
    let settings = f.settings;
    let sweeps = settings.iterations() * settings.sweeps();
    // A radius of zero stands for no acceleration: its weights are one.
    let omega = chebyshev_weights(reference::local_global::spectral_radius(f, h), sweeps);
    // What one sweep adds, and what it passes on, at the worst node.
    let (mut added, mut passed) = (0f64, 0f64);
    for (i, load) in loads.iter().enumerate().filter(|(i, _)| f.is_free(*i)) {
        let inertia = f.mass(i) / (h * h);
        let diagonal = inertia + load.stiffness + load.bending;
        let x = before.position[i].length().max(after.position[i].length());
        let far = (after.position[i] - before.position[i]).length() + h * before.velocity[i].length();
        added = added.max(2.0 * U * x + C * U * (far + load.force / diagonal));
        passed = passed.max((load.excess * load.stiffness + load.bending_row) / diagonal);
    }
    let (mut error, mut last) = (added, added);
    for w in omega {
        let next = w * (passed * error + added) + (w - 1.0) * last;
        (error, last) = (next, error);
    }
    let each = |i: usize| match f.is_free(i) {
        true => error,
        false => 2.0 * U * (before.position[i].length() + h * before.velocity[i].length()),
    };
    of_positions(h, after, (0..loads.len()).map(each).collect())
}

/// Velocities are differences of positions over `h`.
fn of_positions(h: f64, after: &State64, position: Vec<f64>) -> Bounds {
    let velocity =
        position.iter().zip(&after.velocity).map(|(dx, v)| dx / h + 4.0 * U * v.length()).collect();
    Bounds { position, velocity }
}

fn loads(f: &Forces<'_>, h: f64, state: &State64) -> Vec<Load> {
    let mut loads = network_loads(f, h, state);
    let contact = contact::magnitudes(f, h, state, &loads);
    for (load, [force, stiffness]) in loads.iter_mut().zip(contact) {
        load.force += force;
        load.stiffness += stiffness;
    }
    loads
}

/// Those of springs, bending, handles and air.
fn network_loads(f: &Forces<'_>, h: f64, state: &State64) -> Vec<Load> {
    let mut loads = vec![Load { excess: 1.0, ..Load::default() }; f.model.node_count()];
    let (x, v) = (&state.position, &state.velocity);
    let multipliers = match f.settings.solver {
        SolverKind::NewtonMultigrid => hierarchy::multipliers(f.model, h),
        _ => Multipliers::none(),
    };
    for (s, &Spring { nodes: [a, b], rest_length, stiffness, dashpot, .. }) in
        f.model.springs().iter().enumerate()
    {
        let (a, b) = (a as usize, b as usize);
        let (r, k, c) = (f64::from(rest_length), f64::from(stiffness), f64::from(dashpot));
        // With a multiplier, which begins at zero, a spring pulls with this.
        let sigma = f64::from(multipliers.penalty(s));
        let k = match multipliers.limit(s) > 0.0 {
            // As if it were at its limit.
            true if k <= sigma => k + sigma,
            true => sigma,
            false => augmented(k, sigma).0,
        };
        let l = (x[a] - x[b]).length();
        for i in [a, b] {
            // An inextensible spring counts in contact as this, and nowhere else by its stiffness.
            let k = if k.is_finite() { k } else { f.mass(i) / (h * h) };
            let load = &mut loads[i];
            load.force += k * (l + r) + c * (v[a].length() + v[b].length());
            load.stiffness += k + c / h;
            // The Hessian across a compressed spring is k (1 - r / l); both ends' share is in the row sum.
            load.excess = load.excess.max(if l > 1e-6 * r { (1.0 - r / l).abs() + 1.0 } else { 1.0 });
        }
    }
    for (load, majorant) in loads.iter_mut().zip(reference::local_global::bending_majorant(f.model)) {
        (load.bending, load.bending_row) = (majorant, 3.0 * majorant);
    }
    f.model.for_each_bending_stencil(|nodes, coefficients| {
        let each = || nodes.iter().map(|&n| n as usize).zip(coefficients);
        for (i, c_i) in each() {
            // With D half of the sum of |Q_ij|, the row of D - Q adds up to 3 D - 2 Q_ii.
            loads[i].bending_row -= 2.0 * c_i * c_i;
            loads[i].force += each().map(|(j, c_j)| (c_i * c_j).abs() * (x[i] - x[j]).length()).sum::<f64>();
        }
    });
    for pull in f.pulls {
        let load = &mut loads[pull.node as usize];
        load.force += pull.stiffness * (x[pull.node as usize].length() + pull.target.length());
        load.stiffness += pull.stiffness;
    }
    if f.settings.has_air() {
        let wind = f.settings.wind.as_dvec3();
        for &triangle in f.model.triangles() {
            let block = f.air_block(triangle, x, v);
            let size = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
            for node in triangle.map(|n| n as usize) {
                loads[node].force += size * (v[node].length() + wind.length());
                loads[node].stiffness += size / h;
            }
        }
    }
    loads
}
