//! Pairs of surfaces in touch as rows of the linear system: `shaders/methods/soft_constraint/pairs.wgsl`.

use glam::Vec4;

use crate::gpu::{Bindings, Bound, Buffer, GpuError, Indirect, Kernel, Pass, Usage};
use crate::method::Setup;
use crate::method::contact::{Presses, SLOTS, STRUCTS, Soft};
use crate::method::linear::LINEAR_STRUCT;

/// Vectors of a slot in each of the two buffers.
const VECTORS: usize = 2;

/// The kernels.
pub struct Pairs {
    presses: Presses,
    begin: Bound,
    /// In the first and in later iterations.
    update_directions: [Bound; 2],
    /// In an iteration, which a tolerance may end, and at the end.
    move_by: [Bound; 2],
    multiply: Bound,
    update: Bound,
    scatter: Bound,
    listed: Indirect,
}

impl Pairs {
    /// Compiles and binds them. `bindings` name the solver's buffers; `tolerance`: the constant of kernels that it may end.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        bindings: &Bindings,
        tolerance: (&'static str, f64),
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let slots = VECTORS * SLOTS as usize * setup.nodes as usize;
        let vectors = |label| Buffer::<Vec4>::zeroed(gpu, label, slots, Usage::empty());
        let bindings = soft
            .bindings()
            .clone()
            .and(bindings)
            .with("position_in", &setup.fields.position[0])
            .with("velocity_in", &setup.fields.velocity[0])
            .with("applied_out", &setup.fields.applied)
            .with("pair_solution", &vectors("pair_solution")?)
            .with("pair_search", &vectors("pair_search")?);
        let shader = setup.shader("methods/soft_constraint/pairs.wgsl", &[STRUCTS[0], &LINEAR_STRUCT])?;
        let bind = |entry, own: &[(&'static str, f64)]| {
            Kernel::new(gpu, &shader, entry, &[&setup.constants[..], own].concat())?.bind(gpu, &bindings)
        };
        // The system begins from y, which `anchor` has.
        let of_presses = bindings.clone().aliased("first", "anchor");
        Ok(Self {
            presses: Presses::new(setup, soft, &of_presses, true)?,
            begin: bind("begin_pairs", &[])?,
            update_directions: [
                bind("update_pair_directions", &[("IS_FIRST", 1.0), tolerance])?,
                bind("update_pair_directions", &[tolerance])?,
            ],
            move_by: [bind("move_by_pairs", &[tolerance])?, bind("move_by_pairs", &[])?],
            multiply: bind("multiply_pairs", &[tolerance])?,
            update: bind("update_pairs", &[tolerance])?,
            scatter: bind("scatter_pairs", &[])?,
            listed: soft.listed().clone(),
        })
    }

    /// Records their right-hand side, behind that of springs.
    pub fn record_begin(&self, pass: &mut Pass<'_>) {
        self.presses.record(pass);
        pass.dispatch_indirect(&self.begin, &self.listed);
    }

    /// Records the search direction of an iteration, behind that of springs.
    pub fn record_directions(&self, pass: &mut Pass<'_>, iteration: usize) {
        pass.dispatch_indirect(&self.update_directions[iteration.min(1)], &self.listed);
        pass.dispatch_indirect(&self.move_by[0], &self.listed);
    }

    /// Records its product with the matrix, behind that of springs.
    pub fn record_product(&self, pass: &mut Pass<'_>) {
        pass.dispatch_indirect(&self.multiply, &self.listed);
    }

    /// Records the step along it, behind that of springs.
    pub fn record_step(&self, pass: &mut Pass<'_>) {
        pass.dispatch_indirect(&self.update, &self.listed);
    }

    /// Records what they move at the end, behind what springs do.
    pub fn record_end(&self, pass: &mut Pass<'_>) {
        pass.dispatch_indirect(&self.scatter, &self.listed);
        pass.dispatch_indirect(&self.move_by[1], &self.listed);
    }
}
