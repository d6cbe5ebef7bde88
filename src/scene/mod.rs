//! Reads a scene file, TOML in SI units as described in `docs/scene-file.md`, into a model and settings.

mod attach;
mod body;
mod camera;
mod collider;
mod hold;
mod material;
mod parameter;
mod planar;
mod select;
mod settings;
mod sweep;
mod table;
mod user_force;
mod vary;

use std::fmt::Write;
use std::path::Path;

use glam::Vec3;
use toml::de::DeTable;

pub use camera::{CameraSpec, ProjectionSpec};
pub use parameter::Parameter;
pub use settings::Lines;
pub use sweep::Sweep;

use crate::Error;
use crate::io;
use crate::model::{
    Body, Collider, Load, Model, ModelBuilder, ModelError, Path as Motion, ScriptedHandle, extent,
};
use crate::settings::Settings;
use crate::warning::{self, SizedBy, Warning};
use table::{Source, Table, Value};

/// Largest scene file [bytes]: large arrays belong in .npy and .npz files.
const MAX_BYTES: u64 = 64 << 20;

/// The text of a scene or sweep file.
fn read_file(path: &Path) -> Result<String, Error> {
    io::read_text(path, MAX_BYTES, "a scene is text in TOML, see docs/scene-file.md")
        .map_err(|message| Error::file(path, message))
}

/// The checked content of a scene file.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name; the name of the file by default.
    pub name: String,
    /// The model.
    pub model: Model,
    /// The settings.
    pub settings: Settings,
    /// Duration of a run \[s\].
    pub seconds: f64,
    /// The view, if the scene gives one.
    pub camera: Option<CameraSpec>,
    /// One line for each body: shape, sizes, pins.
    pub summary: String,
    /// The lines of keys and bodies in the file.
    pub lines: Lines,
    /// Probable mistakes in bodies, colliders, attachments and air; [`warning::method`] knows the settings.
    pub warnings: Vec<Warning>,
}

impl Scene {
    /// Reads the scene file at `path`.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::parse(&read_file(path)?, path)
    }

    /// Reads a scene from `text`. `path` is for messages; files that the scene names are relative
    /// to its directory.
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Self, Error> {
        let source = Source { path: path.as_ref(), text };
        let document = DeTable::parse(text).map_err(|e| {
            let at = e.span().map_or(0, |span| span.start);
            source.error(at, format!("not valid TOML: {}", e.message().replace('\n', "; ")))
        })?;
        let keys: &[&str] = &["name", "simulation", "world", "camera", "collider", "body", "attach"];
        let top = Table::new(&source, "scene", document.get_ref(), 0, &[keys])?;
        let section = |key: &'static str, keys: &[&'static str]| {
            top.read(key, |v| v.named(format!("[{key}]")).table(&[keys]))
        };
        let simulation = section("simulation", &settings::simulation_keys())?;
        let world = section("world", &settings::world_keys())?;
        let folder = source.path.parent().unwrap_or(Path::new(""));
        let (settings, seconds) = settings::read(simulation.as_ref(), world.as_ref(), folder)?;
        let camera = section("camera", camera::KEYS)?.map(|t| camera::read(&t)).transpose()?;
        let stem = || source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = top.read("name", |v| v.label())?.map_or_else(stem, str::to_owned);
        let bodies = top.need("body", |v| v.tables("[[body]]"))?;
        let colliders = collider::read(&top, settings.step.planar)?;
        let mut lines = Lines::of(simulation.as_ref());
        let (model, summary, mut warnings) =
            build_model(&top, bodies, colliders, settings.step.planar, &mut lines)?;
        warnings.extend(warning::of_scene(&model, &settings));
        Ok(Self { name, model, settings, seconds, camera, summary, lines, warnings })
    }
}

/// A body with its pins, handles and forces; node indices are the body's.
struct Part<'a> {
    table: Table<'a>,
    shape: body::Shape,
    body: Body,
    sized_by: SizedBy,
    /// Positions of its nodes before `perturb`, for selections that are read later \[m\].
    unperturbed: Option<Vec<Vec3>>,
    pins: Vec<hold::Pin>,
    handles: Vec<ScriptedHandle>,
    loads: Vec<Load>,
}

