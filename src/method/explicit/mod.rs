//! Shared by the explicit methods: a kernel that reads one pair of state buffers and writes the other, bound both ways; the
//! gathering of external forces before it; and the limit of the step.

use super::Setup;
use super::external::External;
use crate::gpu::{Bindings, Bound, GpuError, Pass, Shader};

/// One kernel in both directions, with external forces where there are any.
pub struct Explicit {
    substep: [Bound; 2],
    external: [Option<External>; 2],
    nodes: u32,
}

impl Explicit {
    /// Binds `entry` of `shader`.
    pub fn new(setup: &Setup<'_>, shader: &Shader, entry: &str) -> Result<Self, GpuError> {
        Self::behind(External::new(setup, [0, 1])?, setup, shader, entry)
    }

    /// Binds another entry behind the same external forces.
    pub fn also(&self, setup: &Setup<'_>, shader: &Shader, entry: &str) -> Result<Self, GpuError> {
        Self::behind(self.external.clone(), setup, shader, entry)
    }

    fn behind(
        external: [Option<External>; 2],
        setup: &Setup<'_>,
        shader: &Shader,
        entry: &str,
    ) -> Result<Self, GpuError> {
        let kernel = setup.kernel(shader, entry)?;
        let bind = |from| kernel.bind(setup.gpu, &state_bindings(setup, from));
        Ok(Self { substep: [bind(0)?, bind(1)?], external, nodes: setup.nodes })
    }

    /// Records external forces and kernel, reading pair `from` and writing the other.
    pub fn record(&self, pass: &mut Pass<'_>, from: usize) {
        if let Some(external) = &self.external[from] {
            external.record(pass);
        }
        pass.dispatch(&self.substep[from], self.nodes);
    }
}

fn state_bindings(setup: &Setup<'_>, from: usize) -> Bindings {
    let fields = setup.fields;
    let bindings = setup.bindings.clone();
    bindings
        .with("position_in", &fields.position[from])
        .with("velocity_in", &fields.velocity[from])
        .with("position_out", &fields.position[1 - from])
        .with("velocity_out", &fields.velocity[1 - from])
        .with("applied", &fields.applied)
}

/// Largest stable step \[s\] of symplectic Euler and Verlet: h^2 omega^2 + 2 h rate < 4 keeps both roots inside the unit circle
/// (Jury's conditions for v+ = v - h (omega^2 x + rate v), x+ = x + h v+).
pub fn largest_step(omega_squared: f64, rate: f64) -> f64 {
    // Infinite where nothing acts.
    4.0 / (rate + (rate * rate + 4.0 * omega_squared).sqrt())
}

/// The opposite: largest omega^2 [1/s^2] that a step of `h` seconds takes.
pub fn largest_omega_squared(rate: f64, h: f64) -> f64 {
    (4.0 / (h * h) - 2.0 * rate / h).max(0.0)
}
