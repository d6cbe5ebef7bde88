//! Pairs of surfaces in touch as rows of the linear system: `shaders/methods/soft_constraint/pairs.wgsl`.

use glam::Vec4;

use crate::gpu::{Bindings, Bound, Buffer, GpuError, Indirect, Kernel, Pass, Usage, Words};
use crate::method::Setup;
use crate::method::contact::{Presses, SLOTS, STRUCTS, Soft, TouchRow};
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
    /// Where colliders read what pairs did.
    kept: Option<Kept>,
    listed: Indirect,
    nodes: u32,
}

/// The kernels that keep the forces of pairs for the next substep.
struct Kept {
    row: TouchRow,
    clear: Bound,
    gather: Bound,
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
            presses: Presses::new(setup, soft, &of_presses, &[("IN_MATRIX", 1.0)])?,
            begin: bind("begin_pairs", &[])?,
            update_directions: [
                bind("update_pair_directions", &[("IS_FIRST", 1.0), tolerance])?,
                bind("update_pair_directions", &[tolerance])?,
            ],
            move_by: [bind("move_by_pairs", &[tolerance])?, bind("move_by_pairs", &[])?],
            multiply: bind("multiply_pairs", &[tolerance])?,
            update: bind("update_pairs", &[tolerance])?,
            scatter: bind("scatter_pairs", &[])?,
            kept: TouchRow::of(setup).map(|row| Kept::new(setup, row, &bindings)).transpose()?,
            listed: soft.listed().clone(),
            nodes: setup.nodes,
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
        if let Some(kept) = &self.kept {
            pass.dispatch(&kept.clear, self.nodes);
            pass.dispatch_indirect(&kept.gather, &self.listed);
        }
    }

    /// What lasts from substep to substep.
    pub fn lasting(&self) -> Option<Words<'_>> {
        self.kept.as_ref().map(|kept| kept.row.words())
    }
}

impl Kept {
    fn new(setup: &Setup<'_>, row: TouchRow, bindings: &Bindings) -> Result<Self, GpuError> {
        let shader = setup.shader_with("contact/gather.wgsl", &["always"], &STRUCTS[..1])?;
        // The sums go where colliders read them.
        let own = [("CONTACT_ROW", setup.pushes.touch_row() as f64)];
        let bind = |entry| {
            Kernel::new(setup.gpu, &shader, entry, &[&setup.constants[..], &own].concat())?
                .bind(setup.gpu, bindings)
        };
        Ok(Self { row, clear: bind("clear_kept")?, gather: bind("gather_presses")? })
    }
}
