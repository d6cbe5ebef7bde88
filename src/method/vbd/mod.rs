//! Implicit Euler as a minimisation, colored vertex block descent (Chen et al. 2024).

mod solver;

use super::{Method, Setup, Solver};
use crate::gpu::GpuError;
use solver::Vbd;

/// The method.
pub struct About;

impl Method for About {
    fn name(&self) -> &'static str {
        "vbd"
    }

    fn summary(&self) -> &'static str {
        "vertex block descent; implicit, converges fast on small cloth, slowly on large"
    }

    fn build(&self, setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
        Ok(Box::new(Vbd::new(setup)?))
    }

    fn minimises(&self) -> bool {
        true
    }
}
