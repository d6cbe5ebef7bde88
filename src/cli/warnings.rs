//! Warnings about probable mistakes in a scene, which every command shows once.

use std::path::Path;

use taffeta::contact::Report;
use taffeta::scene::Scene;
use taffeta::simulation::Simulation;
use taffeta::warning::Warning;

/// Shows the warnings of the scene at `path`, a line each.
pub fn show(scene: &Scene, path: &Path) {
    show_all(&scene.warnings, path);
}

/// Those of a run that has ended, in which pairs touch at the end or not.
pub fn of_run(simulation: &Simulation, contact: Option<Report>, touches: bool) -> Vec<Warning> {
    contact.map_or_else(Vec::new, |guard| simulation.warnings_of_contact(&guard, touches))
}

/// Shows warnings of the scene at `path`, a line each.
pub fn show_all(warnings: &[Warning], path: &Path) {
    warnings.iter().for_each(|warning| log::warn!("{}: {warning}", path.display()));
}
