//! What is given and does nothing.

use glam::Vec3;

use super::Warning;
use crate::model::Model;
use crate::settings::Settings;

/// Settings that the solver has no use for.
pub(super) fn settings(settings: &Settings) -> impl Iterator<Item = Warning> {
    let warning =
        |key| Warning { body: None, key, text: format!("{} has no use for {key}", settings.solver) };
    settings.idle().into_iter().map(warning)
}

/// Air that nothing feels.
pub(super) fn air(model: &Model, settings: &Settings) -> Option<Warning> {
    let told = |text: &str| Some(Warning { body: None, key: "air", text: text.to_owned() });
    match settings.has_air() {
        false if settings.world.wind == Vec3::ZERO => None,
        false => told("wind does nothing without air; add air = { density = 1.2 } to [world]"),
        true if !model.triangles().is_empty() => None,
        true => told("air does nothing here: it acts on triangles, and no body has any"),
    }
}
