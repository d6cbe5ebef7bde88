//! Pairs at the iterates of a minimizing method: forces, energies and blocks in rows of its vectors, and products.

use super::meet::{Iterates, Meet};
use super::products::Products;
use super::soft::{STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, GpuError, Indirect, Kernel, Pass};
use crate::method::Setup;
use crate::method::anchor::Anchor;

/// The buffers of a method, and where its rows are.
pub struct Place<'a> {
    /// Its buffers, by which of two position buffers holds the iterate.
    pub bindings: &'a [Bindings; 2],
    /// The first of three rows of `applied_out`: a force, and two of a block.
    pub row: u32,
    /// Rows of `work` that are multiplied.
    pub multiplied: &'a [u32],
    /// The row of it that products go to, if it is not the first of those of `applied_out`.
    pub product: Option<u32>,
}

/// The kernels, bound.
pub struct Meeting {
    meet: Meet,
    gather: Bound,
    products: Products,
    clear_rows: Bound,
    /// Where the row of products is none of these.
    clear_product: Option<Bound>,
    listed: Indirect,
}

impl Meeting {
    /// Compiles and binds the kernels.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        iterates: &Iterates<'_>,
        place: &Place<'_>,
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let mut constants = setup.constants.clone();
        constants.extend([
            ("IN_MATRIX", 1.0),
            ("CONTACT_ROW", f64::from(place.row)),
            ("CONTACT_PRODUCT", f64::from(place.product.unwrap_or(place.row))),
            ("ROWS", 3.0),
        ]);
        let compile = |file: &str, words: &[&str], entry, more: &[(&'static str, f64)]| {
            let shader = setup.shader_with(file, words, &[iterates.structs(), &STRUCTS].concat())?;
            Kernel::new(gpu, &shader, entry, &[&constants[..], more].concat())
        };
        let bindings = [0, 1].map(|at: usize| soft.bindings().clone().and(&place.bindings[at]));
        let runs = match iterates {
            Iterates::Numbered(_) => "until_converged",
            Iterates::Swept | Iterates::Displaced => "always",
        };
        // Kernels that gather do not read the iterate, so one binding serves both.
        let gather_in = |entry: &'static str, more: &[(&'static str, f64)], bindings: &Bindings| {
            compile("contact/gather.wgsl", &[runs], entry, more)?.bind(gpu, bindings)
        };
        let gather = |entry, more: &[(&'static str, f64)]| gather_in(entry, more, &bindings[0]);
        Ok(Self {
            meet: Meet::new(setup, soft, iterates, &bindings)?,
            gather: gather("gather_presses", &[])?,
            products: Products::new(gather, place.multiplied, soft.listed())?,
            clear_rows: gather("clear_rows", &[])?,
            clear_product: place
                .product
                .map(|row| Products::clear(gather_in, &bindings[0], row))
                .transpose()?,
            listed: soft.listed().clone(),
        })
    }

    /// That of a method that sweeps, where surfaces touch. `bindings` have the anchor as `applied_out`.
    pub fn swept(
        setup: &Setup<'_>,
        anchor: &Anchor,
        bindings: &[Bindings; 2],
    ) -> Result<Option<Self>, GpuError> {
        let place = Place { bindings, row: anchor.contact_row() as u32, multiplied: &[], product: None };
        setup.soft.map(|soft| Self::new(setup, soft, &Iterates::Swept, &place)).transpose()
    }

    /// Records the pairs at the iterate of an iteration, in one of the two position buffers.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        self.meet.record(pass, iterate, iteration);
        pass.dispatch_indirect(&self.gather, &self.listed);
    }

    /// Products with rows of vectors.
    pub fn products(&self) -> &Products {
        &self.products
    }

    /// Records the end of a substep: rows are zero again, since the next substep may list other nodes.
    pub fn record_end(&self, pass: &mut Pass<'_>) {
        for kernel in std::iter::once(&self.clear_rows).chain(&self.clear_product) {
            pass.dispatch_indirect(kernel, &self.listed);
        }
    }
}
