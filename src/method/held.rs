//! Which solvers keep the length of inextensible springs, and limits of stretch.

use crate::model::{BodyRange, Model};
use crate::settings::SolverKind;

/// A solver that cannot take a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotHeld {
    /// It does not keep the length of springs.
    #[error(
        "{}: {count} springs are inextensible (stiffness = inf), and {solver} cannot keep their length. Choose solver = {}, \
         or give a finite stiffness",
        .body.as_ref().map_or("[[attach]]".into(), |name| format!("body '{name}'")),
        SolverKind::names(|one| one.holds_lengths())
    )]
    Length {
        /// The solver.
        solver: SolverKind,
        /// The first body that has such springs; none where only attachments are.
        body: Option<String>,
        /// How many it has.
        count: usize,
    },
    /// It does not keep a limit of stretch.
    #[error(
        "body '{body}': it has a strain-limit, and {solver} cannot keep it. Choose solver = {}, or take the limit away",
        SolverKind::names(|one| one.holds_limits())
    )]
    Limit {
        /// The solver.
        solver: SolverKind,
        /// The first body that has one.
        body: String,
    },
}

/// That `solver` keeps the length of springs of `model` that are inextensible, and its limits of stretch.
pub fn check_held(model: &Model, solver: SolverKind) -> Result<(), NotHeld> {
    if let Some(body) = model.bodies().iter().find(|body| body.strain_limit.is_some())
        && !solver.holds_limits()
    {
        return Err(NotHeld::Limit { solver, body: body.name.clone() });
    }
    if solver.holds_lengths() || !model.has_inextensible() {
        return Ok(());
    }
    let of_body = |body: &BodyRange| {
        let springs = &model.springs()[body.springs.clone()];
        let count = springs.iter().filter(|s| s.is_inextensible()).count();
        (count > 0).then(|| (Some(body.name.clone()), count))
    };
    let attached = || (None, model.attachments().filter(|s| s.is_inextensible()).count());
    let (body, count) = model.bodies().iter().find_map(of_body).unwrap_or_else(attached);
    Err(NotHeld::Length { solver, body, count })
}
