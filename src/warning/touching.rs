//! Contact with a solver that only has the guard.

use super::Warning;
use crate::method::Touch;
use crate::model::Model;
use crate::settings::{Settings, SolverKind};

/// Warns where contact is on and the solver has no forces for it.
pub(super) fn of(model: &Model, settings: &Settings) -> Option<Warning> {
    let solver = settings.solver;
    let lacks = settings.step.contact && !model.triangles().is_empty() && solver.touch() == Touch::Guard;
    let others = SolverKind::names(|one| one.touch() != Touch::Guard);
    let text = format!(
        "contact: {solver} has no force between surfaces yet. Nothing crosses, but layers come as near as the guard lets them, and \
         what it holds back loses its motion. Solvers with forces: {others}"
    );
    lacks.then_some(Warning { body: None, key: "contact", text })
}
