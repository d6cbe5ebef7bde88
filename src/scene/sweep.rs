//! The sweep file: which keys of a scene vary from copy to copy of a batch, and how. `docs/batches.md` describes it.

mod read;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;
use rayon::prelude::*;

use super::parameter::Parameter;
use super::table::Source;
use super::vary::{Spec, stream, unit};
use super::{Scene, read_file};
use crate::Error;
use crate::model::{MAX_NODES, Stack};
use crate::warning;

/// Copies that are built in parallel before they join the batch: enough for all threads, few enough to take little
/// extra memory.
const AT_ONCE: u32 = 64;

/// A scene and what varies in it.
#[derive(Clone, Debug)]
pub struct Sweep {
    scene_path: PathBuf,
    scene_text: String,
    path: PathBuf,
    text: String,
    copies: u32,
    seed: u64,
    /// Whether copies go through all combinations of the lists, instead of one step in each list per copy.
    product: bool,
    jitter: Jitter,
    keys: Vec<Key>,
    /// Byte of `[vary]` in the sweep file.
    at: usize,
}

/// A key that varies.
#[derive(Clone, Debug)]
struct Key {
    /// Its path in the scene, with dots.
    name: String,
    spec: Spec,
    /// Range of its value in the scene's text.
    place: Range<usize>,
    /// Byte of its values in the sweep file.
    at: usize,
}

/// Largest random change of each component of each free node's start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Jitter {
    /// [m]
    position: f32,
    /// [m/s]
    velocity: f32,
}

impl Sweep {
    /// Reads a sweep file for the scene file at `scene`. The scene itself must be valid.
    pub fn load(scene: impl AsRef<Path>, sweep: impl AsRef<Path>) -> Result<Self, Error> {
        let (scene, sweep) = (scene.as_ref(), sweep.as_ref());
        Self::parse(&read_file(scene)?, scene, &read_file(sweep)?, sweep)
    }

    /// Reads a sweep from texts. Paths are for messages; files that the scene names are relative to the scene's path.
    pub fn parse(
        scene: &str,
        scene_path: impl AsRef<Path>,
        sweep: &str,
        sweep_path: impl AsRef<Path>,
    ) -> Result<Self, Error> {
        let (scene_path, sweep_path) = (scene_path.as_ref(), sweep_path.as_ref());
        let nodes = Scene::parse(scene, scene_path)?.model.node_count();
        let read = read::read(scene, scene_path, sweep, sweep_path)?;
        if nodes.saturating_mul(read.copies as usize) > MAX_NODES {
            let most = MAX_NODES / nodes;
            let message = format!("copies = {}: at most {most} copies of {nodes} nodes", read.copies);
            return Err(Source { path: sweep_path, text: sweep }.error(read.copies_at, message));
        }
        Ok(Self {
            scene_path: scene_path.to_owned(),
            scene_text: scene.to_owned(),
            path: sweep_path.to_owned(),
            text: sweep.to_owned(),
            copies: read.copies,
            seed: read.seed,
            product: read.product,
            jitter: read.jitter,
            keys: read.keys,
            at: read.vary_at,
        })
    }

    /// Number of copies.
    pub fn copies(&self) -> u32 {
        self.copies
    }

