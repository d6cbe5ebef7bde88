//! Warnings about probable mistakes in a scene, which every command shows once.

use std::path::Path;

use taffeta::contact::Report;
use taffeta::scene::Scene;
use taffeta::simulation::Simulation;
use taffeta::warning::{self, Warning};

/// Shows the warnings of the scene at `path`, a line each.
pub fn show(scene: &Scene, path: &Path) {
    show_all(&scene.warnings, path);
}

/// Those of a run that has ended, in which pairs touch at the end or not.
pub fn of_run(simulation: &Simulation, contact: Option<Report>, touches: bool) -> Vec<Warning> {
    let Some(guard) = contact else { return Vec::new() };
    let (model, settings) = (simulation.model(), simulation.settings());
    let frame = f64::from(settings.step.frame_time);
    let taken = simulation.substeps_taken();
    let step = taken.map_or(simulation.step_length().into(), |taken| frame / taken.mean.max(1.0));
    warning::contact(model, settings, step, guard.share(), guard.cut > 0 || touches)
}

/// Shows warnings of the scene at `path`, a line each.
pub fn show_all(warnings: &[Warning], path: &Path) {
    warnings.iter().for_each(|warning| log::warn!("{}: {warning}", path.display()));
}