fn build_model(
    scene: &Table,
    bodies: Vec<Value>,
    colliders: Vec<(Collider, Table)>,
    is_planar: bool,
    lines: &mut Lines,
) -> Result<(Model, String, Vec<Warning>), Error> {
    let mut summary = String::new();
    let parts = read_parts(scene, bodies, is_planar, &mut summary)?;
    let size_warning =
        |part: &Part| warning::of_body(&part.body.name, extent(&part.body.rest_position), part.sized_by);
    let warnings = parts.iter().filter_map(size_warning).collect();
    let attachments = attach::read(scene, &parts, &mut summary)?;
    let mut builder = ModelBuilder::new();
    let mut tables = Vec::new();
    for part in parts {
        lines.add_body(&part.body.name, part.table.line());
        tables.push((part.body.name.clone(), part.table));
        let first = builder.add(part.body).start;
        for pin in part.pins {
            let nodes = pin.nodes.into_iter().map(|n| n + first).collect();
            match (pin.path, pin.turn) {
                (None, None) => {}
                (Some(path), None) => _ = builder.pin_along(nodes, path),
                (path, Some(turn)) => {
                    builder.pin_turning(nodes, path.unwrap_or_else(Motion::still), turn);
                }
            }
        }
        for mut handle in part.handles {
            handle.nodes.iter_mut().for_each(|n| n.0 += first);
            builder.handle(handle);
        }
        for mut load in part.loads {
            load.nodes.iter_mut().for_each(|n| *n += first);
            builder.load(load);
        }
    }
    for spring in attachments {
        builder.attach(spring);
    }
    for (collider, _) in &colliders {
        builder.collide(collider.clone());
    }
    let model = builder.build().map_err(|e| {
        if let ModelError::Collider { index, what, value, allowed } = &e {
            return colliders[*index].1.error_at(what, format!("{what} = {value}: it must be {allowed}"));
        }
        let table_of = |body: &str| tables.iter().find(|(name, _)| name == body).map(|(_, table)| table);
        if let ModelError::Layer { body, key, value, allowed } = &e
            && let Some(table) = table_of(body)
        {
            return table.error_at(key, format!("{key} = {value}: {allowed}"));
        }
        let message = e.to_string();
        let at_fault = tables.iter().find(|(name, _)| message.starts_with(&format!("body '{name}': ")));
        at_fault
            .map_or_else(|| Error::file(scene.path(), message.clone()), |(_, table)| table.error(&message))
    })?;
    Ok((model, summary, warnings))
}

fn read_parts<'a>(
    scene: &Table,
    bodies: Vec<Value<'a>>,
    is_planar: bool,
    summary: &mut String,
) -> Result<Vec<Part<'a>>, Error> {
    let folder = scene.path().parent().unwrap_or(Path::new(""));
    let mut parts: Vec<Part> = Vec::new();
    let mut plane = None;
    for (index, value) in bodies.into_iter().enumerate() {
        let (shape, table) = body::open(value, index)?;
        let body::Read { mut body, sized_by, note } = body::read(shape, &table, folder)?;
        let is_taken = |name: &str| parts.iter().any(|part| part.body.name == name);
        if !table.has("name") && is_taken(&body.name) {
            body.name = format!("{} {}", body.name, index + 1);
        }
        if is_taken(&body.name) {
            let message = format!("name = \"{}\": another body has it; names must differ", body.name);
            return Err(table.error_at("name", message));
        }
        let pins = hold::pins(&table, shape, &body, is_planar)?;
        let handles = hold::handles(&table, shape, &body, is_planar)?;
        let loads = hold::forces(&table, shape, &body, is_planar)?;
        pins.iter().for_each(|pin| body.pinned.extend(&pin.nodes));
        body.pinned.sort_unstable();
        body.pinned.dedup();
        let unperturbed =
            table.has("perturb").then(|| body.position.as_ref().unwrap_or(&body.rest_position).clone());
        body::perturb(&table, &mut body, is_planar)?;
        if is_planar {
            planar::check(&table, shape, &body, &mut plane)?;
        }
        describe(summary, &body, note.as_deref(), &table);
        parts.push(Part { table, shape, body, sized_by, unperturbed, pins, handles, loads });
    }
    Ok(parts)
}

fn describe(summary: &mut String, body: &Body, note: Option<&str>, table: &table::Table<'_>) {
    let size = body.grid.as_ref().map_or(String::new(), |g| format!(" ({} x {})", g.columns, g.rows));
    let line = format!(
        "{}: {} nodes{size}, {} springs, {} triangles, {} pinned, {}",
        body.name,
        body.rest_position.len(),
        body.springs.len(),
        body.triangles.len(),
        body.pinned.len(),
        warning::size_text(extent(&body.rest_position)),
    );
    // Writing to a String cannot fail.
    let _ = writeln!(summary, "{line}");
    if let Some(note) = note {
        let _ = writeln!(summary, "  {note}");
    }
    for key in ["fabric", "solid", "raw"] {
        if let Some(material) = table.written(key) {
            let _ = writeln!(summary, "  {key} = {material}");
        }
    }
}

#[cfg(test)]
mod tests;
