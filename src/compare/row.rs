//! The result of one run.

use serde::{Serialize, Serializer};

use super::color;
use crate::chart;
use crate::settings::SolverKind;
use crate::state::State;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It reached its end.
    Stable,
    /// It reached its end, with more energy than the scene can have added.
    GainedEnergy,
    /// It broke down before its end.
    BrokeDown,
    /// The solver refused the step or the scene.
    Refused,
}

impl Verdict {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Stable => "stable",
            Verdict::GainedEnergy => "gains energy",
            Verdict::BrokeDown => "broke down",
            Verdict::Refused => "refused",
        }
    }
}

/// Stretch l / r - 1 of the springs: the largest values at any sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StretchRange {
    /// Of any spring.
    pub largest: f64,
    /// 99th percentile over the springs.
    pub p99: f64,
}

/// Relative changes of conserved quantities: the value of largest magnitude at any sample. `None` if the quantity is
/// not conserved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Drift {
    /// Of the total energy, signed: a gain is positive.
    pub energy: Option<f64>,
    /// Of the linear momentum.
    pub linear_momentum: Option<f64>,
    /// Of the angular momentum about the center of mass.
    pub angular_momentum: Option<f64>,
}

/// One sample of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time \[s\].
    pub time: f64,
    /// Root mean square distance to the converged solution \[m\].
    pub distance: Option<f64>,
    /// Stretch l / r - 1: largest, and 99th percentile.
    pub stretch: StretchRange,
    /// Relative change of the total energy since the start; `None` if it is not conserved.
    pub energy: Option<f64>,
}

/// One run of one solver. Field names are keys of JSON objects.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The solver.
    #[serde(serialize_with = "by_name")]
    pub solver: SolverKind,
    /// Its color in plots and pictures, as #rrggbb.
    pub color: String,
    /// How the run ended.
    pub verdict: Verdict,
    /// Why, if the run was not stable.
    pub reason: Option<String>,
    /// Substeps a frame.
    pub substeps: Option<u32>,
    /// Length of a substep \[s\].
    pub step: Option<f64>,
    /// Iterations a substep, for implicit solvers.
    pub iterations: Option<u32>,
    /// Median time of a frame \[s\].
    pub frame_seconds: Option<f64>,
    /// The same per simulated second \[s\].
    pub cost: Option<f64>,
    /// Stretch of the springs during the run.
    pub stretch: Option<StretchRange>,
    /// Drifts during the run.
    pub drift: Drift,
    /// Root mean square distance to the converged solution at the end \[m\].
    pub distance: Option<f64>,
    /// Simulated time until which the run was stable \[s\].
    pub reached: f64,
    /// Samples of the run.
    #[serde(skip)]
    pub history: Vec<Sample>,
    /// The state for pictures: at the time asked for, or the last stable one before it.
    #[serde(skip)]
    pub shown: Option<State>,
}

impl Row {
    /// A run that has not begun.
    pub(super) fn new(solver: SolverKind) -> Self {
        Self {
            solver,
            color: chart::hex(color(solver)),
            verdict: Verdict::Refused,
            reason: None,
            substeps: None,
            step: None,
            iterations: None,
            frame_seconds: None,
            cost: None,
            stretch: None,
            drift: Drift::default(),
            distance: None,
            reached: 0.0,
            history: Vec::new(),
            shown: None,
        }
    }
}

fn by_name<S: Serializer>(solver: &SolverKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(solver.name())
}
