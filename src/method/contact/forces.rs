//! The forces of pairs in touch, and their part of a matrix.

use glam::Vec4;

use super::presses::{Presses, kernel};
use super::products::Products;
use super::soft::Soft;
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Indirect, Pass};
use crate::method::Setup;

/// Forces that are constant in a substep, at where nodes go with their velocity: a row of `applied`.
pub struct Forces {
    /// For each of the two pairs of state buffers.
    pairs: [Pairs; 2],
}

/// The kernels from normal forces to sums at nodes.
struct Pairs {
    presses: Presses,
    gather: Bound,
    listed: Indirect,
}

impl Pairs {
    fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        bindings: &Bindings,
        own: &[(&'static str, f64)],
        is_in_matrix: bool,
    ) -> Result<Self, GpuError> {
        let matrix = [("IN_MATRIX", f64::from(u8::from(is_in_matrix)))];
        let own = [&matrix[..], own].concat();
        let gather = kernel(setup, "contact/gather.wgsl", "gather_presses", &own)?;
        Ok(Self {
            presses: Presses::new(setup, soft, bindings, is_in_matrix)?,
            gather: gather.bind(setup.gpu, bindings)?,
            listed: soft.listed().clone(),
        })
    }

    fn record(&self, pass: &mut Pass<'_>) {
        self.presses.record(pass);
        pass.dispatch_indirect(&self.gather, &self.listed);
    }
}

impl Forces {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>, soft: &Soft) -> Result<Self, GpuError> {
        let at = |pair: usize| {
            let [position, velocity] = [&setup.fields.position[pair], &setup.fields.velocity[pair]];
            let bindings = soft
                .bindings()
                .clone()
                .with("applied_out", &setup.fields.applied)
                .with("position_in", position)
                .with("velocity_in", velocity)
                // Not read.
                .with("anchor", position)
                .with("first", position);
            Pairs::new(setup, soft, &bindings, &[], false)
        };
        Ok(Self { pairs: [at(0)?, at(1)?] })
    }

    /// Records them for the start of a substep, whose state is in the given pair of buffers. They last until the next one, as some methods read
    /// them when it has ended; [`super::Memory::record_start`] then clears them.
    pub fn record(&self, pass: &mut Pass<'_>, pair: usize) {
        self.pairs[pair].record(pass);
    }
}

/// Pairs in the matrix of a linear system, linearized where nodes are after a first displacement: forces and blocks in rows of
/// `applied`, and products.
pub struct Coupling {
    pairs: Pairs,
    products: Products,
    clear: Bound,
    clear_product: Bound,
}

/// The buffers of a [`Coupling`].
pub struct Coupled<'a> {
    /// The displacement that the system begins from \[m\].
    pub first: &'a Buffer<Vec4>,
    /// y - x_0 \[m\].
    pub anchor: &'a Buffer<Vec4>,
    /// Vectors of the system, and the row that products go to.
    pub bindings: &'a Bindings,
    /// That row.
    pub row: u32,
}

impl Coupling {
    /// Compiles and binds the kernels; `from`: the rows of vectors that are multiplied.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        coupled: &Coupled<'_>,
        from: &[u32],
    ) -> Result<Self, GpuError> {
        let bindings = soft
            .bindings()
            .clone()
            .and(coupled.bindings)
            .with("position_in", &setup.fields.position[0])
            .with("velocity_in", &setup.fields.velocity[0])
            .with("first", coupled.first)
            .with("anchor", coupled.anchor)
            .with("applied_out", &setup.fields.applied);
        let own = [("CONTACT_PRODUCT", f64::from(coupled.row)), ("ROWS", 3.0)];
        let bind = |entry: &'static str, more: &[(&'static str, f64)], bindings: &Bindings| {
            kernel(setup, "contact/gather.wgsl", entry, &[&own[..], more].concat())?.bind(setup.gpu, bindings)
        };
        Ok(Self {
            pairs: Pairs::new(setup, soft, &bindings, &own, true)?,
            clear: bind("clear_rows", &[], &bindings)?,
            products: Products::new(|entry, more| bind(entry, more, &bindings), from, soft.listed())?,
            clear_product: Products::clear(bind, &bindings, coupled.row)?,
        })
    }

    /// Records forces and blocks, after colliders.
    pub fn record(&self, pass: &mut Pass<'_>) {
        self.pairs.record(pass);
    }

    /// Records the end of a substep: rows are zero again, since the next one may list other nodes.
    pub fn record_end(&self, pass: &mut Pass<'_>) {
        for kernel in [&self.clear, &self.clear_product] {
            pass.dispatch_indirect(kernel, &self.pairs.listed);
        }
    }

    /// The products.
    pub fn products(&self) -> &Products {
        &self.products
    }
}
