//! Sums over all nodes for iterations over nodes or springs, one for each copy of the scene, and what follows from them:
//! how far to go, how much to keep, when to end.

use std::sync::Arc;

use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Shader, Usage, Words, twin,
};
use crate::method::{Effort, Setup};
use crate::numbers::SUMMING;

/// Nodes that a thread adds up, and the most threads of a copy: enough to fill a GPU.
const PART: u32 = 16;
const MOST_PARTS: u32 = 4096;
twin! {
    /// Host twin of WGSL `LinearControl`.
    #[derive(Default)]
    struct LinearControl = "LinearControl" {
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

    /// Forgets how many iterations there were.
    pub fn forget(&self, gpu: &Gpu) {
        self.buffer.write(gpu, 0, &vec![LinearControl::default(); self.buffer.len()]);
    }

    /// What is left of earlier systems: counters.
    pub fn lasting(&self) -> Words<'_> {
        self.buffer.words()
    }

    /// Iterations so far.
    pub fn effort(&self, gpu: &Gpu) -> Result<Effort, GpuError> {
        let control = self.buffer.read(gpu)?[0];
        Ok(Effort {
            substeps: control.systems,
            iterations: control.total,
            most: control.most,
            unfinished: control.systems - control.solved,
            rounded: 0,
        })
    }
}

/// What is summed, TERM in `methods/linear/term.wgsl`.
#[derive(Clone, Copy)]
pub enum Term {
    /// p . A p, for how far to go along the direction.
    Curvature = 0,
    /// r . z and |r|^2, for how much of the direction is kept.
    Residual = 1,
    /// |b - A u|^2 of sweeps.
    LeftOfSweeps = 2,
}

/// What sums are made from.
pub struct Sums<'a> {
    setup: &'a Setup<'a>,
    shader: Shader,
    /// TOLERANCE, FORGETS and PARTS, and those of the setup.
    constants: Vec<(&'static str, f64)>,
    bindings: Bindings,
    parts: u32,
    /// Whether each node has added up what its springs' vectors come to.
    is_prepared: bool,
}

/// A sum over the nodes, and what follows from it.
pub struct Sum {
    add_up: Bound,
    conclude: Bound,
    parts: u32,
    copies: u32,
    /// Bytes of the vectors that are summed.
    bytes: u64,
}

impl<'a> Sums<'a> {
    /// Loads the shader. `terms` is the word that chooses what is summed; `constants` have TOLERANCE and
    /// FORGETS, `bindings` what the terms and the control are bound to.
    pub fn new(
        setup: &'a Setup<'a>,
        terms: &'static str,
        constants: &[(&'static str, f64)],
        bindings: &Bindings,
    ) -> Result<Self, GpuError> {
        // As many for each copy as for one alone: its sums must be the same bits.
        let of_copy = (setup.nodes / setup.copies).div_ceil(PART).clamp(1, MOST_PARTS);
        let parts = of_copy * setup.copies;
        let buffer = Buffer::<[f32; 2]>::zeroed(setup.gpu, "parts", parts as usize, Usage::empty())?;
        Ok(Self {
            setup,
            shader: setup.shader_with("methods/linear/sums.wgsl", &[terms], &[&LINEAR_STRUCT])?,
            constants: [constants, &[("PARTS", f64::from(of_copy))]].concat(),
            bindings: bindings.clone().with("parts", &buffer),
            parts,
            is_prepared: terms == "springs",
        })
    }

    /// The sum of a term, `since` iterations after the last look at the residual; 0: before the first.
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
        Ok(Sum { add_up: bound("add_up")?, conclude: bound("conclude")?, parts, copies, bytes })
    }
}

impl Sum {
    /// Records the sum and what follows from it.
    pub fn record(&self, pass: &mut Pass<'_>) {
        let parts = 8 * u64::from(self.parts);
        pass.dispatch_moving(&self.add_up, self.parts, &[], self.bytes + parts);
        pass.dispatch_moving(&self.conclude, self.copies * SUMMING, &[], parts);
    }
}
