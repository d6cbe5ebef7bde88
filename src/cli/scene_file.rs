//! Reads the scene of a command, after a check that the file can be a scene at all.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use taffeta::scene::Scene;

use super::failure::Failure;

/// Reads the scene at `path`. A file that is not a scene gives one clear message.
pub fn load(path: &Path) -> Result<Scene, Failure> {
    if let Some(mistake) = mistake(path) {
        return Err(Failure::input(path.display(), mistake));
    }
    Ok(Scene::load(path)?)
}

/// Whether the beginning of the file is text: arrays of numbers and programs contain zero bytes.
fn is_text(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_err() || !start.contains(&0)
}

/// What is wrong with the file as a whole, if anything.
fn mistake(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?; // the scene's own message says why it cannot be read
    if metadata.is_dir() {
        return Some("it is a directory; name a scene file (.toml) in it".into());
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let how = match extension.as_str() {
        "obj" => "a scene uses a mesh by a [[body]] with shape = \"mesh\" and file = \"NAME.obj\"",
        "npz" => "a scene uses a network by a [[body]] with shape = \"network\" and file = \"NAME.npz\"",
        "npy" => "a scene uses an array of positions by positions = \"NAME.npy\" in a [[body]]",
        "ply" | "png" | "json" | "yaml" | "yml" | "gltf" | "glb" | "stl" => "see docs/scene-file.md",
        _ if metadata.is_file() && metadata.len() == 0 => {
            return Some(
                "the file is empty; a scene needs at least one [[body]], see docs/scene-file.md".into(),
            );
        }
        _ if metadata.is_file() && !is_text(path) => {
            return Some("it is a binary file; a scene is text in TOML, see docs/scene-file.md".into());
        }
        _ => return None,
    };
    Some(format!("a .{extension} file is no scene; a scene is a .toml file: {how}"))
}
