//! A few steps of conjugate gradients in an iteration, each preconditioned by a V-cycle.

use super::solver::{CORRECTION, DIRECTION};
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage};
use crate::method::Setup;
use crate::method::contact::Meeting;
use crate::method::parts::Parts;

/// The kernels, bound; those that read positions by which of the two buffers holds the iterate.
pub struct ConjugateGradients {
    /// Steps an iteration.
    pub steps: u32,
    nodes: u32,
    parts: u32,
    copies: u32,
    first_direction: [Bound; 2],
    precondition: [Bound; 2],
    multiply: [Bound; 2],
    update_solution: [Bound; 2],
    update_direction: Bound,
    add_beta_parts: Bound,
    add_alpha_parts: Bound,
    compute_beta: Bound,
    compute_alpha: Bound,
}

impl ConjugateGradients {
    /// Compiles and binds the kernels; `bindings` name the buffers of the fine level, by iterate.
    pub fn new(setup: &Setup<'_>, steps: u32, bindings: &[Bindings; 2]) -> Result<Self, GpuError> {
        let (gpu, copies) = (setup.gpu, setup.copies);
        let parts = Parts::new(setup);
        let buffer = Buffer::<[f32; 2]>::zeroed(gpu, "parts", parts.total as usize, Usage::empty())?;
        let structs = [&CONTROL_STRUCT, &ITERATION_STRUCT];
        let shader = setup.shader("methods/newton_multigrid/conjugate_gradients.wgsl", &structs)?;
        let both = |entry| -> Result<[Bound; 2], GpuError> {
            let kernel = setup.kernel(&shader, entry)?;
            Ok([kernel.bind(gpu, &bindings[0])?, kernel.bind(gpu, &bindings[1])?])
        };
        let dots = setup.shader("methods/newton_multigrid/dots.wgsl", &structs)?;
        let with_parts = bindings[0].clone().with("parts", &buffer);
        let dot = |entry| setup.kernel(&dots, entry)?.bind(gpu, &with_parts);
        Ok(Self {
            steps,
            nodes: setup.nodes,
            parts: parts.threads,
            copies,
            first_direction: both("first_direction")?,
            precondition: both("precondition")?,
            multiply: both("multiply_direction")?,
            update_solution: both("update_solution")?,
            update_direction: setup.kernel(&shader, "update_direction")?.bind(gpu, &bindings[0])?,
            add_beta_parts: dot("add_beta_parts")?,
            add_alpha_parts: dot("add_alpha_parts")?,
            compute_beta: dot("compute_beta")?,
            compute_alpha: dot("compute_alpha")?,
        })
    }

    /// Records step `step` after its cycle. The iteration itself adds alpha times the last search direction. `iteration` is
    /// the dynamic offset \[B\] of its uniform.
    pub fn record(
        &self,
        pass: &mut Pass<'_>,
        step: u32,
        iterate: usize,
        iteration: u32,
        contact: Option<&Meeting>,
    ) {
        let with_contact = |pass: &mut Pass<'_>, row| {
            contact.iter().for_each(|contact| contact.products().record(pass, row));
        };
        with_contact(pass, CORRECTION);
        if step == 0 {
            pass.dispatch_at(&self.first_direction[iterate], self.nodes, &[iteration]);
        } else {
            pass.dispatch_at(&self.precondition[iterate], self.nodes, &[iteration]);
            pass.dispatch(&self.add_beta_parts, self.parts);
            pass.dispatch(&self.compute_beta, self.compute_beta.threads(self.copies));
            pass.dispatch(&self.update_direction, self.nodes);
        }
        with_contact(pass, DIRECTION);
        pass.dispatch_at(&self.multiply[iterate], self.nodes, &[iteration]);
        pass.dispatch(&self.add_alpha_parts, self.parts);
        pass.dispatch(&self.compute_alpha, self.compute_alpha.threads(self.copies));
        if step + 1 < self.steps {
            pass.dispatch_at(&self.update_solution[iterate], self.nodes, &[iteration]);
        }
    }
}
