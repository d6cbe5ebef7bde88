//! What is given and does nothing.

use glam::Vec3;

use super::Warning;
use crate::model::{Layer, Model};
use crate::settings::Settings;

/// Settings that the solver has no use for.
pub(super) fn settings(settings: &Settings) -> impl Iterator<Item = Warning> {
    let warning =
        |key| Warning { body: None, key, text: format!("{} has no use for {key}", settings.solver) };
    settings.idle().into_iter().map(warning)
}

/// Keys of a surface on bodies without one; of a batch those of the first copy.
pub(super) fn layers(model: &Model) -> Vec<Warning> {
    let bodies = &model.bodies()[..model.bodies().len() / model.copies() as usize];
    let mut found = Vec::new();
    for body in bodies.iter().filter(|body| body.triangles.is_empty()) {
        let keys = [
            ("thickness", body.layer.thickness.is_some()),
            ("friction", body.layer.friction != Layer::default().friction),
        ];
        for (key, _) in keys.into_iter().filter(|(_, is_given)| *is_given) {
            let text = format!(
                "{key} does nothing: it is of surfaces that touch, and the body has no triangles; with a collider that of \
                 [[collider]] counts"
            );
            found.push(Warning { body: Some(body.name.clone()), key, text });
        }
    }
    found
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
