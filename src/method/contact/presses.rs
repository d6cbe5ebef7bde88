//! The normal force and friction of each pair, from where nodes go in a substep before pairs push them.

use super::soft::{STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, GpuError, Indirect, Kernel, Pass};
use crate::method::Setup;

/// The kernels.
pub struct Presses {
    press: Bound,
    gather_loads: Bound,
    rub: Bound,
    listed: Indirect,
}

impl Presses {
    /// Compiles and binds them, with values of WGSL overrides of the method's `own`.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        bindings: &Bindings,
        own: &[(&'static str, f64)],
    ) -> Result<Self, GpuError> {
        let bind = |file, entry| kernel(setup, file, entry, own)?.bind(setup.gpu, bindings);
        Ok(Self {
            press: bind("contact/press.wgsl", "press")?,
            gather_loads: bind("contact/gather.wgsl", "gather_loads")?,
            rub: bind("contact/rub.wgsl", "rub")?,
            listed: soft.listed().clone(),
        })
    }

    /// Records them.
    pub fn record(&self, pass: &mut Pass<'_>) {
        for kernel in [&self.press, &self.gather_loads, &self.rub] {
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
