//! Verlet in increment form.
//!
//! p = x - x_prev; p+ = exp(-drag h) p + h^2 a, x+ = x + p+. The velocity buffers hold u = p / h, the
//! velocity half a step before the position's time, so that u = v - h a / 2 at the start and
//! v = u + h a / 2 when it is read. Second order undamped; velocity-dependent forces see u and make it
//! first order. Reference: L. Verlet, Phys. Rev. 159, 98 (1967), doi:10.1103/PhysRev.159.98.
//! Limit: h < 2 / omega ([`crate::method::Stability`]). Tested by `tests/quick/oracle.rs`,
//! `tests/full/closed_forms.rs`, `tests/full/conservation.rs` and `tests/full/free_fall.rs`.

use crate::gpu::{GpuError, Pass};
use crate::method::explicit::Explicit;
use crate::method::{Setup, Solver, Substep};

/// The solver's kernels.
pub struct Verlet {
    substep: Explicit,
    stagger: Explicit,
    synchronize: Explicit,
}

impl Verlet {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let shader = setup.shader("methods/verlet/substep.wgsl", &[])?;
        let substep = Explicit::new(setup, &shader, "substep")?;
        let (stagger, synchronize) =
            (substep.also(setup, &shader, "stagger")?, substep.also(setup, &shader, "synchronize")?);
        Ok(Self { substep, stagger, synchronize })
    }
}

impl Solver for Verlet {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        self.substep.record(pass, substep.index as usize % 2);
    }

    fn result(&self, substeps: u32) -> usize {
        substeps as usize % 2
    }

    fn stagger(&self, pass: &mut Pass<'_>) {
        self.stagger.record(pass, 0);
    }

    fn synchronize(&self, pass: &mut Pass<'_>) {
        self.synchronize.record(pass, 0);
    }
}
