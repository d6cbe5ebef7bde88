//! Implicit Euler as a minimization, colored vertex block descent (Chen et al. 2024).

mod solver;
mod traffic;

use super::anchor::{self, adapts};
use super::{Method, Setup, Solver, Traffic};
use crate::gpu::GpuError;
use crate::model::Model;
use crate::settings::key::{Spec, Use};
use crate::settings::{CHEBYSHEV, ITERATIONS, START, Settings};
use solver::Vbd;

const KEYS: &[Use] = &[
    ITERATIONS.by("visits of all nodes", "60"),
    CHEBYSHEV.by("of visits; \"auto\": off; diverges from .99 on", "\"auto\""),
    START.by("", "\"inertial\", and [adaptive](methods/vbd.md) for nodes that touch"),
];

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "vbd"
    }

    fn summary(&self) -> &'static str {
        "vertex block descent; implicit, converges fast on small cloth, slowly on large"
    }

    fn keys(&self) -> &'static [Use] {
        KEYS
    }

    fn traffic(&self, _settings: &Settings) -> Vec<Traffic> {
        traffic::TRAFFIC.to_vec()
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(Vbd::new(setup)?))
    }

    fn resolved(&self, spec: &Spec, model: &Model, settings: &Settings) -> Option<String> {
        anchor::resolved(spec, model, settings)
    }

    fn minimizes(&self) -> bool {
        true
    }

    /// With so many a sheet on a slope sticks below the limit of friction, to a fraction of a millimeter; with a quarter of that it slides for good.
    fn iterations_for_friction(&self, settings: &Settings, stiffer: f64) -> Option<f64> {
        Some(if adapts(settings) { 0.125 * stiffer } else { stiffer })
    }
}
