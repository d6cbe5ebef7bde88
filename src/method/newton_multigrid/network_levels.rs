//! The coarser levels of any network on the GPU.

use glam::Vec4;

use super::level_traffic::NetworkTraffic;
use super::network_table::{Lists, NETWORK_LEVEL_STRUCT, NetworkLevel, NetworkTable};
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, HostStruct, Kernel, Pass, UNIFORM_STRIDE, Usage};
use crate::hierarchy::Hierarchy;
use crate::method::Setup;
use crate::method::contact::{Groups, Setting, Soft};
use crate::model::{Spring, stored_stiffness};

/// Rows of the levels' vectors, as `shaders/methods/newton_multigrid/mesh/bindings.wgsl` lays them out.
const VECTORS: u32 = 4;
/// Rows behind them, of contact between surfaces.
const CONTACT_ROWS: u32 = 3;
/// Most entries of a list of 8 B each: 128 MiB is what WebGPU always grants a binding.
const MOST_ENTRIES: usize = 16 << 20;

/// Kernels of the coarser levels, bound.
pub struct NetworkLevels {
    /// From fine to coarse.
    levels: Vec<NetworkLevel>,
    /// The first level of the tail.
    tail: usize,
    nodes: u32,
    copies: u32,
    compute_ground: [Bound; 2],
    /// Makes parts of the first level's springs from the network itself, by which of the two position buffers holds the
    /// iterate; and the number of springs of each part.
    coarsen_springs: Vec<([Bound; 2], u32)>,
    coarsen_nodes: Bound,
    /// By level; the first is not used.
    coarsen: Vec<Bound>,
    prolongate: Vec<Bound>,
    smooth_level: Vec<Bound>,
    cycle: Bound,
    prolongate_to_network: Bound,
    again: Option<Again>,
    groups: Option<Groups>,
    traffic: NetworkTraffic,
}

/// Kernels of further cycles with the same matrix, bound.
struct Again {
    restrict_network: Bound,
    /// By level; the first is not used.
    restrict: Vec<Bound>,
    cycle: Bound,
}

