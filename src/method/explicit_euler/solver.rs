//! Explicit (forward) Euler.
//!
//! x+ = x + h v, v+ = (v + h a(x, v)) exp(-drag h). Undamped it has no stable step: each multiplies a
//! mode of frequency omega by |1 + i h omega| > 1. Kept because seeing it fail teaches. Reference:
//! Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*, section I.7,
//! doi:10.1007/978-3-540-78862-1. Tested by `tests/quick/oracle.rs` and `tests/full/free_fall.rs`.

use crate::gpu::{GpuError, Pass};
use crate::method::explicit::Explicit;
use crate::method::{Setup, Solver, Substep};

/// The solver's kernels.
pub struct ExplicitEuler(Explicit);

impl ExplicitEuler {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let shader = setup.shader("methods/explicit_euler/substep.wgsl", &[])?;
        Ok(Self(Explicit::new(setup, &shader, "substep")?))
    }
}

impl Solver for ExplicitEuler {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        self.0.record(pass, substep.index as usize % 2);
    }

    fn result(&self, substeps: u32) -> usize {
        substeps as usize % 2
    }
}
