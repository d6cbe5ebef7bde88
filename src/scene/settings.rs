//! `[simulation]` and `[world]`: the settings of a run.

use std::path::Path;

use super::table::{Table, Value};
use super::user_force;
use crate::Error;
use crate::settings::key::{Given, Kind, Spec};
use crate::settings::{self, Air, Settings};

/// The key of the duration, which belongs to the scene, not to the settings.
const SECONDS: &str = "seconds";
/// Keys of the user's own force, which are read separately.
const USER_FORCE: [&str; 2] = ["user-force", "user-force-file"];

/// Default duration of a run \[s\].
const DEFAULT_SECONDS: f64 = 5.0;
/// Longest run \[s\]: frames must be countable.
const MOST_SECONDS: f64 = 1e6;

/// Keys of `[simulation]`.
pub(super) fn simulation_keys() -> Vec<&'static str> {
    settings::simulation().iter().map(|spec| spec.name).chain([SECONDS]).collect()
}

/// Keys of `[world]`.
pub(super) fn world_keys() -> Vec<&'static str> {
    settings::world().iter().map(|spec| spec.name).chain(USER_FORCE).collect()
}

/// Lines (from one) of the keys of `[simulation]`, and of bodies by name, for errors that are found after a scene has
/// been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    keys: Vec<(&'static str, usize)>,
    bodies: Vec<(String, usize)>,
}

impl Lines {
    pub(super) fn of(simulation: Option<&Table>) -> Self {
        let line = |table: &Table, key| table.line_of(key).map(|line| (key, line));
        let keys = simulation
            .into_iter()
            .flat_map(|table| simulation_keys().into_iter().filter_map(|key| line(table, key)));
        Self { keys: keys.collect(), bodies: Vec::new() }
    }

    pub(super) fn add_body(&mut self, name: &str, line: usize) {
        self.bodies.push((name.to_owned(), line));
    }

    /// The line of the first of these keys that is present.
    pub fn key(&self, keys: &[&str]) -> Option<usize> {
        keys.iter().find_map(|key| self.keys.iter().find(|found| found.0 == *key)).map(|found| found.1)
    }

    /// The line in which a body begins.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().find(|found| found.0 == name).map(|found| found.1)
    }
}

/// Settings, and the duration of a run \[s\]. Paths of files are relative to `folder`.
pub(super) fn read(
    simulation: Option<&Table>,
    world: Option<&Table>,
    folder: &Path,
) -> Result<(Settings, f64), Error> {
    let mut settings = Settings::default();
    let mut seconds = DEFAULT_SECONDS;
    if let Some(table) = simulation {
        seconds = table.read(SECONDS, duration)?.unwrap_or(DEFAULT_SECONDS);
        read_keys(table, &settings::simulation(), &mut settings)?;
    }
    if let Some(table) = world {
        read_keys(table, settings::world(), &mut settings)?;
        settings.user_force = user_force::read(table, folder)?;
    }
    settings.check().map_err(|e| {
        // The key in the scene is the last part of "air.density", or the last factor of "iterations * sweeps".
        let key = e.key.rsplit(['.', ' ']).next().unwrap_or(&e.key);
        let table = if simulation_keys().contains(&key) { simulation } else { world };
        table.map_or_else(|| e.clone().into(), |table| table.error_at(key, e.to_string()))
    })?;
    Ok((settings, seconds))
}

fn duration(value: Value) -> Result<f64, Error> {
    let seconds = value.number()?;
    if seconds > 0.0 && seconds <= MOST_SECONDS {
        return Ok(seconds);
    }
    Err(value.wrong(format!("it must be above 0 and at most {MOST_SECONDS} s")))
}

fn read_keys(table: &Table, keys: &[&'static Spec], settings: &mut Settings) -> Result<(), Error> {
    for spec in keys {
        if let Some(given) = table.read(spec.name, |value| given(&spec.kind, &value))? {
            settings.put(spec, Some(given));
        }
    }
    Ok(())
}

/// Reads a value of a kind; its range is checked later, with all settings.
fn given(kind: &Kind, value: &Value) -> Result<Given, Error> {
    let wrong = |_| value.wrong(format!("it must be {}", kind.range()));
    let word = |words: &[&'static str]| {
        let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
        value.word(&words).map(Given::Word)
    };
    match kind {
        Kind::Count { words: [], .. } => value.count().map(Given::Count),
        Kind::Number { words: [], .. } => {
            let allowed = format!("it must be a finite number; allowed: {}", kind.range());
            value.number().map_err(|_| value.wrong(allowed))?;
            value.f32().map(Given::Number)
        }
        Kind::Count { words, .. } | Kind::Number { words, .. } if value.is_text() => {
            word(words).map_err(wrong)
        }
        Kind::Count { .. } => value.count().map(Given::Count).map_err(wrong),
        Kind::Number { .. } => value.f32().map(Given::Number).map_err(wrong),
        Kind::Flag => value.flag().map(Given::Flag),
        Kind::Words(words) => word(&words().iter().map(|(word, _)| *word).collect::<Vec<_>>()),
        Kind::Vector => value.vec3().map(Given::Vector),
        Kind::Air => air(value).map(Given::Air),
    }
}

fn air(value: &Value) -> Result<Air, Error> {
    let table = value.table(&[&["density", "normal", "tangential"]])?;
    Ok(Air {
        density: table.need("density", |v| v.f32())?,
        normal: table.read("normal", |v| v.f32())?.unwrap_or(Air::NONE.normal),
        tangential: table.read("tangential", |v| v.f32())?.unwrap_or(Air::NONE.tangential),
    })
}
