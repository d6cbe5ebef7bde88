//! Warnings about probable mistakes in a scene, which every command shows once.

use std::path::Path;

use taffeta::scene::Scene;
use taffeta::warning::Warning;

/// Shows the warnings of the scene at `path`, a line each.
pub fn show(scene: &Scene, path: &Path) {
    show_all(&scene.warnings, path);
}

/// Shows warnings of the scene at `path`, a line each.
pub fn show_all(warnings: &[Warning], path: &Path) {
    warnings.iter().for_each(|warning| log::warn!("{}: {warning}", path.display()));
}
