//! The normal force and friction of each pair, from where nodes go in a substep before pairs push them.

use super::soft::{STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, GpuError, Indirect, Kernel, Pass};
use crate::method::Setup;

/// Files and entry points.
const PRESS: (&str, &str) = ("contact/press.wgsl", "press");
const GATHER_LOADS: (&str, &str) = ("contact/gather.wgsl", "gather_loads");
const LIMIT: (&str, &str) = ("contact/limit.wgsl", "limit");
const GATHER_LIMITS: (&str, &str) = ("contact/gather.wgsl", "gather_limits");
const RUB: (&str, &str) = ("contact/rub.wgsl", "rub");

/// The kernels.
pub struct Presses {
    /// In order.
    kernels: Vec<Bound>,
    listed: Indirect,
}

impl Presses {
    /// Compiles and binds them, as forces or as part of a matrix.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        bindings: &Bindings,
        is_in_matrix: bool,
    ) -> Result<Self, GpuError> {
        let own = if is_in_matrix { &[("IN_MATRIX", 1.0)][..] } else { &[] };
        let bind = |file, entry| kernel(setup, file, entry, own)?.bind(setup.gpu, bindings);
        // In a matrix the normal force is a guess.
        let kernels = match is_in_matrix {
            true => &[PRESS, GATHER_LOADS, LIMIT, GATHER_LIMITS, RUB][..],
            false => &[PRESS, GATHER_LIMITS, RUB],
        };
        let kernels = kernels.iter().map(|(file, entry)| bind(file, entry)).collect::<Result<_, _>>()?;
        Ok(Self { kernels, listed: soft.listed().clone() })
    }

    /// Records them.
    pub fn record(&self, pass: &mut Pass<'_>) {
        for kernel in &self.kernels {
            pass.dispatch_indirect(kernel, &self.listed);
        }
    }
}

/// A kernel of contact that runs always.
pub(super) fn kernel(
    setup: &Setup<'_>,
    file: &str,
    entry: &str,
    own: &[(&'static str, f64)],
) -> Result<Kernel, GpuError> {
    let structs = if file.ends_with("press.wgsl") { &STRUCTS[..] } else { &STRUCTS[..1] };
    Kernel::new(
        setup.gpu,
        &setup.shader_with(file, &["always"], structs)?,
        entry,
        // Later ones count.
        &[&setup.constants[..], own].concat(),
    )
}
