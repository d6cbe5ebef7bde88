//! Warnings about probable mistakes in a scene, which every command shows once.

use std::path::Path;

use taffeta::scene::Scene;

/// Shows the warnings of the scene at `path`, a line each.
pub fn show(scene: &Scene, path: &Path) {
    scene.warnings.iter().for_each(|warning| log::warn!("{}: {warning}", path.display()));
}
