//! Kernels that look at whole patches of the surface, and at tiles: `shaders/contact/flatten.wgsl`, `tiles.wgsl`.

use super::report::GUARD_STRUCT;
use crate::gpu::{Bindings, Bound, GpuError, Kernel, Pass};
use crate::method::Setup;
use crate::method::contact as soft;
use crate::numbers::WORKGROUP_SIZE;

/// Threads of a patch.
const THREADS: u32 = WORKGROUP_SIZE;
/// Threads that look around a patch and around a tile, on adapters that have threads to spare.
const WIDE: [u32; 2] = [THREADS, 8];
/// Features of a region do not cross while they keep this part of their distance at rest.
const UNFOLDED_WIDTH: f64 = 0.3;
/// What rounding may do to the coordinates of the plane at rest, as a factor of a width.
const SLACK: f64 = 1.01;

/// The kernels, bound.
pub struct Regions {
    at_start: Stages,
    at_end: Stages,
    patches: u32,
    tiles: u32,
    /// Threads that look for what is near a patch, and near a tile.
    looking: [u32; 2],
}

/// What is done at the start of a substep, or at its end.
struct Stages {
    flatten: Bound,
    look_around: Bound,
    fold_tiles: Bound,
    look_closer: Bound,
}

impl Regions {
    /// Compiles and binds the kernels for so many patches and tiles.
    pub fn new(
        setup: &Setup<'_>,
        bindings: &Bindings,
        [patches, tiles]: [usize; 2],
    ) -> Result<Self, GpuError> {
        let mut at_start = setup.constants.clone();
        at_start
            .extend([("UNFOLDED_WIDTH", UNFOLDED_WIDTH), ("FLAT_WIDTH", SLACK * f64::from(soft::SQUEEZED))]);
        let at_end = [&at_start[..], &[("AT_END", 1.0)]].concat();
        let shader = setup.shader("contact/flatten.wgsl", &[&GUARD_STRUCT])?;
        let closer = setup.shader("contact/tiles.wgsl", &[&GUARD_STRUCT])?;
        let stages = |constants: &[(&'static str, f64)]| -> Result<Stages, GpuError> {
            let kernels = Kernel::compile(
                setup.gpu,
                [
                    (&shader, "flatten", constants),
                    (&shader, "look_around", constants),
                    (&closer, "fold_tiles", constants),
                    (&closer, "look_closer", constants),
                ],
            )?;
            let [flatten, look_around, fold_tiles, look_closer] =
                kernels.map(|kernel| kernel.bind(setup.gpu, bindings));
            Ok(Stages {
                flatten: flatten?,
                look_around: look_around?,
                fold_tiles: fold_tiles?,
                look_closer: look_closer?,
            })
        };
        Ok(Self {
            at_start: stages(&at_start)?,
            at_end: stages(&at_end)?,
            patches: patches as u32,
            tiles: tiles as u32,
            looking: if setup.gpu.is_wide() { WIDE } else { [1, 1] },
        })
    }

    /// Records, where a substep starts, which regions have no pairs that may touch, and which are near nothing else; nodes that may be near
    /// something are marked. The tree is fitted.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        self.record(pass, &self.at_start);
    }

    /// Records, where a substep ends, which regions have no pairs that may cross, and meet nothing else. The tree is fitted.
    pub fn record_end(&self, pass: &mut Pass<'_>) {
        self.record(pass, &self.at_end);
    }

    fn record(&self, pass: &mut Pass<'_>, stages: &Stages) {
        pass.dispatch(&stages.flatten, THREADS * self.patches);
        pass.dispatch(&stages.fold_tiles, self.tiles);
        pass.dispatch(&stages.look_around, self.looking[0] * self.patches);
        pass.dispatch(&stages.look_closer, self.looking[1] * self.tiles);
    }
}
