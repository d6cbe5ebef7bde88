//! The coarser levels of a regular grid on the GPU.

use glam::Vec4;

use super::grid_table::{GridTable, LEVEL_STRUCT};
use super::level_traffic::GridTraffic;
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, HostStruct, Kernel, Pass, UNIFORM_STRIDE, Usage};
use crate::hierarchy;
use crate::method::Setup;
use crate::method::contact::{Groups, Setting, Soft};

/// Rows of the levels' vectors, as `shaders/methods/newton_multigrid/grid/bindings.wgsl` lays them out.
const VECTORS: u32 = 2;
/// Rows behind them, of contact between surfaces.
const CONTACT_ROWS: u32 = 3;

/// Kernels of the coarser levels, bound.
pub struct GridLevels {
    table: GridTable,
    copies: u32,
    nodes: u32,
    /// Threads for each node of a level whose matrices are made.
    parts: u32,
    /// From the cloth to the first level, by which of the two position buffers holds the iterate.
    coarsen_cloth: [Bound; 2],
    coarsen: Bound,
    smooth_level: Bound,
    tail: Bound,
    prolongate_to_cloth: Bound,
    again: Option<Again>,
    groups: Option<Groups>,
    traffic: GridTraffic,
}

/// Kernels of further cycles with the same matrix, bound.
struct Again {
    restrict_cloth: Bound,
    restrict: Bound,
    tail: Bound,
}

impl GridLevels {
    /// Compiles and binds the kernels for a grid. `bindings` name the buffers of the finest level, by iterate. `again`: also
    /// the kernels of cycles that use the matrix of the cycle before.
    pub fn new(
        setup: &Setup<'_>,
        size: [u32; 3],
        bindings: [Bindings; 2],
        again: bool,
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let [columns, rows_of_grid, copies] = size;
        let has_bending = setup.model.has_bending();
        let weights = |copy| setup.model.grid_bending(copy).map_or([0.0; 3], |b| b.weights());
        let bend: Vec<[f64; 3]> = (0..copies).filter(|_| has_bending).map(weights).collect();
        let table = GridTable::new(columns, rows_of_grid, copies, &bend);
        let levels = Buffer::from_slice(gpu, "levels", &table.levels, Usage::empty())?;
        let unused = [[0f32; 4]];
        let bends = if has_bending { &table.bends[..] } else { &unused };
        let level_bends = Buffer::from_slice(gpu, "level_bends", bends, Usage::empty())?;
        let blocks = Buffer::<[f32; 2]>::zeroed(gpu, "blocks", 21 * table.nodes as usize, Usage::empty())?;
        let rows = VECTORS + if setup.soft.is_some() { CONTACT_ROWS } else { 0 };
        let nodes =
            Buffer::<Vec4>::zeroed(gpu, "level nodes", (rows * table.nodes) as usize, Usage::empty())?;
        let mut at_level = vec![[0u32; UNIFORM_STRIDE as usize / 4]; table.levels.len()];
        for (index, uniform) in at_level.iter_mut().enumerate() {
            uniform[0] = index as u32;
        }
        let at_level = Buffer::from_slice(gpu, "at level", &at_level, Usage::UNIFORM)?;
        let with_levels = |bindings: Bindings| {
            bindings
                .with("levels", &levels)
                .with("level_bends", &level_bends)
                .with("blocks", &blocks)
                .with("nodes", &nodes)
                .with("at_level", &at_level)
        };
        let bindings = bindings.map(with_levels);
        let own: [&HostStruct; 3] = [&LEVEL_STRUCT, &CONTROL_STRUCT, &ITERATION_STRUCT];
        let in_groups = |soft: &Soft| {
            let setting = Setting {
                ways: &hierarchy::of_grids([columns, rows_of_grid], copies, hierarchy::FEW),
                tail: table.tail,
                multiply: "methods/newton_multigrid/grid/multiply_groups.wgsl",
                structs: &own,
                row: VECTORS,
                bindings: &bindings[0],
            };
            Groups::new(setup, soft, &setting)
        };
        let groups = setup.soft.map(in_groups).transpose()?;
        let compose = |root: &str, words: &[&str]| setup.shader_with(root, words, &own);
        let mut constants = setup.constants.clone();
        constants.push(("LEVEL_CONTACT", VECTORS.into()));
        constants.push(("FIRST_LEVEL", table.tail as f64));
        let has_flexion = setup.model.grid().is_none_or(|grid| (4..6).any(|kind| grid.has_link(kind)));
        let stiff: u32 = if has_flexion { 6 } else { 4 };
        let families = if has_bending { 6 } else { stiff };
        constants.extend([("STIFF_FAMILIES", f64::from(stiff)), ("FAMILIES", f64::from(families))]);
        let with_factor = |levels| -> Vec<(&'static str, f64)> {
            let [columns, rows] = table.common_factor(levels).map(f64::from);
            [&constants[..], &[("FACTOR_COLUMNS", columns), ("FACTOR_ROWS", rows)]].concat()
        };
        let (of_cloth, of_levels) = (with_factor(0..1), with_factor(1..table.tail + 1));
        let cloth = compose("methods/newton_multigrid/grid/coarsen.wgsl", &["cloth"])?;
        let coarsen = compose("methods/newton_multigrid/grid/coarsen.wgsl", &["level"])?;
        let level = compose("methods/newton_multigrid/grid/smooth.wgsl", &[])?;
        let tail = compose("methods/newton_multigrid/grid/tail.wgsl", &[])?;
        let prolongate_to_cloth = compose("methods/newton_multigrid/grid/prolongate.wgsl", &[])?;
        let tail_bindings = groups.as_ref().map(Groups::of_tail).unwrap_or_default();
        let tail_bindings = bindings[0].clone().and(&tail_bindings);
        let [cycle, from_cloth, from_level, smooth_level, to_cloth] = Kernel::compile(
            gpu,
            [
                (&tail, "cycle", &constants),
                (&cloth, "coarsen", &of_cloth),
                (&coarsen, "coarsen", &of_levels),
                (&level, "smooth_level", &constants),
                (&prolongate_to_cloth, "prolongate", &constants),
            ],
        )?;
        let bound = |kernel: Kernel| kernel.bind(gpu, &bindings[0]);
        let again = match again {
            false => None,
            true => {
                let constants = [&constants[..], &[("AGAIN", 1.0)]].concat();
                let [cycle, restrict_cloth, restrict] = Kernel::compile(
                    gpu,
                    [
                        (&tail, "cycle", &constants),
                        (&cloth, "restrict_residual", &of_cloth),
                        (&coarsen, "restrict_residual", &of_levels),
                    ],
                )?;
                Some(Again {
                    restrict_cloth: bound(restrict_cloth)?,
                    restrict: bound(restrict)?,
                    tail: cycle.bind(gpu, &tail_bindings)?,
                })
            }
        };
        Ok(Self {
            groups,
            again,
            copies,
            nodes: setup.nodes,
            // Its springs by family, its ground block and its right-hand side.
            parts: if gpu.is_wide() { stiff + 2 } else { 1 },
            coarsen_cloth: [from_cloth.bind(gpu, &bindings[0])?, from_cloth.bind(gpu, &bindings[1])?],
            coarsen: bound(from_level)?,
            smooth_level: bound(smooth_level)?,
            tail: cycle.bind(gpu, &tail_bindings)?,
            prolongate_to_cloth: bound(to_cloth)?,
            traffic: GridTraffic::new(&table, u64::from(stiff)),
            table,
        })
    }

