//! The rows of `anchor` (`shaders/methods/implicit/rows.wgsl`) in methods that sweep over nodes: node terms, then three of contact, and behind them
//! what nodes that touch have gained in the substep before (`shaders/methods/implicit/adaptive_start.wgsl`), which is not known in the first
//! substep of a scene.

use glam::Vec4;

use super::{Setup, Substep, description, touch};
use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, Pass, Usage, Words};
use crate::model::Model;
use crate::settings::key::Spec;
use crate::settings::{START, Settings, Start};

/// A force, and two rows of a block.
const CONTACT_ROWS: usize = 3;

/// The buffer, and what its rows are.
pub struct Anchor {
    /// All rows.
    pub buffer: Buffer<Vec4>,
    /// Rows of node terms.
    own: usize,
    touches: bool,
    adapts: bool,
    nodes: usize,
}

impl Anchor {
    /// With so many rows of node terms.
    pub fn new(setup: &Setup<'_>, own: usize) -> Result<Self, GpuError> {
        let (touches, nodes) = (setup.soft.is_some(), setup.nodes as usize);
        let adapts = touches && adapts(setup.settings);
        let rows = own + if touches { CONTACT_ROWS } else { 0 } + usize::from(adapts);
        let buffer = Buffer::zeroed(setup.gpu, "anchor", rows * nodes, Usage::empty())?;
        Ok(Self { buffer, own, touches, adapts, nodes })
    }

    /// Values of WGSL overrides.
    pub fn constants(&self) -> [(&'static str, f64); 2] {
        let contact = if self.touches { self.contact_row() } else { 0 };
        [("ANCHOR_CONTACT", contact as f64), ("ADAPTS", f64::from(u8::from(self.adapts)))]
    }

    /// The first row of contact, where surfaces touch.
    pub fn contact_row(&self) -> usize {
        self.own
    }

    /// Forgets what nodes have gained.
    pub fn forget(&self, gpu: &Gpu) {
        self.lasting().iter().for_each(|gained| gained.clear(gpu));
    }

    /// What lasts from substep to substep, if anything does.
    pub fn lasting(&self) -> Option<Words<'_>> {
        let first = (self.own + CONTACT_ROWS) * self.nodes;
        self.adapts.then(|| self.buffer.words_of(first..first + self.nodes).named("gained"))
    }
}

/// What nodes start from of which no substep before is known (`shaders/methods/implicit/settle.wgsl`).
pub struct Settle(Option<[Bound; 2]>);

impl Settle {
    /// Compiles the kernels and binds them; `setup` has the constants of the anchor, and `bindings` those of the first iterate.
    pub fn new(setup: &Setup<'_>, anchor: &Anchor, bindings: &Bindings) -> Result<Self, GpuError> {
        if !anchor.adapts {
            return Ok(Self(None));
        }
        let shader = setup.shader("methods/implicit/settle.wgsl", &[])?;
        let bind = |entry| setup.kernel(&shader, entry)?.bind(setup.gpu, bindings);
        Ok(Self(Some([bind("go_on")?, bind("go_back")?])))
    }

    /// Records it after the first meeting of a substep, and meetings anew. What is known is forgotten between frames alone: it takes place in the first
    /// substep of a frame.
    pub fn record(&self, pass: &mut Pass<'_>, substep: Substep, nodes: u32, meet: impl Fn(&mut Pass<'_>)) {
        if let (Some(kernels), 0) = (&self.0, substep.index) {
            for kernel in kernels {
                pass.dispatch(kernel, nodes);
                meet(pass);
            }
        }
    }
}

/// What a key comes to in methods with such a start ([`super::Method::resolved`]).
pub fn resolved(spec: &Spec, model: &Model, settings: &Settings) -> Option<String> {
    match spec.name {
        "start" if adapts(settings) && touch(model, settings).is_some() => Some("adaptive".into()),
        _ => description::resolved(spec, settings),
    }
}

/// Whether the start is left open, so that nodes that touch have one of their own.
pub fn adapts(settings: &Settings) -> bool {
    matches!(settings.get(START), None | Some(Start::Auto))
}
