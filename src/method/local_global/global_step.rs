//! Local/global with the global step solved by conjugate gradients.
//!
//! T. Liu, A. Bargteil, J. O'Brien, L. Kavan, "Fast Simulation of Mass-Spring Systems", ACM TOG 32(6),
//! 2013, doi:10.1145/2508363.2508406, equations 8 to 14, as in [`crate::method::local_global`]. The paper factors the constant
//! matrix M + h^2 L once; here [`crate::method::linear`] solves with it in each iteration, by `sweeps` steps or to the
//! tolerance. Dashpots are part of the matrix with the directions of the substep's start. Stable at any step. Limit: the local
//! step turns springs only a little in each iteration, so many iterations are needed however well each system is solved.
//! Tested by `tests/quick/oracle.rs` and `tests/full/classic.rs`.

use std::iter;

use super::solver::unwatched;
use crate::gpu::{Bound, Gpu, GpuError, Pass, Reading, Words};
use crate::method::anchor::{Anchor, Settle};
use crate::method::contact::{Iterates, Meeting, Place};
use crate::method::external::External;
use crate::method::linear::{CONTACT_PRODUCT, LINEAR_STRUCT, Linear, MULTIPLIED, Task, Vectors};
use crate::method::{Effort, Setup, Solver, Substep};
use crate::settings::TOLERANCE;

/// The solver's kernels.
pub struct GlobalStep {
    external: Option<External>,
    anchor: Anchor,
    settle: Settle,
    predict: Bound,
    project: Bound,
    linear: Linear,
    meeting: Option<Meeting>,
    advance: Bound,
    finish: Bound,
    nodes: u32,
    iterations: u32,
}

impl GlobalStep {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, settings) = (setup.gpu, setup.settings);
        let anchor = Anchor::new(setup, setup.pushes.anchor_rows())?;
        let setup = &Setup {
            constants: [&setup.constants[..], &anchor.constants()].concat(),
            bindings: setup.bindings.clone(),
            ..*setup
        };
        let vectors = Vectors::new(setup)?;
        let bindings = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("position_in", &setup.fields.position[0])
            .with("start", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            // The second position buffer is free: this solver ends every substep in the first.
            .with("iterate", &setup.fields.position[1])
            .with("applied", &setup.fields.applied)
            .with("anchor", &anchor.buffer)
            .with("monitor", &unwatched(setup)?);
        let bindings = vectors.bind(bindings);
        let at = bindings
            .clone()
            .with("position_in", &setup.fields.position[1])
            .with("applied_out", &anchor.buffer);
        let place = Place {
            bindings: &[at.clone(), at],
            row: anchor.contact_row() as u32,
            multiplied: &MULTIPLIED,
            product: Some(CONTACT_PRODUCT),
        };
        let meet = |soft| Meeting::new(setup, soft, &Iterates::Swept, &place);
        let meeting = setup.soft.map(meet).transpose()?;
        let task = Task {
            solver: settings.linear_solver(),
            spring_block: "constant",
            iterations: settings.sweeps(),
            tolerance: settings.get(TOLERANCE),
            products: meeting.as_ref().map(|meeting| meeting.products().clone()),
        };
        let ends = setup.shader("methods/local_global/ends.wgsl", &[])?;
        let system = setup.shader("methods/local_global/system.wgsl", &[&LINEAR_STRUCT])?;
        Ok(Self {
            external: External::of_first(setup)?,
            settle: Settle::new(setup, &anchor, &bindings)?,
            anchor,
            predict: setup.kernel(&ends, "predict")?.bind(gpu, &bindings)?,
            project: setup.kernel(&system, "project")?.bind(gpu, &bindings)?,
            linear: Linear::new(setup, &task, vectors, &bindings)?,
            meeting,
            advance: setup.kernel(&system, "advance")?.bind(gpu, &bindings)?,
            finish: setup.kernel(&ends, "finish")?.bind(gpu, &bindings)?,
            nodes: setup.nodes,
            iterations: settings.iterations(),
        })
    }
}

impl Solver for GlobalStep {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        pass.dispatch(&self.predict, self.nodes);
        for iteration in 0..self.iterations {
            let meet = |pass: &mut Pass<'_>| {
                self.meeting.iter().for_each(|meeting| meeting.record(pass, 0, iteration));
            };
            meet(pass);
            if iteration == 0 {
                self.settle.record(pass, substep, self.nodes, meet);
            }
            pass.dispatch(&self.project, self.nodes);
            self.linear.record(pass);
            pass.dispatch(&self.advance, self.nodes);
        }
        pass.dispatch(&self.finish, self.nodes);
        self.meeting.iter().for_each(|meeting| meeting.record_end(pass));
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }

    fn forget(&self, gpu: &Gpu) {
        self.linear.forget(gpu);
        self.anchor.forget(gpu);
    }

    fn lasting(&self) -> Vec<Words<'_>> {
        iter::once(self.linear.lasting()).chain(self.anchor.lasting()).collect()
    }

    fn effort(&self, gpu: &Gpu) -> Reading<Option<Effort>> {
        self.linear.effort(gpu)
    }
}
