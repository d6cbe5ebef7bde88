//! Finds the pairs that may touch in a substep, and lists them for sums over nodes.

use glam::Vec4;

use super::fabric::{Fabrics, Skin};
use super::guard::Guard;
use crate::gpu::{Bindings, Bound, Buffer, GpuError, HostStruct, Kernel, Pass, Usage, twin};
use crate::method::Setup;

/// Slots of a node, as `SLOTS` in `shaders/contact/slots.wgsl`.
pub const SLOTS: u32 = 4;
/// Nodes that one thread places, as `STRETCH` in `shaders/contact/reverse.wgsl`.
const STRETCH: u32 = 256;

twin! {
    /// Host twin of WGSL `Slot`.
    pub struct Slot = "Slot" {
        pub triangle: [u32; 3],
        pub kind: u32,
    }
}

/// Host twins of the structs of slots, nodes and bodies; the first is that of slots.
pub const STRUCTS: [&HostStruct; 3] = [&Slot::TWIN, &Skin::TWIN, &super::fabric::Fabric::TWIN];

/// Kernels and buffers of soft contact.
pub struct Soft {
    search: Bound,
    add_stretches: Bound,
    place_stretches: Bound,
    place_rows: Bound,
    fill_rows: Bound,
    sort_rows: Bound,
    nodes: u32,
    bindings: Bindings,
    constants: Vec<(&'static str, f64)>,
}

impl Soft {
    /// Compiles the kernels and uploads what bodies are like.
    pub fn new(setup: &Setup<'_>, guard: &Guard) -> Result<Self, GpuError> {
        let (gpu, nodes) = (setup.gpu, setup.nodes as usize);
        let slots = SLOTS as usize * nodes;
        let fabrics = Fabrics::of(setup.model);
        let zeros = |label, len| Buffer::<u32>::zeroed(gpu, label, len, Usage::empty());
        let bindings = guard
            .bindings()
            .clone()
            .with("skins", &Buffer::from_slice(gpu, "skins", &fabrics.skins, Usage::empty())?)
            .with("fabrics", &Buffer::from_slice(gpu, "fabrics", &fabrics.fabrics, Usage::empty())?)
            .with("slots", &Buffer::<Slot>::zeroed(gpu, "slots", slots, Usage::empty())?)
            .with("row_starts", &zeros("row_starts", nodes + 1)?)
            .with("row_entries", &zeros("row_entries", 3 * slots)?)
            .with("loads", &Buffer::<f32>::zeroed(gpu, "loads", nodes, Usage::empty())?)
            .with("presses", &Buffer::<[Vec4; 4]>::zeroed(gpu, "presses", slots, Usage::empty())?);
        let common = bindings
            .clone()
            .with("counts", &zeros("counts", nodes)?)
            .with("stretches", &zeros("stretches", nodes.div_ceil(STRETCH as usize))?);
        let mut constants = guard.constants().to_vec();
        constants.extend([("LARGEST_REACH", f64::from(fabrics.largest_reach()))]);
        let shader = |name| setup.shader(name, &STRUCTS);
        let [searching, reverse] =
            [shader("contact/search.wgsl")?, setup.shader("contact/reverse.wgsl", &STRUCTS[..1])?];
        let [search, add_stretches, place_stretches, place_rows, fill_rows, sort_rows] = Kernel::compile(
            gpu,
            [
                (&searching, "search", &constants[..]),
                (&reverse, "add_stretches", &constants),
                (&reverse, "place_stretches", &constants),
                (&reverse, "place_rows", &constants),
                (&reverse, "fill_rows", &constants),
                (&reverse, "sort_rows", &constants),
            ],
        )?;
        let bind = |kernel: &Kernel| kernel.bind(gpu, &common);
        Ok(Self {
            search: bind(&search)?,
            add_stretches: bind(&add_stretches)?,
            place_stretches: bind(&place_stretches)?,
            place_rows: bind(&place_rows)?,
            fill_rows: bind(&fill_rows)?,
            sort_rows: bind(&sort_rows)?,
            nodes: setup.nodes,
            bindings,
            constants,
        })
    }

    /// Buffers of pairs, and those that all of contact shares.
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// Values of WGSL overrides.
    pub fn constants(&self) -> &[(&'static str, f64)] {
        &self.constants
    }

    /// Records the search for pairs, where nodes start and the tree is fitted to.
    pub fn record(&self, pass: &mut Pass<'_>) {
        let stretches = self.nodes.div_ceil(STRETCH);
        pass.dispatch(&self.search, self.nodes);
        pass.dispatch(&self.add_stretches, stretches);
        pass.dispatch(&self.place_stretches, 1);
        pass.dispatch(&self.place_rows, stretches);
        pass.dispatch(&self.fill_rows, SLOTS * self.nodes);
        pass.dispatch(&self.sort_rows, self.nodes);
    }
}
