//! Pairs of surfaces in touch as constraints: `shaders/methods/xpbd/pairs.wgsl`.

use glam::Vec4;

use crate::gpu::{Bindings, Bound, Buffer, GpuError, Indirect, Kernel, Pass, Usage};
use crate::method::Setup;
use crate::method::contact::{Iterates, Meet, SLOTS, STRUCTS, Soft};

/// Visits of all pairs in an iteration: one alone goes less far than springs have moved nodes.
const VISITS: u32 = 2;

/// The kernels.
pub struct Pairs {
    meet: Meet,
    gather_loads: Bound,
    /// In the first visit, and in all others.
    relax: [Bound; 2],
    /// By which of two buffers holds the iterate.
    move_apart: [Bound; 2],
    listed: Indirect,
}

impl Pairs {
    /// Compiles and binds them. `bindings` name the solver's buffers, by which of two holds the iterate.
    pub fn new(setup: &Setup<'_>, soft: &Soft, bindings: [Bindings; 2]) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let slots = (SLOTS * setup.nodes) as usize;
        let lambda = Buffer::<Vec4>::zeroed(gpu, "pair_lambda", slots, Usage::empty())?;
        let bindings = bindings.map(|own| soft.bindings().clone().and(&own).with("pair_lambda", &lambda));
        let setup = &Setup {
            constants: [&setup.constants[..], &[("KEEPS_GAPS", 1.0)]].concat(),
            bindings: setup.bindings.clone(),
            ..*setup
        };
        let constants = &setup.constants;
        let gather = setup.shader_with("contact/gather.wgsl", &["always"], &STRUCTS[..1])?;
        let shader = setup.shader("methods/xpbd/pairs.wgsl", &STRUCTS)?;
        let relax = |is_first: bool| {
            let own = [("IS_FIRST", f64::from(u8::from(is_first)))];
            Kernel::new(gpu, &shader, "relax_pairs", &[&constants[..], &own].concat())?
                .bind(gpu, &bindings[0])
        };
        let move_apart = Kernel::new(gpu, &shader, "move_apart", constants)?;
        Ok(Self {
            meet: Meet::new(setup, soft, &Iterates::Displaced, &bindings)?,
            gather_loads: Kernel::new(gpu, &gather, "gather_loads", constants)?.bind(gpu, &bindings[0])?,
            relax: [relax(true)?, relax(false)?],
            move_apart: [move_apart.bind(gpu, &bindings[0])?, move_apart.bind(gpu, &bindings[1])?],
            listed: soft.listed().clone(),
        })
    }

    /// Records what they do in an iteration, to the iterate in one of two buffers.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        for visit in VISITS * iteration..VISITS * (iteration + 1) {
            self.meet.record(pass, iterate, visit);
            let relax = &self.relax[usize::from(visit > 0)];
            for kernel in [&self.gather_loads, relax, &self.move_apart[iterate]] {
                pass.dispatch_indirect(kernel, &self.listed);
            }
        }
    }
}
