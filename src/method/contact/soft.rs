//! Finds the pairs that may touch in a substep, and lists them for sums over nodes.

use glam::Vec4;

use super::fabric::{Fabrics, Skin};
use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Indirect, Kernel, Pass, Usage, Words, twin,
};
use crate::method::Setup;
use crate::model::{Edge, Model, edges, hinges};
use crate::numbers::WORKGROUP_SIZE;

/// Slots of a node, as `SLOTS` in `shaders/contact/slots.wgsl`.
pub const SLOTS: u32 = 4;
/// Rows that a workgroup places, one a thread.
pub const STRETCH: u32 = WORKGROUP_SIZE;

/// Bytes of the largest buffer of the pairs of so many nodes.
pub fn pair_bytes(nodes: u64) -> u64 {
    2 * 16 * u64::from(SLOTS) * nodes
}

twin! {
    /// Host twin of WGSL `Slot`.
    pub struct Slot = "Slot" {
        pub triangle: [u32; 3],
        pub kind: u32,
    }
}

/// Host twins of the structs of slots and nodes; the first is that of slots.
pub const STRUCTS: [&HostStruct; 2] = [&Slot::TWIN, &Skin::TWIN];

/// Where the hinges of each node begin, and behind that (p, q, b) of each: `hinges` in WGSL.
fn hinge_words(model: &Model, edges: &[Edge]) -> Vec<u32> {
    let hinges = hinges(model, edges);
    let starts = (0..=model.node_count() as u32).map(|i| hinges.partition_point(|h| h.vertex < i) as u32);
    starts.chain(hinges.iter().flat_map(|h| h.other)).collect()
}

/// No node.
const NONE: u32 = u32::MAX;

/// Room for a word of bits for each node; where its edges begin, one entry more than nodes; then of each the other end, and the third
/// corners of its triangles: `edges` in WGSL.
fn edge_words(model: &Model, edges: &[Edge]) -> Vec<u32> {
    let nodes = model.node_count();
    let mut starts = vec![0u32; nodes + 1];
    edges.iter().flat_map(|edge| edge.ends).for_each(|node| starts[node as usize + 1] += 1);
    (0..nodes).for_each(|node| starts[node + 1] += starts[node]);
    let mut next = starts.clone();
    let mut words = vec![[0; 3]; 2 * edges.len()];
    // By the other end, too: edges are in the order of their ends, the lower one first.
    for turned in [true, false] {
        for &Edge { ends: [p, q], thirds: (one, other) } in edges {
            let (node, end) = if turned { (q, p) } else { (p, q) };
            words[next[node as usize] as usize] = [end, one, other.unwrap_or(NONE)];
            next[node as usize] += 1;
        }
    }
    let room = std::iter::repeat_n(0, nodes);
    room.chain(starts).chain(words.into_iter().flatten()).collect()
}

/// Kernels and buffers of soft contact.
pub struct Soft {
    begin_lists: Bound,
    list_searching: Bound,
    search: Bound,
    find_hinges: Bound,
    mark_ridges: Bound,
    find_edges: Bound,
    add_stretches: Bound,
    place_stretches: Bound,
    place_rows: Bound,
    list_nodes: Bound,
    fill_rows: Bound,
    sort_rows: Bound,
    slots: Buffer<Slot>,
    /// The nodes that search.
    searching: Indirect,
    /// The nodes in pairs, for kernels that have to do with no others.
    listed: Indirect,
    nodes: u32,
    bindings: Bindings,
}

