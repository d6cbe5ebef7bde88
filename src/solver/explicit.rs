//! What the explicit methods share: two bound forms of a kernel that reads one pair of state buffers
//! and writes the other, and what gathers external forces before it.

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
