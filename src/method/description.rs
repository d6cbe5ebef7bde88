//! The trait by which a method describes itself.

use super::{Setup, Solver, Stability, Traffic};
use crate::gpu::GpuError;
use crate::model::{Model, Multipliers};
use crate::settings::key::{Spec, Use};
use crate::settings::{
    CHEBYSHEV, ITERATIONS, Iterations, LinearSolver, START, Settings, SettingsError, Start, TOLERANCE,
};

/// How contact between surfaces acts in a method. The guard against crossings acts in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// As a force that is constant in a substep.
    Force,
    /// As a part of the matrix of a linear system.
    Matrix,
    /// As rows of a linear system of constraints.
    Rows,
    /// At every iterate, node by node or pair by pair.
    Iterates,
    /// The same, and on all levels of its preconditioner.
    Levels,
}

/// A time integrator as everything but its own folder knows it. What is not said is as for most implicit methods.
pub trait Method: Send + Sync {
    /// The name in scenes and on the command line.
    fn name(&self) -> &'static str;

    /// One line on when to use it.
    fn summary(&self) -> &'static str;

    /// The keys that it has a use for, beside those of every method.
    fn keys(&self) -> &'static [Use] {
        &[]
    }

    /// The bytes that its kernels move. A dispatch that counts its own bytes is left out.
    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        Vec::new()
    }

    /// Compiles and binds its kernels.
    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError>;

    /// Whether the step is limited by the stiffest spring.
    fn is_explicit(&self) -> bool {
        false
    }

    /// How contact between surfaces acts.
    fn touch(&self) -> Touch {
        if self.is_explicit() { Touch::Force } else { Touch::Iterates }
    }

    /// Iterations with which friction between surfaces takes hold, where it does so only once they have converged, if springs are so many times
    /// stiffer for a substep than what holds a node to its place.
    fn iterations_for_friction(&self, _settings: &Settings, _stiffer: f64) -> Option<f64> {
        None
    }

    /// Whether it has no stable step where nothing damps.
    fn grows_undamped(&self) -> bool {
        false
    }

    /// Whether springs are implicit and bending is not, so that bending alone limits the step.
    fn is_limited_by_bending(&self) -> bool {
        false
    }

    /// Whether the tension of springs limits the step, so that it is watched.
    fn is_limited_by_tension(&self) -> bool {
        false
    }

    /// Whether springs pull along where a substep brings them, not along where it finds them. What is frozen beside them
    /// has to turn with them, or it slows down whatever spins.
    fn acts_ahead(&self) -> bool {
        !self.is_explicit()
    }

    /// Whether it goes to the minimum of an objective over positions.
    fn minimizes(&self) -> bool {
        false
    }

    /// Whether it keeps the length of inextensible springs, those of infinite stiffness.
    fn holds_lengths(&self) -> bool {
        false
    }

    /// Whether it keeps limits of stretch.
    fn holds_limits(&self) -> bool {
        false
    }

    /// Whether it estimates how far a substep ends from its minimum.
    fn estimates_error(&self) -> bool {
        false
    }

    /// Whether springs are softer than their stiffness by a part that more substeps reduce.
    fn softens(&self) -> bool {
        false
    }

    /// Whether the stored velocity is half a step behind the position.
    fn is_staggered(&self) -> bool {
        false
    }

    /// Substeps a frame where neither the settings name a number nor stability asks for more.
    fn least_substeps(&self) -> u32 {
        1
    }

    /// Iterations a substep where the settings name none.
    fn default_iterations(&self) -> u32 {
        60
    }

    /// Most iterations a substep with a tolerance, where the settings name none.
    fn most_iterations(&self) -> u32 {
        self.default_iterations()
    }

    /// What [`Start::Auto`] stands for.
    fn default_start(&self) -> Start {
        Start::Inertial
    }

    /// How it can solve linear systems, or in which order it visits springs: its own choice first; empty where there is none.
    fn linear_solvers(&self) -> &'static [LinearSolver] {
        &[]
    }

    /// Whether its iterations end by the tolerance, where there is one.
    fn keeps_tolerance(&self, _settings: &Settings) -> bool {
        false
    }

    /// Sweeps or steps of an iteration, where the settings name none.
    fn default_sweeps(&self, _settings: &Settings) -> u32 {
        1
    }

    /// How it uses a key, where it is one of [`Method::keys`].
    fn usage(&self, key: &str) -> Option<&'static Use> {
        self.keys().iter().find(|used| used.spec.name == key)
    }

    /// Whether it has a use for a key as the settings give it.
    fn takes(&self, settings: &Settings, key: &str) -> bool {
        let takes = self.usage(key).is_some();
        match key {
            "iterations" if settings.get(ITERATIONS) == Some(Iterations::Auto) => {
                takes && self.estimates_error()
            }
            "tolerance" => takes && self.keeps_tolerance(settings),
            _ => takes,
        }
    }

    /// Checks what its keys may not be together.
    fn check(&self, _settings: &Settings) -> Result<(), SettingsError> {
        Ok(())
    }

    /// What a key of its own comes to for a model, as a checkpoint keeps it; `None` where it decides nothing.
    fn resolved(&self, spec: &Spec, _model: &Model, settings: &Settings) -> Option<String> {
        resolved(spec, settings)
    }

    /// Largest stable step \[s\]: infinite where any is stable, zero where none is.
    fn largest_step(&self, _stability: &Stability) -> f64 {
        f64::INFINITY
    }

    /// Largest omega^2 [1/s^2] that a step of `h` seconds can take: the opposite of [`Method::largest_step`]. What is left of
    /// it is room for handles.
    fn largest_omega_squared(&self, _stability: &Stability, _h: f64) -> f64 {
        f64::INFINITY
    }

    /// Rows of four numbers a node in the largest buffer of its vectors.
    fn rows(&self, _model: &Model, _settings: &Settings) -> u64 {
        1
    }

    /// Bytes of the largest buffer that it needs beside rows of nodes.
    fn largest_buffer(&self, _model: &Model, _settings: &Settings, _multipliers: &Multipliers) -> u64 {
        0
    }

    /// The springs that are too stiff for steps of `step` \[s\], where it knows multipliers.
    fn multipliers(&self, _model: &Model, _step: f32) -> Multipliers {
        Multipliers::none()
    }
}

/// [`Method::resolved`] of the keys that several methods share.
pub fn resolved(spec: &Spec, settings: &Settings) -> Option<String> {
    match spec.name {
        "iterations" => Some(settings.iterations().to_string()),
        "tolerance" => settings.get(TOLERANCE).filter(|_| settings.keeps_tolerance()).map(|t| t.to_string()),
        "linear-solver" => Some(settings.linear_solver().to_string()),
        "sweeps" => Some(settings.sweeps().to_string()),
        "start" => Some(format!("{:?}", settings.value(START)).to_lowercase()),
        "chebyshev" => Some(format!("{:?}", settings.value(CHEBYSHEV)).to_lowercase()),
        // A key of the method alone, as it is given; a method that knows more of it says so itself.
        _ => settings.given(spec).map(|given| given.to_string()),
    }
}
