//! Options that override the scene's `[simulation]`, shared by the commands that simulate.

use std::path::Path;

use taffeta::method::{NotHeld, Stability, check_held};
use taffeta::model::Model;
use taffeta::scene::{Lines, Scene};
use taffeta::settings::{Form, Iterations, LinearSolver, Settings, SolverKind, Substeps};
use taffeta::simulation::Simulation;
use taffeta::warning::{self, Warning};
use taffeta::{Error, gpu::Requirements};

use super::failure::Failure;
use super::{parse, warnings};

/// How the scene is simulated, where it differs from the scene file.
#[derive(clap::Args)]
#[command(next_help_heading = "Simulation (default: what the scene says)")]
pub struct Overrides {
    /// Time integrator
    #[arg(long, value_name = "NAME", value_parser = parse::solver())]
    pub solver: Option<SolverKind>,

    #[command(flatten)]
    method: MethodOverrides,
}

/// The same, but for the solver: for commands that run several.
#[derive(clap::Args)]
#[command(next_help_heading = "Simulation (default: what the scene says)")]
pub struct MethodOverrides {
    /// Steps a frame is divided into, 1 to 100000; 'auto' takes the fewest that the solver recommends
    #[arg(long, value_name = "N|auto", value_parser = parse::substeps, allow_negative_numbers = true)]
    pub substeps: Option<Substeps>,

    /// Iterations a substep, 1 to 100000 (implicit solvers only); 'auto': as many as the estimate of the error asks for,
    /// at most 40 (newton-multigrid)
    #[arg(long, value_name = "N|auto", value_parser = parse::iterations, allow_negative_numbers = true)]
    pub iterations: Option<Iterations>,

    /// Iterate until the error is estimated to be below this part of what gravity, air and handles do to the nodes in a
    /// substep (newton-multigrid), or the residual is this part of what it is at the start (implicit-euler, soft-constraint, local-global
    /// with conjugate-gradients); --iterations is then the most they may use
    #[arg(long, value_name = "PART", value_parser = parse::tolerance, allow_negative_numbers = true)]
    pub tolerance: Option<f32>,

    /// Steps of conjugate gradients in each iteration, 0 to 100 (newton-multigrid only): for cloth that is stiff in
    /// bending and folds that creep; 0 leaves the multigrid cycle alone [default: 4 where bending is stiff or the
    /// network uneven, else 0]
    #[arg(long, value_name = "N", value_parser = parse::cg_steps, allow_negative_numbers = true)]
    pub cg_steps: Option<u32>,

    /// Jacobi sweeps or steps of conjugate gradients of the global step per local step, 1 to 100000 (local-global only)
    #[arg(long, value_name = "N", value_parser = parse::sweeps, allow_negative_numbers = true)]
    pub sweeps: Option<u32>,

    /// How linear systems are solved (implicit-euler; local-global: jacobi or conjugate-gradients),
    /// or whether springs move at once or colour by colour (xpbd: jacobi or gauss-seidel)
    #[arg(long, value_name = "NAME", value_parser = parse::linear_solver())]
    pub linear_solver: Option<LinearSolver>,

    /// Form of the network in the kernels
    #[arg(long, value_name = "FORM", value_parser = parse::form())]
    pub form: Option<Form>,

    /// Run even where the step is beyond the stability limit, to see it blow up
    #[arg(long)]
    pub force: bool,
}

impl Overrides {
    /// Puts the options into the scene's settings, shows all warnings of the scene, and checks that it can be simulated
    /// with them.
    pub fn apply(&self, scene: &mut Scene, path: &Path) -> Result<Requirements, Failure> {
        let solver = self.solver.map(|solver| ("--solver", solver));
        let checked = self.apply_with(solver, &scene.model, &mut scene.settings, &scene.lines, path);
        // A scene is written for its own solver; what another leaves unused of it is no mistake.
        let is_meant =
            |warning: &Warning| solver.is_none() || warning.body.is_some() || self.method.gives(warning.key);
        let of_method = warning::method(&scene.model, &scene.settings);
        scene.warnings.extend(of_method.into_iter().filter(is_meant));
        // Even where it is refused: what a warning says may be the cause.
        warnings::show(scene, path);
        checked
    }

    /// The same with the solver of another option, which is named beside it.
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
            check_held(model, settings.solver)?;
            Stability::of(model, settings).substeps(settings)?;
            Simulation::requirements(model, settings)
        };
        let solver = solver.map(|(option, solver)| format!("{option} {solver}"));
        checked().map_err(|error| self.blame(&error, solver, lines, path))
    }

    /// The error with its cause in front: an option, where one set what is wrong, else the scene.
    fn blame(&self, error: &Error, solver: Option<String>, lines: &Lines, path: &Path) -> Failure {
        let place = match (error, self.method.substeps) {
            (Error::Stability(_), Some(Substeps::Fixed(n))) => Some(format!("--substeps {n}")),
            (Error::Stability(_) | Error::NotHeld(_), _) => solver,
            (Error::Settings(wrong), _)
                if wrong.key == "linear-solver" && self.method.linear_solver.is_some() =>
            {
                let value = wrong.value.trim_matches('"');
                return Failure::input(format!("--linear-solver {value}"), wrong.allowed);
            }
            (Error::Settings(wrong), _) if wrong.key == "form" && self.method.form.is_some() => {
                return Failure::input(format!("--form {}", wrong.value), wrong.allowed);
            }
            // It names its own file and line.
            (Error::File { .. }, _) => return Failure::Input(error.to_string()),
            _ => None,
        };
        Failure::input(place.unwrap_or_else(|| in_scene(error, lines, path)), error)
    }
}

/// File and, where one is known, line of the scene that an error is about.
fn in_scene(error: &Error, lines: &Lines, path: &Path) -> String {
    let line = match error {
        Error::Stability(_) => lines.key(&["substeps", "solver", "frame-time"]),
        Error::NotHeld(NotHeld::Length { body, .. }) => {
            lines.key(&["solver"]).or_else(|| lines.body(body.as_ref()?))
        }
        Error::NotHeld(NotHeld::Limit { body, .. }) => lines.key(&["solver"]).or_else(|| lines.body(body)),
        Error::Settings(wrong) => lines.key(&[wrong.key]),
        _ => None,
    };
    line.map_or_else(|| path.display().to_string(), |line| format!("{}:{line}", path.display()))
}

impl MethodOverrides {
    /// Whether there is an option of this name.
    fn gives(&self, key: &str) -> bool {
        match key {
            "iterations" => self.iterations.is_some(),
            "tolerance" => self.tolerance.is_some(),
            "cg-steps" => self.cg_steps.is_some(),
            "sweeps" => self.sweeps.is_some(),
            "linear-solver" => self.linear_solver.is_some(),
            _ => false,
        }
    }

    /// Puts the options into the settings.
    pub fn apply(&self, settings: &mut Settings) {
        if let Some(substeps) = self.substeps {
            settings.substeps = substeps;
        }
        if let Some(iterations) = self.iterations {
            settings.iterations = iterations;
        }
        if self.tolerance.is_some() {
            settings.tolerance = self.tolerance;
        }
        if self.cg_steps.is_some() {
            settings.cg_steps = self.cg_steps;
        }
        if let Some(sweeps) = self.sweeps {
            settings.sweeps = Some(sweeps);
        }
        if self.linear_solver.is_some() {
            settings.linear_solver = self.linear_solver;
        }
        if let Some(form) = self.form {
            settings.form = form;
        }
        settings.force |= self.force;
    }
}
