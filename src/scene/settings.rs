//! `[simulation]` and `[world]`: the settings of a run.

use std::path::Path;

use super::table::{Table, Value};
use super::user_force;
use crate::Error;
use crate::settings::{
    Air, Chebyshev, Form, Iterations, LinearSolver, Settings, SolverKind, Start, Substeps,
};

/// Keys of `[simulation]`.
pub(super) const SIMULATION: &[&str] = &[
    "solver",
    "frame-time",
    "substeps",
    "iterations",
    "tolerance",
    "linear-solver",
    "projection",
    "relaxation",
    "cg-steps",
    "sweeps",
    "chebyshev",
    "start",
    "form",
    "seconds",
    "planar",
    "force",
    "largest-stretch",
];

/// Keys of `[world]`.
pub(super) const WORLD: &[&str] =
    &["gravity", "wind", "air", "damping", "node-damping", "drag", "user-force", "user-force-file"];

/// Duration of a run where the scene gives none \[s\].
const DEFAULT_SECONDS: f64 = 5.0;
/// Longest run \[s\]: frames must be countable.
const MOST_SECONDS: f64 = 1e6;

/// Lines (from one) of the keys of `[simulation]`, and of bodies by name: for what is found wrong once a scene has been
/// read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    keys: Vec<(&'static str, usize)>,
    bodies: Vec<(String, usize)>,
}

impl Lines {
    pub(super) fn of(simulation: Option<&Table>) -> Self {
        let line = |table: &Table, key| table.line_of(key).map(|line| (key, line));
        let keys =
            simulation.into_iter().flat_map(|table| SIMULATION.iter().filter_map(|key| line(table, key)));
        Self { keys: keys.collect(), bodies: Vec::new() }
    }

    pub(super) fn add_body(&mut self, name: &str, line: usize) {
        self.bodies.push((name.to_owned(), line));
    }

    /// Where the first of these keys stands that is written.
    pub fn key(&self, keys: &[&str]) -> Option<usize> {
        keys.iter().find_map(|key| self.keys.iter().find(|found| found.0 == *key)).map(|found| found.1)
    }

    /// Where a body begins.
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
        seconds = table.read("seconds", duration)?.unwrap_or(DEFAULT_SECONDS);
        read_simulation(table, &mut settings)?;
    }
    if let Some(table) = world {
        read_world(table, &mut settings)?;
        settings.user_force = user_force::read(table, folder)?;
    }
    settings.check().map_err(|e| {
        // The last part of "air.density" is the key in the scene, and the last factor of "iterations * sweeps".
        let key = e.key.rsplit(['.', ' ']).next().unwrap_or(e.key);
        let table = if SIMULATION.contains(&key) { simulation } else { world };
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

fn read_simulation(table: &Table, settings: &mut Settings) -> Result<(), Error> {
    set(&mut settings.solver, table.read("solver", |v| v.word(&SolverKind::ALL.map(|k| (k.name(), k))))?);
    set(&mut settings.frame_time, table.read("frame-time", |v| v.f32())?);
    set(&mut settings.substeps, table.read("substeps", substeps)?);
    set(&mut settings.iterations, table.read("iterations", iterations)?);
    if let Some(tolerance) = table.read("tolerance", |v| v.f32())? {
        settings.tolerance = Some(tolerance);
    }
    if let Some(steps) = table.read("cg-steps", |v| v.count())? {
        settings.cg_steps = Some(steps);
    }
    if let Some(sweeps) = table.read("sweeps", |v| v.count())? {
        settings.sweeps = Some(sweeps);
    }
    if let Some(solver) =
        table.read("linear-solver", |v| v.word(&LinearSolver::ALL.map(|s| (s.name(), s))))?
    {
        settings.linear_solver = Some(solver);
    }
    if let Some(factor) = table.read("relaxation", |v| v.f32())? {
        settings.relaxation = Some(factor);
    }
    set(&mut settings.projection, table.read("projection", |v| v.flag())?);
    set(&mut settings.chebyshev, table.read("chebyshev", chebyshev)?);
    let starts = [
        ("auto", Start::Auto),
        ("inertial", Start::Inertial),
        ("velocity", Start::Velocity),
        ("previous", Start::Previous),
    ];
    set(&mut settings.start, table.read("start", |v| v.word(&starts))?);
    let forms = [("auto", Form::Auto), ("grid", Form::Grid), ("mesh", Form::Mesh)];
    set(&mut settings.form, table.read("form", |v| v.word(&forms))?);
    set(&mut settings.planar, table.read("planar", |v| v.flag())?);
    set(&mut settings.force, table.read("force", |v| v.flag())?);
    set(&mut settings.largest_stretch, table.read("largest-stretch", |v| v.f32())?);
    Ok(())
}

fn read_world(table: &Table, settings: &mut Settings) -> Result<(), Error> {
    set(&mut settings.gravity, table.read("gravity", |v| v.vec3())?);
    set(&mut settings.wind, table.read("wind", |v| v.vec3())?);
    set(&mut settings.air, table.read("air", air)?);
    set(&mut settings.damping, table.read("damping", |v| v.f32())?);
    set(&mut settings.node_damping, table.read("node-damping", |v| v.f32())?);
    set(&mut settings.drag, table.read("drag", |v| v.f32())?);
    Ok(())
}

fn set<T>(setting: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *setting = value;
    }
}

fn substeps(value: Value) -> Result<Substeps, Error> {
    let wrong = |_| value.wrong("it must be a whole number from 1 to 100000, or \"auto\"");
    if value.is_text() {
        return value.word(&[("auto", Substeps::Auto)]).map_err(wrong);
    }
    value.count().map(Substeps::Fixed).map_err(wrong)
}

fn iterations(value: Value) -> Result<Iterations, Error> {
    let wrong = |_| value.wrong("it must be a whole number from 1 to 100000, or \"auto\"");
    if value.is_text() {
        return value.word(&[("auto", Iterations::Auto)]).map_err(wrong);
    }
    value.count().map(Iterations::Fixed).map_err(wrong)
}

fn chebyshev(value: Value) -> Result<Chebyshev, Error> {
    let wrong = |_| value.wrong("it must be \"auto\", \"off\" or a number above 0 and below 1");
    if value.is_text() {
        return value.word(&[("auto", Chebyshev::Auto), ("off", Chebyshev::Off)]).map_err(wrong);
    }
    value.f32().map(Chebyshev::Radius).map_err(wrong)
}

fn air(value: Value) -> Result<Air, Error> {
    let table = value.table(&[&["density", "normal", "tangential"]])?;
    let mut air = Air::NONE;
    air.density = table.need("density", |v| v.f32())?;
    set(&mut air.normal, table.read("normal", |v| v.f32())?);
    set(&mut air.tangential, table.read("tangential", |v| v.f32())?);
    Ok(air)
}
