//! Contact with a solver that only has the guard, or whose friction needs many iterations.

use super::Warning;
use crate::method::{Stability, Touch, touch};
use crate::model::Model;
use crate::settings::{LINEAR_SOLVER, LinearSolver, Settings, SolverKind};

/// What surfaces that meet have held back, as a part of all nodes in all substeps, is well below: .001 % at most in any of `scenes/contact/`.
const MUCH: f64 = 0.05;
/// The same where the guard alone holds up what lies on something.
const MUCH_ALONE: f64 = 0.5;

/// Warns where the guard held back so much that the motion is no longer that of the scene. It may hide that a method is not stable.
pub(super) fn held(settings: &Settings, share: f64) -> Option<Warning> {
    let much = if settings.solver.touch(settings) == Touch::Guard { MUCH_ALONE } else { MUCH };
    (share > much).then(|| {
        let text = format!(
            "contact: the guard held back {:.0} % of the nodes in each substep, on average. The step is \
             too long for the motion, or the method is not stable with it, and what has been simulated is not the scene. Take more \
             substeps; contact = false shows whether it is stable",
            100.0 * share
        );
        Warning { body: None, key: "substeps", text }
    })
}

/// Warns where the solver has no forces for contact, where friction does not take hold, or where cloth is too soft for it.
pub(super) fn of(model: &Model, settings: &Settings, stability: &Stability, step: f64) -> Option<Warning> {
    let text = match touch(model, settings)? {
        Touch::Guard => without_forces(settings),
        _ if settings.solver.softens() && settings.linear_solver() == LinearSolver::Jacobi => soft(settings),
        _ => sliding(model, settings, stability, step)?,
    };
    Some(Warning { body: None, key: "contact", text })
}

fn soft(settings: &Settings) -> String {
    format!(
        "contact: {} with all springs at once leaves cloth so soft that folds which touch may knot, and be torn out of shape for good; \
         linear-solver = \"gauss-seidel\" with iterations = 4 does not",
        settings.solver
    )
}

fn without_forces(settings: &Settings) -> String {
    let solver = match settings.solver.linear_solvers() {
        [] | [_] => settings.solver.to_string(),
        _ => format!("{} with {}", settings.solver, settings.linear_solver()),
    };
    format!(
        "contact: {solver} has no force between surfaces. Nothing crosses, but layers come as near as the guard lets them, and \
         what it holds back loses its motion. Solvers with forces: {}",
        others(settings, |_| true)
    )
}

/// Solvers that have forces between surfaces, of those for which `is_so` holds.
fn others(settings: &Settings, is_so: impl Fn(SolverKind) -> bool) -> String {
    let of = |one| settings.with_solver(one).with(LINEAR_SOLVER, None);
    SolverKind::names(|one| one.touch(&of(one)) != Touch::Guard && is_so(one))
}

/// Springs may be so many times stiffer for a substep than what holds a node to its place, for each iteration: then a sheet on a slope below the
/// limit of friction stops after some millimeters. With three times as many it creeps for good.
const STICKS: f64 = 10.0;

/// Where iterations are too few for friction to hold cloth as a whole: springs hold each node to where its neighbors slide.
fn sliding(model: &Model, settings: &Settings, stability: &Stability, step: f64) -> Option<String> {
    let solver = settings.solver;
    let rubs = model.bodies().iter().any(|body| body.touches() && body.layer.friction > 0.0);
    if !solver.slides_until_converged() || !rubs {
        return None;
    }
    // How much stiffer springs are than what holds a node to its place.
    let stiffer = (0.5 * step * step * stability.omega_squared).ceil();
    let enough = (stiffer / STICKS).ceil();
    let iterations = settings.iterations();
    (f64::from(iterations) < enough).then(|| {
        let others = others(settings, |one| !one.slides_until_converged());
        format!(
            "contact: friction between surfaces takes hold in {solver} only with about {enough} iterations, not {iterations}: springs are {stiffer} \
             times stiffer for a substep than what holds a node to its place, and cloth slides where it should stick. Take more \
             substeps, or another solver: {others}"
        )
    })
}
