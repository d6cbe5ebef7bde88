//! Pairs on the coarser levels of a hierarchy, in groups: `shaders/contact/groups/layout.wgsl`.

use bytemuck::Zeroable;
use glam::Vec4;

use super::soft::{SLOTS, STRETCH, STRUCTS, Soft};
use crate::gpu::{
    Bindings, Bound, Buffer, GpuError, HostStruct, Indirect, Kernel, Pass, UNIFORM_STRIDE, Usage, twin,
};
use crate::hierarchy::{self, Way};
use crate::method::Setup;
use crate::model::Model;

/// Entries of a row on each of its two sides, as `SIDE` in WGSL.
const SIDE: usize = 12;
/// Words that are known of a slot's partner, as `PARTNER` in WGSL.
const PARTNER: usize = 5;
/// How far apart at rest partners of one slot may be on the finest level, in spacings.
const LAYER: f32 = 3.1;

twin! {
    /// Host twin of WGSL `GroupLevel`, padded to the stride of dynamic offsets.
    pub struct GroupLevel = "GroupLevel" in 48 {
        nodes: u32,
        first: u32,
        finer_nodes: u32,
        finer_first: u32,
        child_starts: u32,
        children: u32,
        entry_starts: u32,
        entries: u32,
        reach: f32,
        finest_nodes: u32,
        all_nodes: u32,
        index: u32,
        padding: [u32; 52],
    }
}

twin! {
    /// Host twin of WGSL `GroupExtent`.
    struct GroupExtent = "GroupExtent" {
        nodes: u32,
        first_nodes: u32,
        list: u32,
        tail_first: u32,
        tail_nodes: u32,
    }
}

const _: () = assert!(size_of::<GroupLevel>() == UNIFORM_STRIDE as usize);

/// Bytes of the largest buffer of groups: what stands in rows, or in which rows nodes stand. Coarser levels of networks that are
/// no grids have up to half of the nodes.
pub fn largest_buffer(model: &Model) -> u64 {
    let coarser = match model.grid() {
        Some(grid) => {
            u64::from(grid.copies)
                * hierarchy::coarser_nodes([grid.columns, grid.rows], hierarchy::FEW) as u64
        }
        None => model.node_count() as u64 / 2,
    };
    8 * SIDE as u64 * u64::from(SLOTS) * coarser
}

/// The levels, and the words of `ways`.
struct Table {
    levels: Vec<GroupLevel>,
    words: Vec<u32>,
}

impl Table {
    fn new(nodes: usize, ways: &[Way]) -> Self {
        let all: usize = ways.iter().map(|way| way.nodes).sum();
        let mut table = Self { levels: Vec::new(), words: Vec::new() };
        let (mut finer, mut finer_first, mut first) = (nodes, 0, 0);
        for (l, way) in ways.iter().enumerate() {
            let parents = hierarchy::parents(way, ways.get(l + 1));
            let mut starts = vec![0u32; way.nodes + 1];
            parents.iter().for_each(|&p| starts[p + 1] += 1);
            for i in 0..way.nodes {
                starts[i + 1] += starts[i];
            }
            let mut children = vec![0u32; finer];
            let mut next = starts.clone();
            for (child, &p) in parents.iter().enumerate() {
                children[next[p] as usize] = child as u32;
                next[p] += 1;
            }
            let rows = &way.interpolation;
            let entries = rows.indices.iter().zip(&rows.weights).flat_map(|(i, w)| [*i, w.to_bits()]);
            let level = GroupLevel {
                nodes: way.nodes as u32,
                first,
                finer_nodes: finer as u32,
                finer_first,
                child_starts: table.add(starts),
                children: table.add(children),
                entry_starts: table.add(rows.starts.iter().copied()),
                entries: table.add(entries),
                reach: LAYER * 2f32.powi(l as i32 + 1),
                finest_nodes: nodes as u32,
                all_nodes: all as u32,
                index: l as u32,
                ..GroupLevel::zeroed()
            };
            table.levels.push(level);
            (finer_first, finer) = (first, way.nodes);
            first += way.nodes as u32;
        }
        table
    }

    fn add(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let first = self.words.len() as u32;
        self.words.extend(words);
        first
    }
}

/// The kernels and buffers.
pub struct Groups {
    levels: Vec<GroupLevel>,
    tail: usize,
    /// Nodes in pairs, and nodes of the first level with groups.
    listed: [Indirect; 2],
    open: Bound,
    begin_list: Bound,
    join: [Bound; 2],
    rows: [Bound; 2],
    place: Places,
    /// Of the first level, and of all others.
    fill: [Bound; 2],
    pack_rows: Bound,
    stiffness: [Bound; 2],
    pack_stiffness: Bound,
    multiply: [Bound; 2],
    gather: Bound,
    /// That of the tail's levels at once is behind those of the levels.
    bindings: Bindings,
}

