//! The method of a run, as part of its summary.

use std::fmt;

use serde::Serialize;
use taffeta::settings::{CG_STEPS, ITERATIONS, LINEAR_SOLVER, SWEEPS, TOLERANCE};
use taffeta::simulation::Simulation;
use taffeta::{hierarchy, method};

/// The solver and its settings. Field names are keys of the summary's JSON object.
#[derive(Serialize)]
pub struct Method {
    solver: &'static str,
    /// Iterations of implicit solvers; the most if there is a tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u32>,
    /// The linear solver, if the method has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    linear_solver: Option<&'static str>,
    /// Steps of conjugate gradients in an iteration of newton-multigrid.
    #[serde(skip_serializing_if = "Option::is_none")]
    cg_steps: Option<u32>,
    /// Whether these steps are taken because cycles alone are slow on the network.
    #[serde(skip_serializing_if = "is_false")]
    hard_network: bool,
    /// Sweeps a round of local-global.
    #[serde(skip_serializing_if = "Option::is_none")]
    sweeps: Option<u32>,
    #[serde(skip)]
    has_tolerance: bool,
}

fn is_false(is: &bool) -> bool {
    !is
}

impl Method {
    /// The method of a simulation.
    pub fn of(simulation: &Simulation) -> Self {
        let (model, settings) = (simulation.model(), simulation.settings());
        let takes = |key: &str| settings.solver.usage(key).is_some();
        Self {
            solver: settings.solver.name(),
            iterations: takes(ITERATIONS.spec.name).then(|| settings.iterations()),
            linear_solver: takes(LINEAR_SOLVER.spec.name).then(|| settings.linear_solver().name()),
            cg_steps: takes(CG_STEPS.spec.name).then(|| method::cg_steps(model, settings)),
            hard_network: takes(CG_STEPS.spec.name)
                && settings.get(CG_STEPS).is_none()
                && hierarchy::is_hard(model),
            sweeps: takes(SWEEPS.spec.name).then(|| settings.sweeps()),
            has_tolerance: settings.keeps_tolerance() && settings.get(TOLERANCE).is_some(),
        }
    }
}

impl Method {
    /// Whether each iteration solves a linear system to the tolerance.
    pub fn solves_in_iterations(&self) -> bool {
        self.has_tolerance && self.sweeps.is_some()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.solver)?;
        if let Some(iterations) = self.iterations {
            // With local-global the tolerance ends the steps within each iteration.
            let is_most = self.has_tolerance && self.sweeps.is_none();
            write!(f, ", {}{iterations} iterations", if is_most { "at most " } else { "" })?;
        }
        if let Some(sweeps) = self.sweeps {
            let what = if self.linear_solver == Some("jacobi") { "sweeps" } else { "steps" };
            write!(f, " of {}{sweeps} {what}", if self.has_tolerance { "at most " } else { "" })?;
        }
        if let Some(solver) = self.linear_solver {
            write!(f, " of {solver}")?;
        }
        match self.cg_steps {
            Some(steps) if steps > 0 => write!(f, " of {steps} steps of conjugate gradients")?,
            _ => (),
        }
        if self.hard_network {
            f.write_str(" (uneven network: cycles alone would be slow)")?;
        }
        Ok(())
    }
}
