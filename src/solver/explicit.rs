//! What the explicit methods share: two bound forms of a kernel that reads one pair of state buffers
//! and writes the other, and the air kernel before it.

use super::Setup;
use crate::gpu::{Bindings, Bound, GpuError, Pass, Shader};

/// One kernel in both directions, with air where the settings have it.
pub struct Explicit {
    substep: [Bound; 2],
    air: Option<[Bound; 2]>,
    nodes: u32,
}

impl Explicit {
    /// Binds `entry` of `shader`.
    pub fn new(setup: &Setup<'_>, shader: &Shader, entry: &str) -> Result<Self, GpuError> {
        let kernel = setup.kernel(shader, entry)?;
        let bind = |from| kernel.bind(setup.gpu, &state_bindings(setup, from));
        Ok(Self { substep: [bind(0)?, bind(1)?], air: air(setup)?, nodes: setup.nodes })
    }

    /// Records air and kernel, reading pair `from` and writing the other.
    pub fn record(&self, pass: &mut Pass<'_>, from: usize) {
        if let Some(air) = &self.air {
            pass.dispatch(&air[from], self.nodes);
        }
        pass.dispatch(&self.substep[from], self.nodes);
    }
}

/// The air kernel reading each of the two pairs, where the settings have air.
pub fn air(setup: &Setup<'_>) -> Result<Option<[Bound; 2]>, GpuError> {
    if !setup.settings.has_air() {
        return Ok(None);
    }
    let shader = setup.shader("forces/air.wgsl", &[])?;
    let kernel = setup.kernel(&shader, "drag_matrix")?;
    let bind = |from| kernel.bind(setup.gpu, &state_bindings(setup, from));
    Ok(Some([bind(0)?, bind(1)?]))
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
        .with("applied_out", &fields.applied)
}