impl NetworkLevels {
    /// Makes the levels of the model, and compiles and binds the kernels. `bindings` name the buffers of the finest level, by
    /// iterate. `again`: also the kernels of cycles that use the matrix of the cycle before.
    pub fn new(setup: &Setup<'_>, bindings: [Bindings; 2], again: bool) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let hierarchy = Hierarchy::galerkin(setup.model);
        let table = NetworkTable::new(setup.nodes as usize, &hierarchy, MOST_ENTRIES);
        let bindings = with_level_buffers(setup, &table, bindings)?;
        let own: [&HostStruct; 3] = [&NETWORK_LEVEL_STRUCT, &CONTROL_STRUCT, &ITERATION_STRUCT];
        let in_groups = |soft: &Soft| {
            let setting = Setting {
                ways: &hierarchy.ways(),
                tail: table.tail,
                multiply: "methods/newton_multigrid/mesh/multiply_groups.wgsl",
                structs: &own,
                row: VECTORS,
                bindings: &bindings[0],
            };
            Groups::new(setup, soft, &setting)
        };
        let groups = setup.soft.map(in_groups).transpose()?;
        let shader = |file: &str| setup.shader(file, &own);
        let first = shader("methods/newton_multigrid/mesh/coarsen_first.wgsl")?;
        let coarser = shader("methods/newton_multigrid/mesh/coarsen.wgsl")?;
        let upward = shader("methods/newton_multigrid/mesh/prolongate.wgsl")?;
        let small = shader("methods/newton_multigrid/mesh/tail.wgsl")?;
        let all = &[&setup.constants[..], &[("LEVEL_CONTACT", f64::from(VECTORS))]].concat()[..];
        let tail_bindings = groups.as_ref().map(Groups::of_tail).unwrap_or_default();
        let [
            cycle,
            from_network,
            compute_ground,
            coarsen,
            coarsen_nodes,
            smooth_level,
            prolongate,
            to_network,
        ] = Kernel::compile(
            gpu,
            [
                (&small, "cycle", all),
                (&first, "coarsen_springs", all),
                (&first, "compute_ground", all),
                (&coarser, "coarsen", all),
                (&coarser, "coarsen_nodes", all),
                (&upward, "smooth_level", all),
                (&upward, "prolongate", all),
                (&upward, "prolongate_to_network", all),
            ],
        )?;
        let mut coarsen_springs = Vec::new();
        for (part, lists) in &table.parts {
            let uniform = Buffer::from_slice(gpu, "part", &[*part], Usage::UNIFORM)?;
            let [a, b] = with_lists(setup, lists, bindings.clone())?.map(|b| b.with("level", &uniform));
            let both = [from_network.bind(gpu, &a)?, from_network.bind(gpu, &b)?];
            coarsen_springs.push((both, part.part_count));
        }
        let mut listed = Vec::new();
        for lists in &table.lists {
            let [first, _] = with_lists(setup, lists, bindings.clone())?;
            listed.push(first);
        }
        let with_groups = bindings.clone().map(|bindings| tail_bindings.clone().and(&bindings));
        let [in_tail, _] = with_lists(setup, &table.tail_lists, with_groups)?;
        let by_level = |kernel: Kernel| -> Result<Vec<Bound>, GpuError> {
            listed.iter().map(|bindings| kernel.bind(gpu, bindings)).collect()
        };
        let again = match again {
            false => None,
            true => {
                let constants = [all, &[("AGAIN", 1.0)]].concat();
                let [cycle, restrict, restrict_network] = Kernel::compile(
                    gpu,
                    [
                        (&small, "cycle", &constants),
                        (&coarser, "restrict_residual", all),
                        (&coarser, "restrict_network_residual", all),
                    ],
                )?;
                Some(Again {
                    restrict_network: restrict_network.bind(gpu, &listed[0])?,
                    restrict: by_level(restrict)?,
                    cycle: cycle.bind(gpu, &in_tail)?,
                })
            }
        };
        Ok(Self {
            groups,
            again,
            nodes: setup.nodes,
            copies: setup.copies,
            compute_ground: [
                compute_ground.bind(gpu, &bindings[0])?,
                compute_ground.bind(gpu, &bindings[1])?,
            ],
            coarsen_springs,
            coarsen_nodes: coarsen_nodes.bind(gpu, &listed[0])?,
            coarsen: by_level(coarsen)?,
            prolongate: by_level(prolongate)?,
            smooth_level: by_level(smooth_level)?,
            cycle: cycle.bind(gpu, &in_tail)?,
            prolongate_to_network: to_network.bind(gpu, &listed[0])?,
            traffic: NetworkTraffic::new(setup.model, &hierarchy, &table),
            tail: table.tail,
            levels: table.levels,
        })
    }

    /// Records what a substep begins with.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        self.groups.iter().for_each(|groups| groups.record_start(pass));
    }

    /// Records the coarse-grid correction: restriction of the residual, all coarser levels, prolongation. `iteration` is the
    /// dynamic offset \[B\] of its uniform; `again`: with the matrix of the cycle before.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32, again: bool) {
        let at = |l: usize| [l as u32 * UNIFORM_STRIDE];
        let bytes = &self.traffic;
        if let (Some(groups), false) = (&self.groups, again) {
            groups.record_iteration(pass);
        }
        match self.again.as_ref().filter(|_| again) {
            None => self.coarsen_all(pass, iterate, iteration),
            Some(again) => {
                pass.dispatch_moving(
                    &again.restrict_network,
                    self.levels[0].nodes,
                    &at(0),
                    bytes.restrict[0],
                );
                for (l, level) in self.levels.iter().enumerate().skip(1) {
                    pass.dispatch_moving(&again.restrict[l], level.nodes, &at(l), bytes.restrict[l]);
                }
                pass.dispatch_moving(
                    &again.cycle,
                    again.cycle.threads(self.copies),
                    &[iteration],
                    bytes.tail,
                );
            }
        }
        for l in (1..=self.tail).rev() {
            pass.dispatch_moving(
                &self.prolongate[l],
                self.levels[l].finer_nodes,
                &at(l),
                bytes.prolongate[l],
            );
            self.groups.iter().for_each(|groups| groups.record_level(pass, l - 1));
            pass.dispatch_moving(
                &self.smooth_level[l - 1],
                self.levels[l - 1].nodes,
                &at(l - 1),
                bytes.smooth_level[l - 1],
            );
        }
        pass.dispatch_moving(&self.prolongate_to_network, self.nodes, &at(0), bytes.prolongate[0]);
    }

    /// Makes the coarse-grid operators and right-hand sides, and the corrections of the tail.
    fn coarsen_all(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        let at = |l: usize| [l as u32 * UNIFORM_STRIDE];
        let bytes = &self.traffic;
        pass.dispatch_at(&self.compute_ground[iterate], self.nodes, &[iteration]);
        for ((kernels, springs), bytes) in self.coarsen_springs.iter().zip(&bytes.coarsen_springs) {
            pass.dispatch_moving(&kernels[iterate], *springs, &[iteration, 0], *bytes);
        }
        pass.dispatch_moving(&self.coarsen_nodes, self.levels[0].nodes, &at(0), bytes.coarsen[0]);
        for (l, level) in self.levels.iter().enumerate().skip(1) {
            pass.dispatch_moving(&self.coarsen[l], level.nodes + level.springs, &at(l), bytes.coarsen[l]);
        }
        pass.dispatch_moving(&self.cycle, self.cycle.threads(self.copies), &[iteration], bytes.tail);
    }
}