    /// Records what a substep begins with.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        self.groups.iter().for_each(|groups| groups.record_start(pass));
    }

    /// Records the coarse-grid correction: restriction of the residual, all coarser levels, prolongation. `iteration` is the
    /// dynamic offset \[B\] of its uniform; `again`: with the matrix of the cycle before.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32, again: bool) {
        let size = |l| self.table.size(l);
        let at = |l: usize| [l as u32 * UNIFORM_STRIDE];
        if let (Some(groups), false) = (&self.groups, again) {
            groups.record_iteration(pass);
        }
        let again = self.again.as_ref().filter(|_| again);
        for l in 0..=self.table.tail {
            let (made, restricted) = (self.traffic.coarsen[l], self.traffic.restrict[l]);
            match (l, again) {
                (0, None) => {
                    let threads = self.parts * size(0);
                    pass.dispatch_moving(&self.coarsen_cloth[iterate], threads, &[iteration, 0], made)
                }
                (_, None) => pass.dispatch_moving(&self.coarsen, self.parts * size(l), &at(l), made),
                (0, Some(again)) => {
                    pass.dispatch_moving(&again.restrict_cloth, size(0), &at(0), restricted);
                }
                (_, Some(again)) => pass.dispatch_moving(&again.restrict, size(l), &at(l), restricted),
            }
        }
        let tail = again.map_or(&self.tail, |again| &again.tail);
        pass.dispatch_moving(tail, tail.threads(self.copies), &[iteration], self.traffic.tail);
        for l in (0..self.table.tail).rev() {
            self.groups.iter().for_each(|groups| groups.record_level(pass, l));
            pass.dispatch_moving(&self.smooth_level, size(l), &at(l), self.traffic.smooth_level[l]);
        }
        pass.dispatch(&self.prolongate_to_cloth, self.nodes);
    }
}
