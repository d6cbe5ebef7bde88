//! Forces and stiffness of pairs at the iterates of a method: `shaders/contact/meet.wgsl`.

use super::soft::{STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, GpuError, HostStruct, Indirect, Kernel, Pass, UNIFORM_STRIDE};
use crate::method::Setup;

/// What a method stores of its iterates: `shaders/contact/iterate_*.wgsl`.
pub enum Iterates<'a> {
    /// Positions; a uniform numbers the iterations. With the host twins of what kernels read.
    Numbered(&'a [&'a HostStruct]),
    /// Positions or displacements, as `shaders/methods/implicit/moves.wgsl` says.
    Swept,
    /// Displacements, where `anchor` has positions; the first iteration is often the last.
    Displaced,
}

impl Iterates<'_> {
    /// Host twins of what kernels read.
    pub fn structs(&self) -> &[&HostStruct] {
        match self {
            Self::Numbered(structs) => structs,
            Self::Swept | Self::Displaced => &[],
        }
    }
}

/// As in `shaders/contact/foreseen.wgsl`.
const FORESEEN: u32 = 2;

/// The kernels, by which of two position buffers holds the iterate.
pub struct Meet {
    /// That of all iterations where a uniform numbers them; else one for those in which slip is foreseen, and one for all others.
    meet: Vec<[Bound; 2]>,
    gather_limits: Bound,
    foresee: [Bound; 2],
    listed: Indirect,
}

impl Meet {
    /// Compiles and binds them.
    pub fn new(
        setup: &Setup<'_>,
        soft: &Soft,
        iterates: &Iterates<'_>,
        bindings: &[Bindings; 2],
    ) -> Result<Self, GpuError> {
        let (words, numbers, own) = match iterates {
            Iterates::Numbered(_) => (["numbered", "until_converged"], &[0][..], &[][..]),
            Iterates::Swept => (["swept", "always"], &[0, FORESEEN][..], &[][..]),
            Iterates::Displaced => {
                let own = &[("KEEPS_MOVES", 1.0), ("ANCHOR_IS_PLACE", 1.0), ("FORESEES_FORCE", 0.0)][..];
                (["swept", "always"], &[0, FORESEEN][..], own)
            }
        };
        let structs = [iterates.structs(), &STRUCTS].concat();
        let shader = setup.shader_with("contact/meet.wgsl", &words[..1], &structs)?;
        let gather = setup.shader_with("contact/gather.wgsl", &words[1..], &structs)?;
        let of = |entry, number: u32| {
            let number = [("ITERATION", f64::from(number))];
            let constants = [&setup.constants[..], own, &number].concat();
            let kernel = Kernel::new(setup.gpu, &shader, entry, &constants)?;
            Ok([kernel.bind(setup.gpu, &bindings[0])?, kernel.bind(setup.gpu, &bindings[1])?])
        };
        Ok(Self {
            meet: numbers.iter().map(|number| of("meet", *number)).collect::<Result<_, GpuError>>()?,
            gather_limits: Kernel::new(setup.gpu, &gather, "gather_limits", &setup.constants)?
                .bind(setup.gpu, &bindings[0])?,
            foresee: of("foresee", 0)?,
            listed: soft.listed().clone(),
        })
    }

    /// Records the pairs at the iterate of an iteration, in one of the two position buffers.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        let numbered = [iteration * UNIFORM_STRIDE];
        let (meet, at) = match &self.meet[..] {
            [meet] => (meet, &numbered[..]),
            meets => (&meets[usize::from(iteration >= FORESEEN)], &[][..]),
        };
        pass.dispatch_indirect_at(&meet[iterate], &self.listed, at);
        if iteration < FORESEEN {
            pass.dispatch_indirect(&self.gather_limits, &self.listed);
            pass.dispatch_indirect(&self.foresee[iterate], &self.listed);
        }
    }
}
