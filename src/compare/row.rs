//! What one run came to.

use serde::{Serialize, Serializer};

use super::color;
use crate::chart;
use crate::settings::SolverKind;
use crate::state::State;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It came to its end.
    Stable,
    /// It came to its end with more energy than the scene can have given it.
    GainedEnergy,
    /// It broke down on the way.
    BrokeDown,
    /// The solver did not take the step or the scene.
    Refused,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Stable => "stable",
            Verdict::GainedEnergy => "gains energy",
            Verdict::BrokeDown => "broke down",
            Verdict::Refused => "refused",
        }
    }
}

/// Stretch l / r - 1 of the springs, the largest values at any sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StretchRange {
    /// Of any spring.
    pub largest: f64,
    /// 99th percentile over the springs.
    pub p99: f64,
}

/// Relative changes of what the scene keeps: the value of largest size at any sample. `None` where it is not kept.
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
    /// Change of the total energy since the start, relative; `None` where it is not kept.
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
    /// Why, where it was not well.
    pub reason: Option<String>,
    /// Substeps a frame.
    pub substeps: Option<u32>,
    /// Length of a substep \[s\].
    pub step: Option<f64>,
    /// Iterations a substep, of implicit solvers.
    pub iterations: Option<u32>,
    /// Median time of a frame \[s\].
    pub frame_seconds: Option<f64>,
    /// The same for a simulated second \[s\].
    pub cost: Option<f64>,
    /// Stretch of the springs on the way.
    pub stretch: Option<StretchRange>,
    /// Drifts on the way.
    pub drift: Drift,
    /// Root mean square distance to the converged solution at the end \[m\].
    pub distance: Option<f64>,
    /// Simulated time that the run reached in good order \[s\].
    pub reached: f64,
    /// Looks at the run on its way.
    #[serde(skip)]
    pub history: Vec<Sample>,
    /// The state for pictures: at the time asked for, or the last one in good order before it.
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
