//! What iterations over nodes or springs need of sums, one for each copy of the scene: how far to go, how much to keep,
//! when to end.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Usage};
use crate::shaders;
use crate::solver::{Effort, Setup};

/// Threads of a workgroup that sums, SUMMING in `shared/group_sum.wgsl`.
const SUMMING: u32 = 256;
/// Nodes that a thread adds up, and the most threads of a copy: enough to fill a GPU.
const PART: u32 = 16;
const MOST_PARTS: u32 = 4096;
/// Sweeps between two looks at the residual.
pub const LOOK_EVERY: u32 = 10;

/// Host twin of WGSL `LinearControl`.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
struct LinearControl {
    slope: f32,
    along: f32,
    kept: f32,
    right: f32,
    is_solved: u32,
    used: u32,
    most: u32,
    total: u32,
    systems: u32,
    solved: u32,
}

/// For shaders that import `shared/linear_control.wgsl`.
pub const LINEAR_STRUCT: HostStruct = HostStruct {
    name: "LinearControl",
    size: size_of::<LinearControl>(),
    fields: &[
        ("slope", std::mem::offset_of!(LinearControl, slope)),
        ("along", std::mem::offset_of!(LinearControl, along)),
        ("kept", std::mem::offset_of!(LinearControl, kept)),
        ("right", std::mem::offset_of!(LinearControl, right)),
        ("is_solved", std::mem::offset_of!(LinearControl, is_solved)),
        ("used", std::mem::offset_of!(LinearControl, used)),
        ("most", std::mem::offset_of!(LinearControl, most)),
        ("total", std::mem::offset_of!(LinearControl, total)),
        ("systems", std::mem::offset_of!(LinearControl, systems)),
        ("solved", std::mem::offset_of!(LinearControl, solved)),
    ],
};

/// The scalars of a system on the GPU.
#[derive(Clone)]
pub struct Control {
    buffer: Arc<Buffer<LinearControl>>,
}

impl Control {
    /// Zeroed.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let buffer = Buffer::zeroed(setup.gpu, "linear", setup.copies as usize, Usage::empty())?;
        Ok(Self { buffer: Arc::new(buffer) })
    }

    /// `bindings` with them.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        bindings.with("linear", &self.buffer)
    }

    /// Forgets how many iterations there were.
    pub fn forget(&self, gpu: &Gpu) {
        self.buffer.write(gpu, 0, &vec![LinearControl::default(); self.buffer.len()]);
    }

    /// Iterations so far.
    pub fn effort(&self, gpu: &Gpu) -> Result<Effort, GpuError> {
        let control = self.buffer.read(gpu)?[0];
        Ok(Effort {
            substeps: control.systems,
            iterations: control.total,
            most: control.most,
            unfinished: control.systems - control.solved,
        })
    }
}

/// The kernels that sum and decide, bound.
pub struct Sums {
    set_out: Step,
    set_along: Step,
    set_kept: Step,
    judge: Step,
    /// The last look, after fewer sweeps than there are between two.
    judge_rest: Step,
}

/// A sum over the nodes, and what follows from it.
struct Step {
    add: Bound,
    set: Bound,
    parts: u32,
    copies: u32,
}

impl Step {
    fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.add, self.parts);
        pass.dispatch(&self.set, self.copies * SUMMING);
    }
}

impl Sums {
    /// Compiles and binds the kernels. `terms` names the file that stands for [`shaders::LINEAR_TERMS`]; `constants`
    /// are TOLERANCE and FORGETS, `iterations` the most there are, `bindings` what the terms and the control are bound to.
    pub fn new(
        setup: &Setup<'_>,
        terms: &'static str,
        constants: &[(&'static str, f64)],
        iterations: u32,
        bindings: &Bindings,
    ) -> Result<Self, GpuError> {
        let (gpu, copies) = (setup.gpu, setup.copies);
        // As many for each copy as for one alone: its sums must be the same bits.
        let of_copy = (setup.nodes / copies).div_ceil(PART).clamp(1, MOST_PARTS);
        let parts = of_copy * copies;
        let buffer = Buffer::<[f32; 2]>::zeroed(gpu, "parts", parts as usize, Usage::empty())?;
        let bindings = bindings.clone().with("parts", &buffer);
        let shader = setup.shader_with(
            "solvers/linear_sums.wgsl",
            &[(shaders::LINEAR_TERMS, terms)],
            &[&LINEAR_STRUCT],
        )?;
        let step = |add, set, since: u32| -> Result<Step, GpuError> {
            let own = [("PARTS", f64::from(of_copy)), ("SINCE", f64::from(since))];
            let constants = [constants, &own].concat();
            let bound = |entry| Kernel::new(gpu, &shader, entry, &constants)?.bind(gpu, &bindings);
            Ok(Step { add: bound(add)?, set: bound(set)?, parts, copies })
        };
        Ok(Self {
            set_out: step("add_residual", "set_out", 1)?,
            set_along: step("add_curvature", "set_along", 1)?,
            set_kept: step("add_residual", "set_kept", 1)?,
            judge: step("add_left", "judge", LOOK_EVERY)?,
            judge_rest: step("add_left", "judge", iterations % LOOK_EVERY)?,
        })
    }

    /// Records what a system begins with.
    pub fn set_out(&self, pass: &mut Pass<'_>) {
        self.set_out.record(pass);
    }

    /// Records how far to go along the direction.
    pub fn set_along(&self, pass: &mut Pass<'_>) {
        self.set_along.record(pass);
    }

    /// Records how much of the direction is kept, and the end of an iteration.
    pub fn set_kept(&self, pass: &mut Pass<'_>) {
        self.set_kept.record(pass);
    }

    /// Records a look at what sweeps have left; `is_last`: after fewer than there are between two looks.
    pub fn judge(&self, pass: &mut Pass<'_>, is_last: bool) {
        if is_last { &self.judge_rest } else { &self.judge }.record(pass);
    }
}
