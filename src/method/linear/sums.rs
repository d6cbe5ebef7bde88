//! Dot products over nodes or springs for each copy of the scene, and the scalars that follow from them: alpha, beta, and
//! whether the system is solved.

use std::sync::Arc;

use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Reading, Shader, Usage, Words, twin,
};
use crate::method::parts::Parts;
use crate::method::{Effort, Setup};

twin! {
    /// Host twin of WGSL `LinearControl`.
    #[derive(Default)]
    struct LinearControl = "LinearControl" {
        rz: f32,
        alpha: f32,
        beta: f32,
        b_squared: f32,
        is_solved: u32,
        used: u32,
        most: u32,
        total: u32,
        systems: u32,
        solved: u32,
    }
}

/// For shaders that import `methods/linear/control.wgsl`.
pub const LINEAR_STRUCT: HostStruct = LinearControl::TWIN;

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

    /// Resets the counters.
    pub fn forget(&self, gpu: &Gpu) {
        self.buffer.write(gpu, 0, &vec![LinearControl::default(); self.buffer.len()]);
    }

    /// The state that lasts from system to system: counters.
    pub fn lasting(&self) -> Words<'_> {
        self.buffer.words()
    }

    /// Iterations so far.
    pub fn effort(&self, gpu: &Gpu) -> Reading<Option<Effort>> {
        self.buffer.ask_range(gpu, 0..1).map(|control| {
            let control = control[0];
            Some(Effort {
                substeps: control.systems,
                iterations: control.total,
                most: control.most,
                unfinished: control.systems - control.solved,
                rounded: 0,
            })
        })
    }
}

/// What is summed, TERM in `methods/linear/term.wgsl`.
#[derive(Clone, Copy)]
pub enum Term {
    /// p . A p, for alpha.
    Curvature = 0,
    /// r . z and |r|^2, for beta and for the tolerance.
    Residual = 1,
    /// |b - A u|^2 of sweeps.
    SweepResidual = 2,
}

/// The shader and the buffers of sums.
pub struct Sums<'a> {
    setup: &'a Setup<'a>,
    shader: Shader,
    /// TOLERANCE and STEEPEST_DESCENT, and the constants of the setup.
    constants: Vec<(&'static str, f64)>,
    bindings: Bindings,
    parts: Parts,
    /// Whether each node has already added up the terms of its springs.
    is_prepared: bool,
}

/// A sum over the nodes, and the scalars that follow from it.
pub struct Sum {
    add_parts: Bound,
    reduce: Bound,
    parts: Parts,
    copies: u32,
    /// Bytes of the vectors that are summed.
    bytes: u64,
}

impl<'a> Sums<'a> {
    /// Loads the shader. `terms` is the word that chooses what is summed; `constants` have TOLERANCE and
    /// STEEPEST_DESCENT, `bindings` have the buffers of the terms and of the control.
    pub fn new(
        setup: &'a Setup<'a>,
        terms: &'static str,
        constants: &[(&'static str, f64)],
        bindings: &Bindings,
    ) -> Result<Self, GpuError> {
        let parts = Parts::new(setup);
        let buffer = Buffer::<[f32; 2]>::zeroed(setup.gpu, "parts", parts.total as usize, Usage::empty())?;
        Ok(Self {
            setup,
            shader: setup.shader_with("methods/linear/sums.wgsl", &[terms], &[&LINEAR_STRUCT])?,
            constants: constants.to_vec(),
            bindings: bindings.clone().with("parts", &buffer),
            parts,
            is_prepared: terms == "springs",
        })
    }

    /// The sum of a term, `since` iterations after the last check of the residual; 0: before the first iteration.
    pub fn of(&self, term: Term, since: u32) -> Result<Sum, GpuError> {
        let own = [("TERM", f64::from(term as u32)), ("SINCE", f64::from(since))];
        let constants = [&self.constants[..], &own].concat();
        let bound = |entry| {
            Kernel::new(self.setup.gpu, &self.shader, entry, &constants)?.bind(self.setup.gpu, &self.bindings)
        };
        let (parts, copies) = (self.parts, self.setup.copies);
        let vectors = match term {
            Term::Curvature | Term::Residual if !self.is_prepared => 2,
            _ => 1,
        };
        let bytes = vectors * 16 * u64::from(self.setup.nodes);
        Ok(Sum { add_parts: bound("add_parts")?, reduce: bound("reduce")?, parts, copies, bytes })
    }
}

impl Sum {
    /// Records the sum and the update of the scalars.
    pub fn record(&self, pass: &mut Pass<'_>) {
        let parts = 8 * u64::from(self.parts.total);
        pass.dispatch_moving(&self.add_parts, self.parts.threads, &[], self.bytes + parts);
        pass.dispatch_moving(&self.reduce, self.reduce.threads(self.copies), &[], parts);
    }
}