/// The kernels that make rows of what was counted.
struct Places {
    add_stretches: Bound,
    place_stretches: Bound,
    place_rows: Bound,
    sort_rows: Bound,
}

/// What groups are made for.
pub struct Setting<'a> {
    /// The way to each level.
    pub ways: &'a [Way],
    /// The first level that one workgroup does together with all behind it.
    pub tail: usize,
    /// The shader that multiplies the groups of a level.
    pub multiply: &'static str,
    /// Host twins of what it reads.
    pub structs: &'a [&'a HostStruct],
    /// The row of the levels' vectors from which on contact has three.
    pub row: u32,
    /// The solver's buffers, its levels included.
    pub bindings: &'a Bindings,
}

impl Groups {
    /// Compiles the kernels and uploads the ways.
    pub fn new(setup: &Setup<'_>, soft: &Soft, setting: &Setting<'_>) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let table = Table::new(setup.nodes as usize, setting.ways);
        let all = table.levels[0].all_nodes as usize;
        let (slots, tail_first) = (SLOTS as usize * all, table.levels[setting.tail].first as usize);
        let tail_nodes = all - tail_first;
        let extent = GroupExtent {
            nodes: all as u32,
            first_nodes: table.levels[0].nodes,
            // Behind the nodes of all levels.
            list: setup.nodes + all as u32,
            tail_first: tail_first as u32,
            tail_nodes: tail_nodes as u32,
        };
        let mut uniforms = table.levels.clone();
        // All levels of the tail at once.
        uniforms.push(GroupLevel { nodes: tail_nodes as u32, first: tail_first as u32, ..table.levels[0] });
        let zeros = |label, len| Buffer::<u32>::zeroed(gpu, label, len, Usage::empty());
        let pairs = |label, len| Buffer::<[u32; 2]>::zeroed(gpu, label, len, Usage::empty());
        let tail_words = (9 + 4 * SIDE + 2 * SIDE) * SLOTS as usize * tail_nodes + tail_nodes + 1;
        let first_nodes = table.levels[0].nodes as usize;
        let launch = Buffer::<u32>::zeroed(gpu, "launch of groups", 3, Usage::INDIRECT)?;
        let bindings = soft
            .bindings()
            .clone()
            .and(setting.bindings)
            .with("ways", &Buffer::from_slice(gpu, "ways", &table.words, Usage::empty())?)
            // Behind them the list of groups: contact/groups/listed.wgsl.
            .with("ups", &zeros("ups", setup.nodes as usize + all + 1 + first_nodes)?)
            .with("launch", &launch)
            .with("partners", &zeros("partners", PARTNER * slots)?)
            .with("own_rows", &pairs("own_rows", SIDE * slots)?)
            .with("other_rows", &pairs("other_rows", SIDE * slots)?)
            .with("row_starts", &zeros("group row_starts", all + 1)?)
            .with("row_entries", &zeros("group row_entries", 2 * SIDE * slots)?)
            .with("counts", &zeros("group counts", all)?)
            .with("row_count", &Buffer::from_slice(gpu, "group row_count", &[all as u32], Usage::UNIFORM)?)
            .with("stretches", &zeros("group stretches", all.div_ceil(STRETCH as usize))?)
            .with(
                "group_stiffness",
                &Buffer::<[f32; 2]>::zeroed(gpu, "group_stiffness", 3 * slots, Usage::empty())?,
            )
            .with("group_products", &Buffer::<Vec4>::zeroed(gpu, "group_products", slots, Usage::empty())?)
            .with("tail_groups", &zeros("tail_groups", tail_words)?)
            .with("group_extent", &Buffer::from_slice(gpu, "group_extent", &[extent], Usage::UNIFORM)?)
            .with("group_level", &Buffer::from_slice(gpu, "group levels", &uniforms, Usage::UNIFORM)?);
        let structs = [&STRUCTS[..], setting.structs, &[&GroupLevel::TWIN, &GroupExtent::TWIN]].concat();
        let mut constants = setup.constants.clone();
        constants.push(("LEVEL_CONTACT", f64::from(setting.row)));
        let shader = |name: &str| setup.shader(name, &structs);
        let [open, join, rows, reverse] = [
            shader("contact/groups/open.wgsl")?,
            shader("contact/groups/join.wgsl")?,
            shader("contact/groups/rows.wgsl")?,
            shader("contact/reverse.wgsl")?,
        ];
        let [fill, pack, stiffness, multiply, gather] = [
            shader("contact/groups/fill.wgsl")?,
            shader("contact/groups/pack.wgsl")?,
            shader("contact/groups/stiffness.wgsl")?,
            shader(setting.multiply)?,
            shader("contact/groups/gather.wgsl")?,
        ];
        let of_list = [&constants[..], &[("IS_LISTED", 1.0)]].concat();
        let job = |shader, entry| (shader, entry, &constants[..]);
        let job_of_list = |shader, entry| (shader, entry, &of_list[..]);
        let kernels = Kernel::compile(
            gpu,
            [
                job(&multiply, "multiply_groups"),
                job_of_list(&multiply, "multiply_groups"),
                job(&rows, "make_rows"),
                job_of_list(&rows, "make_first_rows"),
                job(&join, "join_groups"),
                job(&join, "join_pairs"),
                job(&join, "begin_list"),
                job(&open, "open_slots"),
                job(&stiffness, "add_groups"),
                job_of_list(&stiffness, "add_pairs"),
                job(&gather, "gather_groups"),
                job_of_list(&fill, "fill_groups"),
                job(&fill, "fill_groups"),
                job(&pack, "pack_rows"),
                job(&pack, "pack_stiffness"),
                job(&reverse, "add_stretches"),
                job(&reverse, "place_stretches"),
                job(&reverse, "place_rows"),
                job(&reverse, "sort_rows"),
            ],
        )?;
        let [
            multiply,
            first_multiply,
            rows,
            first_rows,
            join,
            first_join,
            begin_list,
            open,
            stiffness,
            first_stiffness,
            gather,
            first_fill,
            fill,
            pack_rows,
            pack_stiffness,
            add_stretches,
            place_stretches,
            place_rows,
            sort_rows,
        ] = kernels;
        let bind = |kernel: Kernel| kernel.bind(gpu, &bindings);
        Ok(Self {
            levels: table.levels,
            tail: setting.tail,
            listed: [soft.listed().clone(), Indirect::new(&launch, SLOTS * first_nodes as u32)],
            open: bind(open)?,
            begin_list: bind(begin_list)?,
            join: [bind(first_join)?, bind(join)?],
            rows: [bind(first_rows)?, bind(rows)?],
            place: Places {
                add_stretches: bind(add_stretches)?,
                place_stretches: bind(place_stretches)?,
                place_rows: bind(place_rows)?,
                sort_rows: bind(sort_rows)?,
            },
            fill: [bind(first_fill)?, bind(fill)?],
            pack_rows: bind(pack_rows)?,
            stiffness: [bind(first_stiffness)?, bind(stiffness)?],
            pack_stiffness: bind(pack_stiffness)?,
            multiply: [bind(first_multiply)?, bind(multiply)?],
            gather: bind(gather)?,
            bindings,
        })
    }

    /// Buffers that the kernels of the tail share.
    pub fn of_tail(&self) -> Bindings {
        self.bindings.clone()
    }

    /// Records the groups of a substep: which pairs belong together, and their rows.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        let [nodes, groups] = &self.listed;
        pass.dispatch_indirect(&self.open, nodes);
        pass.dispatch(&self.begin_list, 1);
        for (l, level) in self.levels.iter().enumerate() {
            pass.dispatch_at(&self.join[l.min(1)], level.nodes, &[l as u32 * UNIFORM_STRIDE]);
            self.record_slots(pass, &self.rows, l);
        }
        let all = self.levels[0].all_nodes;
        pass.dispatch(&self.place.add_stretches, all);
        pass.dispatch(&self.place.place_stretches, 1);
        pass.dispatch(&self.place.place_rows, all);
        let [first, others] = &self.fill;
        pass.dispatch_indirect(first, groups);
        pass.dispatch(others, SLOTS * (all - self.levels[0].nodes));
        pass.dispatch(&self.place.sort_rows, all);
        pass.dispatch(&self.pack_rows, SLOTS * (all - self.levels[self.tail].first));
    }

    /// Records the stiffness of all groups in an iteration.
    pub fn record_iteration(&self, pass: &mut Pass<'_>) {
        (0..self.levels.len()).for_each(|l| self.record_slots(pass, &self.stiffness, l));
        let tail = self.levels[0].all_nodes - self.levels[self.tail].first;
        pass.dispatch(&self.pack_stiffness, SLOTS * tail);
        pass.dispatch_at(&self.gather, tail, &[self.levels.len() as u32 * UNIFORM_STRIDE]);
    }

    /// Records the product of a level's groups with the correction of the next coarser one.
    pub fn record_level(&self, pass: &mut Pass<'_>, l: usize) {
        self.record_slots(pass, &self.multiply, l);
        pass.dispatch_at(&self.gather, self.levels[l].nodes, &[l as u32 * UNIFORM_STRIDE]);
    }

    /// Records a kernel for the slots of a level, which is another one for the first level: that has a list of nodes.
    fn record_slots(&self, pass: &mut Pass<'_>, kernels: &[Bound; 2], l: usize) {
        let at = [l as u32 * UNIFORM_STRIDE];
        match l {
            0 => pass.dispatch_indirect_at(&kernels[0], &self.listed[1], &at),
            _ => pass.dispatch_at(&kernels[1], SLOTS * self.levels[l].nodes, &at),
        }
    }
}
