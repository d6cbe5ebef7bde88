//! The forces of pairs in touch, and their part of a matrix.

use glam::Vec4;

use super::soft::{SLOTS, STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Kernel, Pass};
use crate::method::Setup;

/// Forces that are constant in a substep, at where nodes go with their velocity: a row of `applied`.
pub struct Forces {
    /// For each of the two pairs of state buffers.
    pairs: [Pairs; 2],
}

/// The kernels from normal forces to sums at nodes.
struct Pairs {
    press: Bound,
    gather_loads: Bound,
    rub: Bound,
    gather: Bound,
    nodes: u32,
}

impl Pairs {
    fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        bindings: &Bindings,
        own: &[(&'static str, f64)],
    ) -> Result<Self, GpuError> {
        let bind = |file, entry| kernel(setup, soft, file, entry, own)?.bind(setup.gpu, bindings);
        Ok(Self {
            press: bind("contact/press.wgsl", "press")?,
            gather_loads: bind("contact/gather.wgsl", "gather_loads")?,
            rub: bind("contact/rub.wgsl", "rub")?,
            gather: bind("contact/gather.wgsl", "gather_presses")?,
            nodes: setup.nodes,
        })
    }

    fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.press, SLOTS * self.nodes);
        pass.dispatch(&self.gather_loads, self.nodes);
        pass.dispatch(&self.rub, SLOTS * self.nodes);
        pass.dispatch(&self.gather, self.nodes);
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
            Pairs::new(setup, soft, &bindings, &[])
        };
        Ok(Self { pairs: [at(0)?, at(1)?] })
    }

    /// Records them for the start of a substep, whose state is in the given pair of buffers.
    pub fn record(&self, pass: &mut Pass<'_>, pair: usize) {
        self.pairs[pair].record(pass);
    }
}

/// Pairs in the matrix of a linear system, linearized where nodes are after a first displacement: forces and blocks in rows of
/// `applied`, and products.
pub struct Coupling {
    pairs: Pairs,
    products: Products,
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

/// Products of the pairs' matrix with vectors of a system.
#[derive(Clone)]
pub struct Products {
    multiply: Vec<(u32, Bound)>,
    gather: Bound,
    nodes: u32,
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
        let own = [("IN_MATRIX", 1.0), ("CONTACT_PRODUCT", f64::from(coupled.row))];
        let bind = |file, entry, more: &[(&'static str, f64)]| {
            kernel(setup, soft, file, entry, &[&own[..], more].concat())?.bind(setup.gpu, &bindings)
        };
        let multiply = from
            .iter()
            .map(|&row| {
                Ok((row, bind("contact/gather.wgsl", "multiply_slots", &[("FROM", f64::from(row))])?))
            })
            .collect::<Result<_, GpuError>>()?;
        let gather = bind("contact/gather.wgsl", "gather_product", &[])?;
        Ok(Self {
            pairs: Pairs::new(setup, soft, &bindings, &own)?,
            products: Products { multiply, gather, nodes: setup.nodes },
        })
    }

    /// Records forces and blocks.
    pub fn record(&self, pass: &mut Pass<'_>) {
        self.pairs.record(pass);
    }

    /// The products.
    pub fn products(&self) -> Products {
        self.products.clone()
    }
}

impl Products {
    /// Records the product with a row of vectors.
    pub fn record(&self, pass: &mut Pass<'_>, row: u32) {
        if let Some((_, multiply)) = self.multiply.iter().find(|(from, _)| *from == row) {
            pass.dispatch(multiply, self.nodes);
            pass.dispatch(&self.gather, self.nodes);
        }
    }
}

fn kernel(
    setup: &Setup<'_>,
    soft: &Soft,
    file: &str,
    entry: &str,
    own: &[(&'static str, f64)],
) -> Result<Kernel, GpuError> {
    let structs = if file.ends_with("press.wgsl") { &STRUCTS[..] } else { &STRUCTS[..1] };
    Kernel::new(
        setup.gpu,
        &setup.shader_with(file, &["always", "all"], structs)?,
        entry,
        &[soft.constants(), own].concat(),
    )
}
