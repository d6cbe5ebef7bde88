//! The coarser levels of any network on the GPU.

use glam::Vec4;

use super::network_table::{NETWORK_LEVEL_STRUCT, NetworkTable};
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, HostStruct, Kernel, Pass, Usage};
use crate::hierarchy::Hierarchy;
use crate::model::Spring;
use crate::solver::Setup;

/// Distance between two dynamic uniforms \[B\].
const STRIDE: usize = 256;
/// Threads of the tail's workgroup: `DENSE_SIZE` of `dense.wgsl`.
const TAIL_SIZE: u32 = 256;

/// Kernels of the coarser levels, bound.
pub struct NetworkLevels {
    table: NetworkTable,
    nodes: u32,
    /// From the network itself, by which of the two position buffers holds the iterate.
    coarsen_springs: [Bound; 2],
    hold: [Bound; 2],
    coarsen_nodes: Bound,
    coarsen: Bound,
    prolong: Bound,
    relax: Bound,
    tail: Bound,
    prolong_network: Bound,
}

impl NetworkLevels {
    /// Makes the levels of the model, and compiles and binds the kernels; `bindings` name the buffers of the
    /// fine level, by iterate.
    pub fn new(setup: &Setup<'_>, bindings: [Bindings; 2]) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let mut table = NetworkTable::new(setup.nodes as usize, &Hierarchy::galerkin(setup.model));
        let storage = Usage::empty();
        let springs = setup.model.springs();
        let dashpots: Vec<f32> = match setup.model.has_dashpots() {
            true => springs.iter().map(|s| s.dashpot).collect(),
            false => Vec::new(),
        };
        let springs: Vec<[u32; 4]> = springs.iter().map(spring_words).collect();
        let springs = Buffer::from_slice(gpu, "springs", &springs, storage)?;
        let dashpots = Buffer::from_slice(gpu, "spring dashpots", &dashpots, storage)?;
        let rows = Buffer::from_slice(gpu, "rows", &std::mem::take(&mut table.rows), storage)?;
        let entries = Buffer::from_slice(gpu, "entries", &std::mem::take(&mut table.entries), storage)?;
        let blocks = Buffer::<[f32; 2]>::zeroed(gpu, "blocks", table.words, storage)?;
        let nodes = Buffer::<Vec4>::zeroed(gpu, "level nodes", 4 * table.nodes, storage)?;
        let levels = Buffer::from_slice(gpu, "levels", &table.levels, storage)?;
        let mut uniforms = vec![0u8; STRIDE * table.levels.len()];
        for (level, place) in table.levels.iter().zip(uniforms.chunks_mut(STRIDE)) {
            place[..size_of_val(level)].copy_from_slice(bytemuck::bytes_of(level));
        }
        let uniforms = Buffer::from_slice(gpu, "level", &uniforms, Usage::UNIFORM)?;
        let bindings = bindings.map(|bindings| {
            bindings
                .with("springs", &springs)
                .with("spring_dashpots", &dashpots)
                .with("rows", &rows)
                .with("entries", &entries)
                .with("blocks", &blocks)
                .with("nodes", &nodes)
                .with("levels", &levels)
                .with("level", &uniforms)
        });

        let own: [&HostStruct; 3] = [&NETWORK_LEVEL_STRUCT, &CONTROL_STRUCT, &ITERATION_STRUCT];
        let mut constants = setup.constants.clone();
        constants.push(("FIRST_LEVEL", table.tail as f64));
        let kernel = |file: &str, entry: &str| -> Result<Kernel, GpuError> {
            Kernel::new(gpu, &setup.shader(file, &own)?, entry, &constants)
        };
        let both = |file: &str, entry: &str| -> Result<[Bound; 2], GpuError> {
            let kernel = kernel(file, entry)?;
            Ok([kernel.bind(gpu, &bindings[0])?, kernel.bind(gpu, &bindings[1])?])
        };
        let bound = |file: &str, entry: &str| -> Result<Bound, GpuError> {
            kernel(file, entry)?.bind(gpu, &bindings[0])
        };
        Ok(Self {
            nodes: setup.nodes,
            coarsen_springs: both("solvers/network_coarsen_first.wgsl", "coarsen_springs")?,
            hold: both("solvers/network_coarsen_first.wgsl", "hold")?,
            coarsen_nodes: bound("solvers/network_coarsen.wgsl", "coarsen_nodes")?,
            coarsen: bound("solvers/network_coarsen.wgsl", "coarsen")?,
            prolong: bound("solvers/network_levels.wgsl", "prolong")?,
            relax: bound("solvers/network_levels.wgsl", "relax")?,
            tail: bound("solvers/network_tail.wgsl", "cycle")?,
            prolong_network: bound("solvers/network_levels.wgsl", "prolong_network")?,
            table,
        })
    }

    /// Records the visit of all coarser levels: from the gradient to its correction. `iteration` is
    /// the dynamic offset \[B\] of its uniform.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        let levels = &self.table.levels;
        let at = |l: usize| [(l * STRIDE) as u32];
        pass.dispatch_at(&self.hold[iterate], self.nodes, &[iteration]);
        pass.dispatch_at(&self.coarsen_springs[iterate], levels[0].springs, &[iteration, 0]);
        pass.dispatch_at(&self.coarsen_nodes, levels[0].nodes, &at(0));
        for (l, level) in levels.iter().enumerate().skip(1) {
            pass.dispatch_at(&self.coarsen, level.nodes + level.springs, &at(l));
        }
        pass.dispatch_at(&self.tail, TAIL_SIZE, &[iteration]);
        for l in (1..=self.table.tail).rev() {
            pass.dispatch_at(&self.prolong, levels[l].finer_nodes, &at(l));
            pass.dispatch_at(&self.relax, levels[l - 1].nodes, &at(l - 1));
        }
        pass.dispatch_at(&self.prolong_network, self.nodes, &at(0));
    }
}

/// Both ends, and bits of rest length and stiffness.
fn spring_words(spring: &Spring) -> [u32; 4] {
    let [a, b] = spring.nodes;
    [a, b, spring.rest_length.to_bits(), spring.stiffness.to_bits()]
}
