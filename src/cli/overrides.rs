//! Options that override the scene's `[simulation]`, shared by the commands that simulate.

use std::path::Path;

use taffeta::method::NotHeld;
use taffeta::model::Model;
use taffeta::scene::{Lines, Scene};
use taffeta::settings::{SUBSTEPS, Settings, SolverKind};
use taffeta::simulation::Simulation;
use taffeta::warning::{self, Warning};
use taffeta::{Error, gpu::Requirements};

use super::failure::Failure;
use super::method_options::MethodOverrides;
use super::{parse, warnings};

/// Settings that override the scene file.
#[derive(clap::Args)]
#[command(next_help_heading = "Simulation (default: what the scene says)")]
pub struct Overrides {
    /// Time integrator
    #[arg(long, value_name = "NAME", value_parser = parse::solver())]
    pub solver: Option<SolverKind>,

    #[command(flatten)]
    method: MethodOverrides,
}

impl Overrides {
    /// Puts the options into the scene's settings, shows all warnings of the scene, and checks that it can be simulated
    /// with them.
    pub fn apply(&self, scene: &mut Scene, path: &Path) -> Result<Requirements, Failure> {
        let solver = self.solver.map(|solver| ("--solver", solver));
        let checked = self.apply_with(solver, &scene.model, &mut scene.settings, &scene.lines, path);
        // A scene is written for its own solver: keys that another solver does not use are no mistake.
        let is_meant =
            |warning: &Warning| solver.is_none() || warning.body.is_some() || self.method.gives(warning.key);
        let of_method = warning::method(&scene.model, &scene.settings);
        scene.warnings.extend(of_method.into_iter().filter(is_meant));
        // Even if the scene is refused: a warning may name the cause.
        warnings::show(scene, path);
        checked
    }

    /// Like `apply`, with a solver from another option, which messages name.
    pub fn apply_with(
        &self,
        solver: Option<(&str, SolverKind)>,
        model: &Model,
        settings: &mut Settings,
        lines: &Lines,
        path: &Path,
    ) -> Result<Requirements, Failure> {
        if let Some((_, solver)) = solver {
            *settings = settings.with_solver(solver);
        }
        self.method.apply(settings);
        let checked = || {
            settings.check()?;
            Simulation::requirements(model, settings)
        };
        let solver = solver.map(|(option, solver)| format!("{option} {solver}"));
        checked().map_err(|error| self.blame(&error, solver, lines, path))
    }

    /// The error with its cause in front: the option that set the wrong value, otherwise the scene.
    fn blame(&self, error: &Error, solver: Option<String>, lines: &Lines, path: &Path) -> Failure {
        let place = match error {
            Error::Stability(_) if self.method.gives(SUBSTEPS.spec.name) => {
                self.method.written(SUBSTEPS.spec.name)
            }
            Error::Stability(_) | Error::NotHeld(_) => solver,
            Error::Settings(wrong) => {
                // For "iterations * sweeps", the last factor.
                let key = wrong.key.rsplit(' ').next().unwrap_or(&wrong.key);
                if let Some(option) = self.method.written(key) {
                    return Failure::input(option, &wrong.allowed);
                }
                None
            }
            // The error names its own file and line.
            Error::File { .. } => return Failure::Input(error.to_string()),
            _ => None,
        };
        Failure::input(place.unwrap_or_else(|| in_scene(error, lines, path)), error)
    }
}

/// The file and, if known, the line of the scene that an error is about.
fn in_scene(error: &Error, lines: &Lines, path: &Path) -> String {
    let line = match error {
        Error::Stability(_) => lines.key(&["substeps", "solver", "frame-time"]),
        Error::NotHeld(NotHeld::Length { body, .. }) => {
            lines.key(&["solver"]).or_else(|| lines.body(body.as_ref()?))
        }
        Error::NotHeld(NotHeld::Limit { body, .. }) => lines.key(&["solver"]).or_else(|| lines.body(body)),
        Error::Settings(wrong) => lines.key(&[&wrong.key]),
        _ => None,
    };
    line.map_or_else(|| path.display().to_string(), |line| format!("{}:{line}", path.display()))
}
