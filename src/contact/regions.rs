//! Kernels that look at whole patches of the surface: `shaders/contact/flatten.wgsl`.

use super::report::GUARD_STRUCT;
use crate::gpu::{Bindings, Bound, GpuError, Kernel, Pass};
use crate::method::Setup;
use crate::method::contact as soft;
use crate::numbers::WORKGROUP_SIZE;

/// Threads of a patch.
const THREADS: u32 = WORKGROUP_SIZE;
/// Features of a region do not cross while they keep this part of their distance at rest.
const UNFOLDED_WIDTH: f64 = 0.3;
/// What rounding may do to the coordinates of the plane at rest, as a factor of a width.
const SLACK: f64 = 1.01;

/// The kernels, bound.
pub struct Regions {
    at_start: [Bound; 2],
    at_end: [Bound; 2],
    patches: u32,
    /// Threads of a patch that look for what is near it.
    looking: u32,
}

impl Regions {
    /// Compiles and binds the kernels for so many patches.
    pub fn new(
        setup: &Setup<'_>,
        bindings: &Bindings,
        constants: &[(&'static str, f64)],
        patches: usize,
    ) -> Result<Self, GpuError> {
        let [reach, margin] = soft::largest_reach(setup.model).map(f64::from);
        let mut at_start = constants.to_vec();
        at_start.extend([
            ("UNFOLDED_WIDTH", UNFOLDED_WIDTH),
            ("FLAT_WIDTH", SLACK * f64::from(soft::SQUEEZED)),
            ("LARGEST_REACH", reach),
            ("LARGEST_MARGIN", margin),
        ]);
        let at_end = [&at_start[..], &[("AT_END", 1.0)]].concat();
        let shader = setup.shader("contact/flatten.wgsl", &[&GUARD_STRUCT])?;
        let kernels = Kernel::compile(
            setup.gpu,
            [
                (&shader, "flatten", &at_start[..]),
                (&shader, "look_around", &at_start),
                (&shader, "flatten", &at_end),
                (&shader, "look_around", &at_end),
            ],
        )?;
        let [flatten, look_around, flatten_end, look_around_end] =
            kernels.map(|kernel| kernel.bind(setup.gpu, bindings));
        Ok(Self {
            at_start: [flatten?, look_around?],
            at_end: [flatten_end?, look_around_end?],
            patches: patches as u32,
            looking: if setup.gpu.is_wide() { THREADS } else { 1 },
        })
    }

    /// Records, where a substep starts, which regions have no pairs that may touch, and which are near nothing else. The tree is fitted.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        self.record_folds(pass);
        pass.dispatch(&self.at_start[1], self.looking * self.patches);
    }

    /// Records only which regions are folded or squeezed where a substep starts.
    pub fn record_folds(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.at_start[0], THREADS * self.patches);
    }

    /// Records, where a substep ends, which regions have no pairs that may cross, and meet nothing else. The tree is fitted.
    pub fn record_end(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.at_end[0], THREADS * self.patches);
        pass.dispatch(&self.at_end[1], self.looking * self.patches);
    }
}
