//! Implicit Euler, linearized: one Newton step on backward Euler a substep.
//!
//! D. Baraff, A. Witkin, "Large Steps in Cloth Simulation", SIGGRAPH 1998, doi:10.1145/280814.280821, equation 6,
//! with the spring Jacobian of K.-J. Choi, H.-S. Ko, "Stable but responsive cloth", ACM TOG 21(3), 2002,
//! doi:10.1145/566654.566624: (M + h^2 K + h D) dv = h (f - h K v), a compressed spring without stiffness across it
//! unless the settings say otherwise. Damping, air, handles and bending are part of the matrix, as in the objective of
//! [`crate::method::local_global`], of which this is the first Newton step. Solved by [`crate::method::linear`]. Stable at any
//! step in practice, with the damping of backward Euler. A single Newton step ignores the nonlinear part of the forces, which
//! shows where cloth turns or buckles in large steps. Limit: conjugate gradients carry information one spring an iteration,
//! so that large cloth needs many. Tested by `tests/quick/oracle.rs`, `tests/full/classic.rs` and `tests/full/closed_forms.rs`.

use glam::Vec4;

use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, Kernel, Pass, Reading, Usage, Words};
use crate::method::contact::{Coupled, Coupling};
use crate::method::external::External;
use crate::method::linear::{CONTACT_PRODUCT, LINEAR_STRUCT, Linear, MULTIPLIED, Task, Vectors};
use crate::method::{Effort, Setup, Solver, Substep};
use crate::settings::{LinearSolver, TOLERANCE};

/// t of a compressed spring where the Jacobian is not projected: no bound at all.
const NO_LEAST_ACROSS: f64 = -1e30;

/// The solver's kernels.
pub struct ImplicitEuler {
    external: Option<External>,
    coupling: Option<Coupling>,
    predict: Bound,
    linearize: Bound,
    linear: Linear,
    finish: Bound,
    nodes: u32,
}

impl ImplicitEuler {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, settings) = (setup.gpu, setup.settings);
        let solver = settings.linear_solver();
        let mut constants = setup.constants.clone();
        constants.push(("LEAST_ACROSS", if super::projects(settings) { 0.0 } else { NO_LEAST_ACROSS }));
        constants.push(("MAJORANT", f64::from(u8::from(solver == LinearSolver::Jacobi))));
        let setup = &Setup { constants, bindings: setup.bindings.clone(), ..*setup };
        let rows = setup.pushes.anchor_rows();
        let anchor = Buffer::<Vec4>::zeroed(gpu, "anchor", rows * setup.nodes as usize, Usage::empty())?;
        let first = Buffer::<Vec4>::zeroed(gpu, "first", setup.nodes as usize, Usage::empty())?;
        let vectors = Vectors::new(setup)?;
        let bindings = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("position_in", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            .with("applied", &setup.fields.applied)
            .with("anchor", &anchor)
            .with("first", &first);
        let own = vectors.bind(Bindings::new());
        let coupled = Coupled { first: &first, anchor: &anchor, bindings: &own, row: CONTACT_PRODUCT };
        let coupling =
            setup.soft.map(|soft| Coupling::new(setup, soft, &coupled, &MULTIPLIED)).transpose()?;
        let task = Task {
            solver,
            spring_block: "newton",
            iterations: settings.iterations(),
            tolerance: settings.get(TOLERANCE),
            products: coupling.as_ref().map(|coupling| coupling.products().clone()),
        };
        let shader = setup.shader("methods/implicit_euler/substep.wgsl", &[&LINEAR_STRUCT])?;
        let ends = vectors.bind(bindings.clone());
        let end = |entry| Kernel::new(gpu, &shader, entry, &setup.constants)?.bind(gpu, &ends);
        Ok(Self {
            external: External::of_first(setup)?,
            coupling,
            predict: end("predict")?,
            linearize: end("linearize")?,
            finish: end("finish")?,
            linear: Linear::new(setup, &task, vectors, &bindings)?,
            nodes: setup.nodes,
        })
    }
}

impl Solver for ImplicitEuler {
    fn record(&self, pass: &mut Pass<'_>, _substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        pass.dispatch(&self.predict, self.nodes);
        if let Some(coupling) = &self.coupling {
            coupling.record(pass);
        }
        pass.dispatch(&self.linearize, self.nodes);
        self.linear.record(pass);
        pass.dispatch(&self.finish, self.nodes);
        self.coupling.iter().for_each(|coupling| coupling.record_end(pass));
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }

    fn forget(&self, gpu: &Gpu) {
        self.linear.forget(gpu);
    }

    fn lasting(&self) -> Vec<Words<'_>> {
        vec![self.linear.lasting()]
    }

    fn effort(&self, gpu: &Gpu) -> Reading<Option<Effort>> {
        self.linear.effort(gpu)
    }
}
