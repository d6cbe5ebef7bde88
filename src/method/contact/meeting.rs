//! Pairs at the iterates of a minimizing method: forces, energies and blocks in rows of its vectors, and products.

use super::soft::{STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, GpuError, HostStruct, Indirect, Pass};
use crate::method::Setup;

/// The kernels, bound; that of the pairs by which of the two position buffers holds the iterate.
pub struct Meeting {
    meet: [Bound; 2],
    gather: Bound,
    multiply: Vec<(u32, Bound)>,
    gather_product: Bound,
    clear_rows: Bound,
    listed: Indirect,
}

impl Meeting {
    /// Compiles and binds the kernels. `bindings` name the solver's buffers, by iterate; `structs` are their host twins; `row`
    /// is the first of three rows of `work` for what contact adds, and `multiplied` are the rows that are multiplied.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        bindings: &[Bindings; 2],
        structs: &[&HostStruct],
        row: u32,
        multiplied: &[u32],
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let structs = [structs, &STRUCTS].concat();
        let mut constants = [&setup.constants[..], soft.constants()].concat();
        constants.extend([("IN_MATRIX", 1.0), ("CONTACT_ROW", row.into()), ("CONTACT_PRODUCT", row.into())]);
        let setup = &Setup { constants, bindings: setup.bindings.clone(), ..*setup };
        let bindings = [0, 1].map(|at: usize| soft.bindings().clone().and(&bindings[at]));
        let into_work = bindings[0].clone().aliased("applied_out", "work");
        let meet = setup.kernel(&setup.shader("contact/meet.wgsl", &structs)?, "meet")?;
        let gather = setup.shader_with("contact/gather.wgsl", &["until_converged", "listed"], &structs)?;
        let multiply = multiplied.iter().map(|&from| {
            let constants = [&setup.constants[..], &[("FROM", f64::from(from))]].concat();
            let setup = Setup { constants, bindings: setup.bindings.clone(), ..*setup };
            Ok((from, setup.kernel(&gather, "multiply_slots")?.bind(gpu, &bindings[0])?))
        });
        Ok(Self {
            meet: [meet.bind(gpu, &bindings[0])?, meet.bind(gpu, &bindings[1])?],
            gather: setup.kernel(&gather, "gather_presses")?.bind(gpu, &into_work)?,
            multiply: multiply.collect::<Result<_, GpuError>>()?,
            gather_product: setup.kernel(&gather, "gather_product")?.bind(gpu, &bindings[0])?,
            clear_rows: setup.kernel(&gather, "clear_rows")?.bind(gpu, &bindings[0])?,
            listed: soft.listed().clone(),
        })
    }

    /// Records the pairs at an iterate; `iteration`: the offset of its uniform.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        pass.dispatch_indirect_at(&self.meet[iterate], &self.listed, &[iteration]);
        pass.dispatch_indirect(&self.gather, &self.listed);
    }

    /// Records the product with a row of vectors.
    pub fn record_product(&self, pass: &mut Pass<'_>, row: u32) {
        if let Some((_, multiply)) = self.multiply.iter().find(|(from, _)| *from == row) {
            pass.dispatch_indirect(multiply, &self.listed);
            pass.dispatch_indirect(&self.gather_product, &self.listed);
        }
    }

    /// Records the end of a substep: rows are zero again, since the next substep may list other nodes.
    pub fn record_end(&self, pass: &mut Pass<'_>) {
        pass.dispatch_indirect(&self.clear_rows, &self.listed);
    }
}
