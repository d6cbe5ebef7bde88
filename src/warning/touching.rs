//! Contact with a solver that only has the guard, or whose friction needs many iterations.

use super::Warning;
use crate::method::{Stability, Touch};
use crate::model::Model;
use crate::settings::{Settings, SolverKind};

/// Warns where contact is on and the solver has no forces for it, or where friction does not take hold.
pub(super) fn of(model: &Model, settings: &Settings) -> Option<Warning> {
    if !settings.step.contact || model.triangles().is_empty() {
        return None;
    }
    let text = if settings.solver.touch() == Touch::Guard {
        without_forces(settings.solver)
    } else {
        sliding(model, settings)?
    };
    Some(Warning { body: None, key: "contact", text })
}

fn without_forces(solver: SolverKind) -> String {
    let others = SolverKind::names(|one| one.touch() != Touch::Guard);
    format!(
        "contact: {solver} has no force between surfaces yet. Nothing crosses, but layers come as near as the guard lets them, and \
         what it holds back loses its motion. Solvers with forces: {others}"
    )
}

/// Where iterations are too few for friction to hold cloth as a whole: springs hold each node where the substep began to take it.
fn sliding(model: &Model, settings: &Settings) -> Option<String> {
    let solver = settings.solver;
    let rubs = model.bodies().iter().any(|body| body.layer.touches && body.layer.friction > 0.0);
    if !solver.slides_until_converged() || !rubs {
        return None;
    }
    let stability = Stability::of(model, settings);
    let h = f64::from(settings.step.frame_time) / f64::from(stability.substeps(settings).ok()?);
    // How much stiffer springs are than what holds a node to its place.
    let enough = (0.5 * h * h * stability.omega_squared).ceil();
    let iterations = settings.iterations();
    (f64::from(iterations) < enough).then(|| {
        let others =
            SolverKind::names(|one| one.touch() != Touch::Guard && !one.slides_until_converged());
        format!(
            "contact: friction between surfaces takes hold in {solver} only after about {enough} iterations, not {iterations}: springs are \
             that many times stiffer for a substep than what holds a node to its place, and cloth slides where it should stick. Take more \
             substeps, or another solver: {others}"
        )
    })
}