    /// The keys that vary, as paths into the scene, in the order of the sweep file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| key.name.as_str())
    }

    /// The values of the keys in copy `copy`.
    pub fn parameters(&self, copy: u32) -> Vec<Parameter> {
        // The last list varies fastest.
        let mut turns = vec![copy as usize; self.keys.len()];
        if self.product {
            let mut rest = copy as usize;
            for (turn, key) in turns.iter_mut().zip(&self.keys).rev() {
                let length = key.spec.length().unwrap_or(1);
                (*turn, rest) = (rest % length, rest / length);
            }
        }
        let value = |(key, turn): (&Key, usize)| {
            key.spec.value(copy, self.copies, turn, stream(self.seed, &key.name))
        };
        self.keys.iter().zip(turns).map(value).collect()
    }

    /// The scene of one copy alone.
    pub fn scene(&self, copy: u32) -> Result<Scene, Error> {
        let values = self.parameters(copy);
        let mut edits: Vec<(&Key, String)> =
            self.keys.iter().zip(&values).map(|(key, value)| (key, value.to_toml())).collect();
        edits.sort_by_key(|(key, _)| key.place.start);
        let mut text = String::with_capacity(self.scene_text.len());
        let mut end = 0;
        for (key, value) in &edits {
            text.push_str(&self.scene_text[end..key.place.start]);
            text.push_str(value);
            // Keep the line feeds, so that messages name the right lines.
            let lines = self.scene_text[key.place.clone()].matches('\n').count();
            text.extend(std::iter::repeat_n('\n', lines).filter(|_| !self.is_inline(key)));
            end = key.place.end;
        }
        text.push_str(&self.scene_text[end..]);
        let mut scene = Scene::parse(&text, &self.scene_path).map_err(|e| self.blame(copy, &values, &e))?;
        self.disturb(copy, &mut scene);
        Ok(scene)
    }

    /// All copies as one scene, whose model and settings are a batch.
    pub fn batch(&self) -> Result<Scene, Error> {
        self.batch_with(&|_| {})
    }

    /// Like `batch`; `built` is called after each copy, from any thread, with the number of copies so far.
    pub fn batch_with(&self, built: &(dyn Fn(u32) + Sync)) -> Result<Scene, Error> {
        self.stack(self.copies, built)
    }

    /// Only the first copies, at least one, from which the requirements of all copies can be estimated.
    pub fn first(&self, copies: u32) -> Result<Scene, Error> {
        self.stack(copies.clamp(1, self.copies), &|_| {})
    }

    fn stack(&self, copies: u32, built: &(dyn Fn(u32) + Sync)) -> Result<Scene, Error> {
        let count = AtomicU32::new(0);
        let build = |copy| {
            let scene = self.scene(copy);
            built(1 + count.fetch_add(1, Ordering::Relaxed));
            scene
        };
        let failed = |e| self.error(self.at, format!("[vary]: {e}"));
        let mut whole = build(0)?;
        let mut surroundings = vec![whole.settings.world];
        let mut warnings = vec![whole.warnings];
        let mut stack = Stack::new(whole.model, copies as usize).map_err(failed)?;
        for first in (1..copies).step_by(AT_ONCE as usize) {
            let some = first..copies.min(first.saturating_add(AT_ONCE));
            let scenes: Vec<_> = some.into_par_iter().map(build).collect();
            // The error of the first copy, whichever thread found an error first.
            for scene in scenes {
                let scene = scene?;
                surroundings.push(scene.settings.world);
                warnings.push(scene.warnings);
                stack.push(scene.model).map_err(failed)?;
            }
        }
        whole.model = stack.finish();
        whole.warnings = warning::merge(warnings);
        if surroundings.iter().any(|s| *s != surroundings[0]) {
            whole.settings.copies = surroundings;
        }
        Ok(whole)
    }

    fn disturb(&self, copy: u32, scene: &mut Scene) {
        if self.jitter == Jitter::default() {
            return;
        }
        let streams = ["jitter.position", "jitter.velocity"].map(|name| stream(self.seed, name));
        let planar = scene.settings.step.planar;
        let vector = |stream, node: u32, most: f32| {
            let component = |k| most * (2.0 * unit(stream, copy, 3 * node + k) - 1.0) as f32;
            Vec3::new(component(0), component(1), if planar { 0.0 } else { component(2) })
        };
        scene.model.disturb(|i| {
            [vector(streams[0], i, self.jitter.position), vector(streams[1], i, self.jitter.velocity)]
        });
    }

    /// Whether the line continues after the value, so that no line feeds may be inserted there.
    fn is_inline(&self, key: &Key) -> bool {
        let behind = self.scene_text[key.place.end..].lines().next().unwrap_or("").trim_start();
        !behind.is_empty() && !behind.starts_with('#')
    }

    /// Turns an error of a copy's scene into an error of the sweep, at the key at fault if that is known.
    fn blame(&self, copy: u32, values: &[Parameter], error: &Error) -> Error {
        let line_of = |key: &Key| 1 + self.scene_text[..key.place.start].matches('\n').count();
        let here = |key: &Key| matches!(error, Error::File { line: Some(line), .. } if *line == line_of(key));
        let guilty = self.keys.iter().zip(values).filter(|(key, _)| here(key));
        let mut told: Vec<(&Key, &Parameter)> = guilty.collect();
        if told.is_empty() {
            told = self.keys.iter().zip(values).collect();
        }
        let list: Vec<String> =
            told.iter().map(|(key, value)| format!("{} = {}", key.name, value.to_toml())).collect();
        let at = told.first().map_or(self.at, |(key, _)| key.at);
        self.error(at, format!("copy {copy} ({}): {error}", list.join(", ")))
    }

    fn error(&self, at: usize, message: String) -> Error {
        Source { path: &self.path, text: &self.text }.error(at, message)
    }
}

#[cfg(test)]
mod tests;
