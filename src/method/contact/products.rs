//! Products of the matrix of pairs in touch with vectors of a method.

use crate::gpu::{Bindings, Bound, GpuError, Indirect, Pass};

/// The kernels of a product for each row of vectors that is multiplied.
#[derive(Clone)]
pub struct Products {
    multiply: Vec<(u32, Bound)>,
    /// Where there is any.
    gather: Option<Bound>,
    listed: Indirect,
}

impl Products {
    /// Binds the kernels, which `bind` makes from an entry of `contact/gather.wgsl` and values of its WGSL overrides. `from`: the
    /// rows; `listed`: the nodes in pairs.
    pub fn new(
        bind: impl Fn(&'static str, &[(&'static str, f64)]) -> Result<Bound, GpuError>,
        from: &[u32],
        listed: &Indirect,
    ) -> Result<Self, GpuError> {
        let multiply = |&row: &u32| Ok((row, bind("multiply_slots", &[("FROM", f64::from(row))])?));
        Ok(Self {
            multiply: from.iter().map(multiply).collect::<Result<_, GpuError>>()?,
            gather: from.first().map(|_| bind("gather_product", &[])).transpose()?,
            listed: listed.clone(),
        })
    }

    /// Binds the kernel that makes the row of a product zero, with `bind` as above and the method's bindings.
    pub fn clear(
        bind: impl Fn(&'static str, &[(&'static str, f64)], &Bindings) -> Result<Bound, GpuError>,
        bindings: &Bindings,
        row: u32,
    ) -> Result<Bound, GpuError> {
        let constants = [("CONTACT_ROW", f64::from(row)), ("ROWS", 1.0)];
        bind("clear_rows", &constants, &bindings.clone().aliased("applied_out", "work"))
    }

    /// Records the product with a row of vectors.
    pub fn record(&self, pass: &mut Pass<'_>, row: u32) {
        for (_, multiply) in self.multiply.iter().filter(|(from, _)| *from == row) {
            for kernel in std::iter::once(multiply).chain(&self.gather) {
                pass.dispatch_indirect(kernel, &self.listed);
            }
        }
    }
}
