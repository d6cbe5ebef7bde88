//! Implicit Euler, linearized, one Newton step a substep (Baraff and Witkin 1998).

mod solver;
mod traffic;

use super::{Method, Setup, Solver, Touch, Traffic, description, linear};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::key::{Key, Kind, Place, Spec, Use};
use crate::settings::{ITERATIONS, LINEAR_SOLVER, LinearSolver, START, Settings, TOLERANCE};
use solver::ImplicitEuler;

/// Whether the matrix leaves out what compressed springs push sideways. Without, it need not be positive definite, and
/// conjugate gradients may stop short: to see why it is done.
pub const PROJECTION: Key<bool> = Key::new(&Spec {
    name: "projection",
    kind: Kind::Flag,
    unit: "",
    default: "true",
    help: "whether the matrix leaves out what a compressed spring pushes sideways; without, it may have no solution that \
           lowers the energy",
    place: Place::Own,
});

const KEYS: &[Use] = &[
    ITERATIONS.by("iterations of the linear solver", "60; 500 with `tolerance`"),
    TOLERANCE.by("of the residual at the start", "none"),
    LINEAR_SOLVER
        .by("that of each substep: any of them, [below](#linear-solvers)", "\"conjugate-gradients\""),
    PROJECTION.by("", "true"),
    START.by("", "\"inertial\""),
];

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "implicit-euler"
    }

    fn summary(&self) -> &'static str {
        "one linear system a substep; any step is stable, large cloth needs many iterations"
    }

    fn keys(&self) -> &'static [Use] {
        KEYS
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        [traffic::TRAFFIC, linear::traffic::TRAFFIC].concat()
    }

    fn touch(&self) -> Touch {
        Touch::Matrix
    }

    /// What friction takes travels from node to node: with so many a sheet on a slope just above its limit comes a tenth too far, with a
    /// quarter of them five to eight times as far.
    fn iterations_for_friction(&self, settings: &Settings, stiffer: f64) -> Option<f64> {
        match settings.linear_solver() {
            LinearSolver::Jacobi | LinearSolver::GradientDescent => Some(2.0 * stiffer),
            LinearSolver::GaussSeidel => Some(stiffer),
            LinearSolver::ConjugateGradients => None,
        }
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(ImplicitEuler::new(setup)?))
    }

    fn keeps_tolerance(&self, _settings: &Settings) -> bool {
        true
    }

    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &LinearSolver::ALL
    }

    fn most_iterations(&self) -> u32 {
        linear::MOST_BY_TOLERANCE
    }

    fn rows(&self, model: &Model, settings: &Settings) -> u64 {
        linear::rows(model, settings)
    }

    fn resolved(&self, spec: &Spec, _model: &Model, settings: &Settings) -> Option<String> {
        match spec.name {
            "projection" => Some(projects(settings).to_string()),
            _ => description::resolved(spec, settings),
        }
    }
}

/// Whether the matrix is projected.
pub fn projects(settings: &Settings) -> bool {
    settings.get(PROJECTION).unwrap_or(true)
}
