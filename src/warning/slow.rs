//! Bodies that are too stiff for the step of the default solver.

use super::{Warning, digits};
use crate::hierarchy;
use crate::method::Stability;
use crate::model::{Model, Multipliers};
use crate::settings::{CG_STEPS, MAX_SUBSTEPS, Settings};

/// Warns of bodies that `newton-multigrid` moves in slow motion: stiff meshes of triangles, whose springs have no
/// multipliers. Of a batch those of the first copy.
pub(super) fn of(model: &Model, settings: &Settings) -> Vec<Warning> {
    let Ok(substeps) = Stability::of(model, settings).substeps(settings) else { return Vec::new() };
    if !settings.solver.holds_limits() {
        return Vec::new();
    }
    let h = f64::from(settings.step.frame_time) / f64::from(substeps);
    let bodies = model.bodies().len() / model.copies() as usize;
    let warning = |(body, times): (usize, u32)| {
        let enough = substeps.saturating_mul(times);
        let cure = match enough <= MAX_SUBSTEPS {
            true => format!("take substeps = {enough}, or a lower stiffness"),
            false => "take a lower stiffness".to_owned(),
        };
        let text = format!(
            "its springs are so stiff for steps of {} s that {} bends it in slow motion: it falls over edges, folds and swings as if something held it up; \
             {cure}",
            digits(h),
            settings.solver
        );
        Warning { body: Some(model.bodies()[body].name.clone()), key: "substeps", text }
    };
    let true_matrix = settings.get(CG_STEPS).is_none() && hierarchy::is_hard(model);
    Multipliers::slow(model, h, true_matrix)
        .into_iter()
        .filter(|(body, _)| *body < bodies)
        .map(warning)
        .collect()
}
