//! Symplectic (semi-implicit) Euler.
//!
//! v+ = (v + h a(x, v)) exp(-drag h), x+ = x + h v+. First order, symplectic: the energy of an
//! undamped scene stays bounded. Reference: Hairer, Lubich, Wanner, *Geometric Numerical Integration*,
//! section I.1.2, doi:10.1007/3-540-30666-8. Limit: h < 2 / omega ([`crate::method::Stability`]).
//! Tested by `tests/quick/oracle.rs` (one step), `tests/full/closed_forms.rs`, `tests/full/conservation.rs` and
//! `tests/full/free_fall.rs`.

use crate::gpu::{GpuError, Pass};
use crate::method::explicit::Explicit;
use crate::method::{Setup, Solver, Substep};

/// The solver's kernels.
pub struct SymplecticEuler(Explicit);

impl SymplecticEuler {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let shader = setup.shader("methods/symplectic_euler/substep.wgsl", &[])?;
        Ok(Self(Explicit::new(setup, &shader, "substep")?))
    }
}

impl Solver for SymplecticEuler {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        self.0.record(pass, substep.index as usize % 2);
    }

    fn result(&self, substeps: u32) -> usize {
        substeps as usize % 2
    }
}
