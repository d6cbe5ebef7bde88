//! Position-based dynamics with compliant springs (Macklin et al. 2016).

mod pairs;
mod softening;
mod solver;
mod traffic;

pub use softening::{Advice, Softening};

use super::{Method, Setup, Solver, Stability, Traffic, description};
use crate::gpu::GpuError;
use crate::model::{Model, Multipliers};
use crate::settings::key::{Key, Place, Range, Spec, Use};
use crate::settings::{ITERATIONS, LINEAR_SOLVER, LinearSolver, Settings};
use solver::Xpbd;

/// Factor on the multipliers' changes.
pub const RELAXATION: Key<f32> = Key::new(&Spec {
    name: "relaxation",
    kind: Range::new(|x| x > 0.0 && x < 2.0, "above 0 and below 2").kind(),
    unit: "",
    default: "",
    help: "factor on what an iteration does to each spring",
    place: Place::Own,
});

const KEYS: &[Use] = &[
    ITERATIONS.by("visits of all springs", "1"),
    LINEAR_SOLVER.by(
        "whether springs move all at once (\"jacobi\") or color by color (\"gauss-seidel\")",
        "\"jacobi\"",
    ),
    RELAXATION.by("", "1"),
];

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "xpbd"
    }

    fn summary(&self) -> &'static str {
        "compliant constraints; many substeps of one iteration, soft where they are few"
    }

    fn keys(&self) -> &'static [Use] {
        KEYS
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(Xpbd::new(setup)?))
    }

    fn is_limited_by_bending(&self) -> bool {
        true
    }

    fn holds_lengths(&self) -> bool {
        true
    }

    fn largest_step(&self, stability: &Stability) -> f64 {
        stability.largest_step_of_bending()
    }

    fn softens(&self) -> bool {
        true
    }

    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &[LinearSolver::Jacobi, LinearSolver::GaussSeidel]
    }

    fn least_substeps(&self) -> u32 {
        20
    }

    fn default_iterations(&self) -> u32 {
        1
    }

    fn largest_buffer(&self, model: &Model, settings: &Settings, _multipliers: &Multipliers) -> u64 {
        match settings.linear_solver() {
            LinearSolver::GaussSeidel => 24 * model.springs().len() as u64,
            // A multiplier for each slot; of a mesh there are as many links.
            _ => 48 * model.node_count() as u64,
        }
    }

    fn resolved(&self, spec: &Spec, _model: &Model, settings: &Settings) -> Option<String> {
        match spec.name {
            "relaxation" => Some(relaxation(settings).to_string()),
            _ => description::resolved(spec, settings),
        }
    }
}

/// Factor on the changes of multipliers \[1\]; 1 by default.
pub fn relaxation(settings: &Settings) -> f32 {
    settings.get(RELAXATION).unwrap_or(1.0)
}