impl Soft {
    /// Compiles the kernels and uploads what bodies are like. `tree`: the buffers of the tree.
    pub fn new(setup: &Setup<'_>, tree: &Bindings) -> Result<Self, GpuError> {
        let (gpu, nodes) = (setup.gpu, setup.nodes as usize);
        let slot_count = SLOTS as usize * nodes;
        // Behind slots the nodes that search and those in pairs: contact/lists.wgsl.
        let lists = 1 + nodes.div_ceil(2) + nodes.div_ceil(4);
        let slots = Buffer::<Slot>::zeroed(gpu, "slots", slot_count + lists, Usage::empty())?;
        let launch = |label| Buffer::<u32>::zeroed(gpu, label, 3, Usage::INDIRECT);
        let [searching, listed] = [launch("launch of searching nodes")?, launch("launch of nodes in pairs")?];
        let fabrics = Fabrics::of(setup.model);
        let zeros = |label, len| Buffer::<u32>::zeroed(gpu, label, len, Usage::empty());
        let bindings = tree
            .clone()
            .with("skins", &Buffer::from_slice(gpu, "skins", &fabrics.words(), Usage::empty())?)
            .with("slots", &slots)
            .with("row_starts", &zeros("row_starts", nodes + 1)?)
            .with("row_entries", &zeros("row_entries", 3 * slot_count)?)
            .with("loads", &Buffer::<f32>::zeroed(gpu, "loads", nodes, Usage::empty())?)
            .with("presses", &Buffer::<[Vec4; 2]>::zeroed(gpu, "presses", slot_count, Usage::empty())?)
            .with(
                "press_normals",
                &Buffer::<[Vec4; 2]>::zeroed(gpu, "press_normals", slot_count, Usage::empty())?,
            );
        let edges = edges(setup.model);
        let common = bindings
            .clone()
            .with("counts", &zeros("counts", nodes)?)
            .with("row_count", &Buffer::from_slice(gpu, "row_count", &[setup.nodes], Usage::UNIFORM)?)
            .with(
                "hinges",
                &Buffer::from_slice(gpu, "hinges", &hinge_words(setup.model, &edges), Usage::empty())?,
            )
            .with(
                "edges",
                &Buffer::from_slice(gpu, "edges", &edge_words(setup.model, &edges), Usage::empty())?,
            )
            .with("slot_words", &slots)
            .with("launch", &searching)
            .with("launch_of_listed", &listed)
            .with("stretches", &zeros("stretches", nodes.div_ceil(STRETCH as usize))?);
        let constants = &setup.constants;
        let shader = |name| setup.shader(name, &STRUCTS);
        let [listing, search, hinges, ridges, edges, reverse] = [
            setup.shader("contact/listing.wgsl", &STRUCTS[..1])?,
            shader("contact/search.wgsl")?,
            shader("contact/hinges.wgsl")?,
            setup.shader("contact/ridges.wgsl", &STRUCTS[..1])?,
            shader("contact/edges.wgsl")?,
            setup.shader("contact/reverse.wgsl", &STRUCTS[..1])?,
        ];
        let [search, find_hinges, mark_ridges, find_edges] = Kernel::compile(
            gpu,
            [
                (&search, "search", &constants[..]),
                (&hinges, "find_hinges", constants),
                (&ridges, "mark_ridges", constants),
                (&edges, "find_edges", constants),
            ],
        )?;
        let [add_stretches, place_stretches, place_rows, fill_rows, sort_rows] = Kernel::compile(
            gpu,
            ["add_stretches", "place_stretches", "place_rows", "fill_rows", "sort_rows"]
                .map(|entry| (&reverse, entry, &constants[..])),
        )?;
        let [begin_lists, list_searching, list_nodes] = Kernel::compile(
            gpu,
            ["begin_lists", "list_searching", "list_nodes"].map(|entry| (&listing, entry, &constants[..])),
        )?;
        let bind = |kernel: &Kernel| kernel.bind(gpu, &common);
        Ok(Self {
            begin_lists: bind(&begin_lists)?,
            list_searching: bind(&list_searching)?,
            search: bind(&search)?,
            find_hinges: bind(&find_hinges)?,
            mark_ridges: bind(&mark_ridges)?,
            find_edges: bind(&find_edges)?,
            add_stretches: bind(&add_stretches)?,
            place_stretches: bind(&place_stretches)?,
            place_rows: bind(&place_rows)?,
            list_nodes: list_nodes.bind(gpu, &common.clone().with("launch", &listed))?,
            fill_rows: bind(&fill_rows)?,
            sort_rows: bind(&sort_rows)?,
            slots,
            searching: Indirect::new(&searching, setup.nodes),
            listed: Indirect::new(&listed, setup.nodes),
            nodes: setup.nodes,
            bindings,
        })
    }

    /// Buffers of pairs, and those that all of contact shares.
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// Records the search for pairs, where nodes start and the tree is fitted to.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.begin_lists, 1);
        pass.dispatch(&self.list_searching, self.nodes);
        for kernel in [&self.search, &self.find_hinges, &self.mark_ridges, &self.find_edges] {
            pass.dispatch_indirect(kernel, &self.searching);
        }
        pass.dispatch(&self.add_stretches, self.nodes);
        pass.dispatch(&self.place_stretches, 1);
        pass.dispatch(&self.place_rows, self.nodes);
        pass.dispatch_indirect(&self.list_nodes, &self.searching);
        pass.dispatch_indirect(&self.fill_rows, &self.listed);
        pass.dispatch(&self.sort_rows, self.nodes);
    }

    /// The nodes that have a pair or are in one, for kernels that have to do with no others: `contact/listed.wgsl`.
    pub fn listed(&self) -> &Indirect {
        &self.listed
    }

    /// What lasts from substep to substep: the pairs, since those of the substep before are favored.
    pub fn lasting(&self) -> Words<'_> {
        self.slots.words_of(0..(SLOTS * self.nodes) as usize)
    }

    /// Forgets the pairs.
    pub fn forget(&self, gpu: &Gpu) {
        self.slots.clear(gpu);
    }
}
