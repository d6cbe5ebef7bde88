//! In what form the network was stepped, as part of a summary.

use std::fmt;

use serde::Serialize;
use taffeta::Simulation;
use taffeta::settings;

/// Field names are keys of the summary's JSON object.
#[derive(Serialize)]
pub struct Form {
    /// `grid` or `mesh`.
    form: &'static str,
    /// How nodes stand in memory: as `given`, or those of some bodies along a `curve`.
    order: &'static str,
}

impl Form {
    /// That of a simulation.
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
