//! Where a substep's iterations begin.

use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage};
use crate::method::Setup;
use crate::method::parts::Parts;
use crate::settings::START;
use crate::settings::Start as Choice;

/// Bytes that are read of a node: x_0 and v.
const NODE_BYTES: u64 = 32;

/// The kernels that choose the start, bound.
pub struct Start {
    /// Sums the energies that decide; none where the user decides.
    add_energies: Option<Bound>,
    begin: Bound,
    parts: Parts,
    copies: u32,
    /// Bytes that the sums of all copies move.
    bytes: u64,
}

impl Start {
    /// Compiles and binds the kernels; `common` names the solver's buffers.
    pub fn new(setup: &Setup<'_>, common: &Bindings) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let parts = Parts::of_some(setup);
        let buffer = Buffer::<[f32; 4]>::zeroed(gpu, "parts", 2 * parts.total as usize, Usage::empty())?;
        let bindings = common.clone().with("position_in", &setup.fields.position[0]).with("parts", &buffer);
        let mut constants = setup.constants.clone();
        constants.push(parts.constant());
        let setup = &Setup { constants, bindings: setup.bindings.clone(), ..*setup };
        let shader =
            setup.shader("methods/newton_multigrid/start.wgsl", &[&CONTROL_STRUCT, &ITERATION_STRUCT])?;
        let bound = |entry| setup.kernel(&shader, entry)?.bind(gpu, &bindings);
        let is_chosen = setup.settings.value(START) == Choice::Auto;
        Ok(Self {
            add_energies: is_chosen.then(|| bound("add_energies")).transpose()?,
            begin: bound("begin")?,
            parts,
            copies: setup.copies,
            bytes: NODE_BYTES * u64::from(parts.nodes) + 32 * u64::from(parts.total),
        })
    }

    /// Records the beginning of a substep.
    pub fn record(&self, pass: &mut Pass<'_>) {
        if let Some(add_energies) = &self.add_energies {
            pass.dispatch_moving(add_energies, self.parts.threads, &[], self.bytes);
        }
        pass.dispatch(&self.begin, self.begin.threads(self.copies));
    }
}