/// Adds the buffers that all levels share.
fn with_level_buffers(
    setup: &Setup<'_>,
    table: &NetworkTable,
    bindings: [Bindings; 2],
) -> Result<[Bindings; 2], GpuError> {
    let (gpu, storage) = (setup.gpu, Usage::empty());
    let springs = setup.model.springs();
    let dashpots: Vec<f32> = match setup.model.has_dashpots() {
        true => springs.iter().map(|s| s.dashpot).collect(),
        false => Vec::new(),
    };
    // Behind all springs: where their multipliers are stored.
    let springs: Vec<[u32; 4]> =
        springs.iter().map(spring_words).chain(setup.multipliers.springs.iter().copied()).collect();
    let springs = Buffer::from_slice(gpu, "springs", &springs, storage)?;
    let dashpots = Buffer::from_slice(gpu, "spring dashpots", &dashpots, storage)?;
    let blocks = Buffer::<[f32; 2]>::zeroed(gpu, "blocks", table.words, storage)?;
    let bends = if setup.model.has_bending() { &table.bends[..] } else { &[] };
    let bends = Buffer::from_slice(gpu, "level bends", bends, storage)?;
    let rows = VECTORS + if setup.soft.is_some() { CONTACT_ROWS } else { 0 };
    let nodes = Buffer::<Vec4>::zeroed(gpu, "level nodes", rows as usize * table.nodes, storage)?;
    let levels = Buffer::from_slice(gpu, "levels", &table.in_tail, storage)?;
    let mut uniforms = vec![0u8; UNIFORM_STRIDE as usize * table.levels.len()];
    for (level, place) in table.levels.iter().zip(uniforms.chunks_mut(UNIFORM_STRIDE as usize)) {
        place[..size_of_val(level)].copy_from_slice(bytemuck::bytes_of(level));
    }
    let uniforms = Buffer::from_slice(gpu, "level", &uniforms, Usage::UNIFORM)?;
    Ok(bindings.map(|bindings| {
        bindings
            .with("springs", &springs)
            .with("spring_dashpots", &dashpots)
            .with("blocks", &blocks)
            .with("nodes", &nodes)
            .with("level_bends", &bends)
            .with("levels", &levels)
            .with("level", &uniforms)
    }))
}

fn with_lists(setup: &Setup<'_>, lists: &Lists, bindings: [Bindings; 2]) -> Result<[Bindings; 2], GpuError> {
    let rows = Buffer::from_slice(setup.gpu, "rows", &lists.rows, Usage::empty())?;
    let entries = Buffer::from_slice(setup.gpu, "entries", &lists.entries, Usage::empty())?;
    Ok(bindings.map(|bindings| bindings.with("rows", &rows).with("entries", &entries)))
}

/// Both ends, and bits of rest length and stiffness.
fn spring_words(spring: &Spring) -> [u32; 4] {
    let [a, b] = spring.nodes;
    [a, b, spring.rest_length.to_bits(), stored_stiffness(spring.stiffness).to_bits()]
}
