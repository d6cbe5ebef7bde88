//! Warnings about probable mistakes in a scene, which every command shows once.

use std::path::Path;

use taffeta::contact::Report;
use taffeta::method::Convergence;
use taffeta::scene::Scene;
use taffeta::simulation::{Outcome, Simulation};
use taffeta::warning::{self, Warning};

/// Shows the warnings of the scene at `path`, a line each.
pub fn show(scene: &Scene, path: &Path) {
    show_all(&scene.warnings, path);
}

/// Those of a run that has ended, in which pairs touch at the end or not.
pub fn of_run(
    simulation: &Simulation,
    contact: Option<Report>,
    touches: bool,
    outcomes: &[Outcome],
    convergence: &[Convergence],
) -> Vec<Warning> {
    let mut found = contact.map_or_else(Vec::new, |guard| simulation.warnings_of_contact(&guard, touches));
    let sound = || outcomes.iter().enumerate().filter(|(_, outcome)| outcome.failure.is_none());
    let peaks = || sound().map(|(_, outcome)| outcome.peak);
    if let Some(peak) = peaks().max_by(|a, b| a.stretch.total_cmp(&b.stretch)) {
        let count = peaks().filter(|peak| warning::is_torn(peak.stretch)).count();
        let copies = (outcomes.len() > 1).then_some(count);
        found.extend(warning::torn(peak.stretch, simulation.time_of(&peak), copies));
    }
    let of_sound: Vec<_> = sound().filter_map(|(copy, _)| convergence.get(copy).copied()).collect();
    found.extend(warning::unconverged(simulation.settings(), &of_sound, outcomes.len() as u32));
    found
}

/// Shows warnings of the scene at `path`, a line each.
pub fn show_all(warnings: &[Warning], path: &Path) {
    warnings.iter().for_each(|warning| log::warn!("{}: {warning}", path.display()));
}
