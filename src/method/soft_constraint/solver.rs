//! Springs as soft (regularized) constraints.
//!
//! M. Servin, C. Lacoursiere, N. Melin, "Interactive Simulation of Elastic Deformable Materials", SIGRAD 2006: the tension of
//! a spring is averaged over the step and solved for together with the velocities. The average is over [t_n, t_n + h], to
//! first order C + h/2 dC/dt. Conjugate gradients on the Schur complement, preconditioned by its diagonal, find the
//! multipliers, one for each spring. Both ends of a spring store its values, so that all sums are gathered. Damping, air and
//! handles act implicitly. Pairs of
//! surfaces in touch have rows beside those of springs. Bending acts as a force at the substep's start, which limits the step. The averaged law damps far
//! less than backward Euler. Limit: directions are those of the substep's start, so tension limits the step, too:
//! h < 2 / omega_t, omega_t^2 <= 2 max_i w_i sum |tension| / l. Tested by `tests/quick/oracle.rs`,
//! `tests/full/closed_forms.rs` and `tests/full/classic.rs`.

use glam::Vec4;

use super::pairs::Pairs;
use crate::gpu::{Bound, Buffer, Gpu, GpuError, Kernel, Pass, Reading, Usage, Words};
use crate::method::external::External;
use crate::method::linear::{Control, LINEAR_STRUCT, Sum, Sums, Term};
use crate::method::{Effort, Setup, Solver, Substep};
use crate::settings::TOLERANCE;

/// Rows of `anchor`.
pub const ROWS: u64 = 5;

/// The solver's kernels.
pub struct SoftConstraint {
    external: Option<External>,
    pairs: Option<Pairs>,
    predict: Bound,
    compute_right_hand_side: Bound,
    begin: Sum,
    /// In the first and in later iterations.
    update_direction: [Bound; 2],
    multiply: Bound,
    compute_alpha: Sum,
    update_solution: [Bound; 2],
    compute_beta: Sum,
    scatter: Bound,
    finish: Bound,
    control: Control,
    nodes: u32,
    iterations: u32,
    has_tolerance: bool,
}

impl SoftConstraint {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, settings) = (setup.gpu, setup.settings);
        let rows = ROWS as usize * setup.nodes as usize;
        let control = Control::new(setup)?;
        let of_slots = |label| Buffer::<f32>::zeroed(gpu, label, setup.slots, Usage::empty());
        let bindings = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("start", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            .with("applied", &setup.fields.applied)
            .with("anchor", &Buffer::<Vec4>::zeroed(gpu, "anchor", rows, Usage::empty())?)
            .with("lambda", &of_slots("lambda")?)
            .with("residual", &of_slots("residual")?)
            .with("direction", &of_slots("direction")?)
            .with("product", &of_slots("product")?)
            .with("inverse", &of_slots("inverse")?);
        let bindings = control.bind(bindings);
        let tolerance = ("TOLERANCE", settings.get(TOLERANCE).map_or(0.0, f64::from));
        let constants = [&setup.constants[..], &[tolerance]].concat();
        let ends = setup.shader("methods/soft_constraint/ends.wgsl", &[])?;
        let shader = setup.shader("methods/soft_constraint/solve.wgsl", &[&LINEAR_STRUCT])?;
        let end = |entry| Kernel::new(gpu, &ends, entry, &constants)?.bind(gpu, &bindings);
        let step = |entry, is_first: bool| {
            let constants = [&constants[..], &[("IS_FIRST", f64::from(u8::from(is_first)))]].concat();
            Kernel::new(gpu, &shader, entry, &constants)?.bind(gpu, &bindings)
        };
        let sums = Sums::new(setup, "springs", &constants, &bindings)?;
        Ok(Self {
            external: External::of_first(setup)?,
            pairs: setup.soft.map(|soft| Pairs::new(setup, soft, &bindings, tolerance)).transpose()?,
            predict: end("predict")?,
            compute_right_hand_side: step("compute_right_hand_side", false)?,
            update_direction: [step("update_direction", true)?, step("update_direction", false)?],
            multiply: step("multiply_direction", false)?,
            update_solution: [step("update_solution", true)?, step("update_solution", false)?],
            begin: sums.of(Term::Residual, 0)?,
            compute_alpha: sums.of(Term::Curvature, 1)?,
            compute_beta: sums.of(Term::Residual, 1)?,
            scatter: step("scatter", false)?,
            finish: end("finish")?,
            control,
            nodes: setup.nodes,
            iterations: settings.iterations(),
            has_tolerance: settings.get(TOLERANCE).is_some(),
        })
    }
}

impl Solver for SoftConstraint {
    fn record(&self, pass: &mut Pass<'_>, _substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        let pairs = self.pairs.iter();
        pass.dispatch(&self.predict, self.nodes);
        pass.dispatch(&self.compute_right_hand_side, self.nodes);
        pairs.clone().for_each(|pairs| pairs.record_begin(pass));
        self.begin.record(pass);
        for k in 0..self.iterations as usize {
            pass.dispatch(&self.update_direction[k.min(1)], self.nodes);
            pairs.clone().for_each(|pairs| pairs.record_directions(pass, k));
            pass.dispatch(&self.multiply, self.nodes);
            pairs.clone().for_each(|pairs| pairs.record_product(pass));
            self.compute_alpha.record(pass);
            pass.dispatch(&self.update_solution[k.min(1)], self.nodes);
            pairs.clone().for_each(|pairs| pairs.record_step(pass));
            self.compute_beta.record(pass);
        }
        pass.dispatch(&self.scatter, self.nodes);
        pairs.clone().for_each(|pairs| pairs.record_end(pass));
        pass.dispatch(&self.finish, self.nodes);
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }

    fn forget(&self, gpu: &Gpu) {
        self.control.forget(gpu);
    }

    fn lasting(&self) -> Vec<Words<'_>> {
        vec![self.control.lasting()]
    }

    fn effort(&self, gpu: &Gpu) -> Reading<Option<Effort>> {
        match self.has_tolerance {
            true => self.control.effort(gpu),
            false => Reading::ready(None),
        }
    }
}
