//! The form of the network during a run, as part of a summary.

use std::fmt;

use serde::Serialize;
use taffeta::Simulation;
use taffeta::settings;

/// Field names are keys of the summary's JSON object.
#[derive(Serialize)]
pub struct Form {
    /// `grid` or `mesh`.
    form: &'static str,
    /// Order of the nodes in memory: as `given`, or along a `curve` for some bodies.
    order: &'static str,
}

impl Form {
    /// The form of a simulation.
    pub fn of(simulation: &Simulation) -> Self {
        Self {
            form: if simulation.form() == settings::Form::Grid { "grid" } else { "mesh" },
            order: if simulation.model().order().is_given() { "given" } else { "curve" },
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let curve = if self.order == "curve" { ", nodes along a curve" } else { "" };
        write!(f, "{} form{curve}", self.form)
    }
}
