//! Implicit Euler as a minimization, local/global (Liu et al. 2013): Jacobi sweeps, or global steps solved by conjugate
//! gradients.

mod global_step;
mod solver;
mod traffic;

use super::anchor::{self, adapts};
use super::{Method, Setup, Solver, Traffic, linear};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::key::{Key, Kind, Place, Spec, Use};
use crate::settings::{
    CHEBYSHEV, Chebyshev, ITERATIONS, LINEAR_SOLVER, LinearSolver, MAX_ITERATIONS, START, Settings,
    SettingsError, TOLERANCE,
};
use global_step::GlobalStep;
use solver::LocalGlobal;

/// Most steps of a global step with a tolerance, where the settings name none.
const MOST_STEPS_BY_TOLERANCE: u32 = 100;

/// Jacobi sweeps or steps of conjugate gradients of the global step per local step.
pub const SWEEPS: Key<u32> = Key::new(&Spec {
    name: "sweeps",
    kind: Kind::Count { least: 1, most: MAX_ITERATIONS, words: &[] },
    unit: "",
    default: "",
    help: "Jacobi sweeps or steps of conjugate gradients of the global step per local step",
    place: Place::Own,
});

const KEYS: &[Use] = &[
    ITERATIONS.by("local/global rounds", "60"),
    TOLERANCE.by(
        "of the residual at the start, in each global step by conjugate gradients; `sweeps` is then the most",
        "none",
    ),
    LINEAR_SOLVER.by("that of each global step: \"jacobi\" or \"conjugate-gradients\"", "\"jacobi\""),
    SWEEPS.by("", "1 sweep or 10 steps; with `tolerance` 100 steps"),
    CHEBYSHEV.by("of Jacobi sweeps; \"auto\": a radius from the number of sweeps", "\"auto\""),
    START.by("", "\"inertial\", and [adaptive](methods/local-global.md) for nodes that touch"),
];

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "local-global"
    }

    fn summary(&self) -> &'static str {
        "implicit, any step is stable; large cloth needs many iterations"
    }

    fn keys(&self) -> &'static [Use] {
        KEYS
    }

    fn traffic(&self, settings: &Settings) -> Vec<Traffic> {
        let mut all = [traffic::TRAFFIC, linear::traffic::TRAFFIC].concat();
        // A sweep reads a vector less where there are no Chebyshev weights; the few before them are counted with it.
        if settings.value(CHEBYSHEV) == Chebyshev::Off {
            let plain = all.iter_mut().filter(|of| of.kernel.ends_with("sweep.wgsl:sweep"));
            plain.for_each(|of| of.thread -= 16);
        }
        all
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(match setup.settings.linear_solver() {
            LinearSolver::Jacobi => Box::new(LocalGlobal::new(setup)?),
            _ => Box::new(GlobalStep::new(setup)?),
        })
    }

    fn minimizes(&self) -> bool {
        true
    }

    /// A sheet that slides as a whole is what sweeps are slowest with: without weights its error falls by a part 1 / stiffer in each. Weights for N sweeps
    /// have the radius 1 - (2 / N)^2, so that N > 2 sqrt(stiffer) reach it; 2.5 times the root gives all of a block's acceleration on a slope. From y limits
    /// of friction are too large at first: without weights, too, 240 sweeps give .89 with springs 106 times stiffer, and 3000 give .55 with 1,700 times
    /// stiffer ones, as f32 has no digits for what is left. With global steps that are solved, 60 local ones give .98 where springs are 1,100 times
    /// stiffer, .64 where they are 3,000 times.
    fn iterations_for_friction(&self, settings: &Settings, stiffer: f64) -> Option<f64> {
        let sweeps = f64::from(settings.sweeps());
        Some(match settings.linear_solver() {
            LinearSolver::Jacobi if adapts(settings) && solver::is_weighted(settings) => {
                2.5 * stiffer.sqrt() / sweeps
            }
            LinearSolver::Jacobi => 2.0 * stiffer / sweeps,
            // More steps than ten do not make up for local ones.
            _ => 0.05 * stiffer * f64::max(1.0, 10.0 / sweeps),
        })
    }

    fn resolved(&self, spec: &Spec, model: &Model, settings: &Settings) -> Option<String> {
        anchor::resolved(spec, model, settings)
    }

    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &[LinearSolver::Jacobi, LinearSolver::ConjugateGradients]
    }

    fn keeps_tolerance(&self, settings: &Settings) -> bool {
        settings.linear_solver() != LinearSolver::Jacobi
    }

    fn default_sweeps(&self, settings: &Settings) -> u32 {
        match settings.linear_solver() {
            LinearSolver::Jacobi => 1,
            _ if settings.get(TOLERANCE).is_some() => MOST_STEPS_BY_TOLERANCE,
            _ => 10,
        }
    }

    fn rows(&self, model: &Model, settings: &Settings) -> u64 {
        match settings.linear_solver() {
            LinearSolver::Jacobi if settings.sweeps() > 1 => 4,
            LinearSolver::Jacobi => 1,
            _ => linear::rows(model, settings),
        }
    }

    fn check(&self, settings: &Settings) -> Result<(), SettingsError> {
        let sweeps = settings.iterations().saturating_mul(settings.sweeps());
        SettingsError::product(["iterations", "sweeps"], sweeps, "at most 100000 sweeps a substep in all")
    }
}
