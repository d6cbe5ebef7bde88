//! Implicit Euler as a minimization, one multigrid cycle of the Newton matrix an iteration.

mod conjugate_gradients;
mod estimate;
mod grid_levels;
mod grid_table;
mod level_traffic;
mod multipliers;
mod network_levels;
mod network_table;
mod rigid;
mod solver;
mod start;
mod structs;
mod traffic;

use super::{Method, Setup, Solver, Touch, Traffic, contact, description, touch};
use crate::gpu::GpuError;
use crate::hierarchy;
use crate::model::{Model, Multipliers};
use crate::settings::key::{Key, Kind, Place, Spec, Use};
use crate::settings::{ITERATIONS, START, Settings, SettingsError, Start, TOLERANCE};
use solver::NewtonMultigrid;

/// Steps of conjugate gradients in each iteration, every one with a multigrid cycle; 0 for the cycle alone.
pub const CG_STEPS: Key<u32> = Key::new(&Spec {
    name: "cg-steps",
    kind: Kind::Count { least: 0, most: 100, words: &[] },
    unit: "",
    default: "",
    help: "steps of conjugate gradients in each iteration, for cloth that is stiff in bending and folds that creep; 0: the \
           multigrid cycle alone",
    place: Place::Own,
});

const KEYS: &[Use] = &[
    ITERATIONS.by(
        "multigrid cycles; \"auto\": as many as the [error](#tolerance) asks for",
        "4; \"auto\" where springs are [stiff for the step](methods/newton-multigrid.md#stiff-springs); 100 with `tolerance`",
    ),
    TOLERANCE.by("of the motion, for the error, [below](#tolerance)", "none"),
    CG_STEPS.by(
        "",
        "4 where bending adds more than 2 % to what the springs of a body add to the diagonal of the stiffness matrix, and \
         on [uneven networks](methods/newton-multigrid.md#uneven-networks), else 0",
    ),
    START.by(
        "",
        "\"velocity\", or [less of it](methods/newton-multigrid.md) where bodies would gain energy",
    ),
];

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "newton-multigrid"
    }

    fn summary(&self) -> &'static str {
        "implicit, any step is stable; converges in a few iterations at any size"
    }

    fn keys(&self) -> &'static [Use] {
        KEYS
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(NewtonMultigrid::new(setup)?))
    }

    fn minimizes(&self) -> bool {
        true
    }

    fn touch(&self) -> Touch {
        Touch::Levels
    }

    fn holds_lengths(&self) -> bool {
        true
    }

    fn holds_limits(&self) -> bool {
        true
    }

    fn estimates_error(&self) -> bool {
        true
    }

    fn keeps_tolerance(&self, _settings: &Settings) -> bool {
        true
    }

    fn default_iterations(&self) -> u32 {
        4
    }

    fn most_iterations(&self) -> u32 {
        100
    }

    // From y a multigrid step would have to take back what springs have never felt.
    fn default_start(&self) -> Start {
        Start::Velocity
    }

    fn rows(&self, model: &Model, settings: &Settings) -> u64 {
        // One of them where displacements are kept.
        let rows = if cg_steps(model, settings) > 0 { 8 } else { 5 };
        rows + touch(model, settings).map_or(0, |_| u64::from(solver::CONTACT_ROWS))
    }

    fn largest_buffer(&self, model: &Model, settings: &Settings, multipliers: &Multipliers) -> u64 {
        let levels = solver::largest_buffer(model, multipliers);
        touch(model, settings).map_or(levels, |_| levels.max(contact::largest_buffer(model)))
    }

    fn multipliers(&self, model: &Model, step: f32) -> Multipliers {
        hierarchy::multipliers(model, f64::from(step))
    }

    fn check(&self, settings: &Settings) -> Result<(), SettingsError> {
        let cycles = settings.iterations().saturating_mul(settings.get(CG_STEPS).unwrap_or(0));
        SettingsError::product(["iterations", "cg-steps"], cycles, "at most 100000 cycles a substep in all")
    }

    fn resolved(&self, spec: &Spec, model: &Model, settings: &Settings) -> Option<String> {
        match spec.name {
            "cg-steps" => Some(cg_steps(model, settings).to_string()),
            _ => description::resolved(spec, settings),
        }
    }
}

/// Steps of conjugate gradients in each iteration: those of the settings, or else four where cycles alone would be slow
/// ([`hierarchy::takes_conjugate_gradients`]); else none.
pub fn cg_steps(model: &Model, settings: &Settings) -> u32 {
    settings.get(CG_STEPS).unwrap_or_else(|| if hierarchy::takes_conjugate_gradients(model) { 4 } else { 0 })
}
