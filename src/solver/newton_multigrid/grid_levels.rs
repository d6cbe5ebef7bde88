//! The coarser levels of a regular grid on the GPU.

use glam::Vec4;

use super::grid_table::{GridTable, LEVEL_STRUCT};
use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, HostStruct, Kernel, Pass, Shader, Source, Usage};
use crate::shaders;
use crate::solver::Setup;

/// Distance between two dynamic uniforms \[B\].
const STRIDE: u32 = 256;
/// Threads of the tail's workgroup.
const TAIL_SIZE: u32 = 256;

/// Kernels of the coarser levels, bound.
pub struct GridLevels {
    table: GridTable,
    copies: u32,
    nodes: u32,
    /// From the cloth, by which of the two position buffers holds the iterate.
    coarsen_cloth: [Bound; 2],
    coarsen: Bound,
    prolong: Bound,
    relax: Bound,
    tail: Bound,
    prolong_cloth: Bound,
}

impl GridLevels {
    /// Compiles and binds the kernels for a grid; `bindings` name the buffers of the fine level, by iterate.
    pub fn new(setup: &Setup<'_>, size: [u32; 3], bindings: [Bindings; 2]) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let [columns, rows, copies] = size;
        let has_bending = setup.model.has_bending();
        let weights = |copy| setup.model.grid_bending(copy).map_or([0.0; 3], |b| b.weights());
        let bend: Vec<[f64; 3]> = (0..copies).filter(|_| has_bending).map(weights).collect();
        let table = GridTable::new(columns, rows, copies, &bend);
        let levels = Buffer::from_slice(gpu, "levels", &table.levels, Usage::empty())?;
        let unused = [[0f32; 4]];
        let bends = if has_bending { &table.bends[..] } else { &unused };
        let level_bends = Buffer::from_slice(gpu, "level_bends", bends, Usage::empty())?;
        let blocks = Buffer::<[f32; 2]>::zeroed(gpu, "blocks", 21 * table.nodes as usize, Usage::empty())?;
        let nodes = Buffer::<Vec4>::zeroed(gpu, "level nodes", 3 * table.nodes as usize, Usage::empty())?;
        let mut at_level = vec![[0u32; STRIDE as usize / 4]; table.levels.len()];
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

        let compose = |root: &str, replace: &[(&str, &str)]| -> Result<Shader, GpuError> {
            let source = Source::compose(shaders::LIBRARY, root, &[replace, &setup.network].concat())?;
            let own: [&HostStruct; 3] = [&LEVEL_STRUCT, &CONTROL_STRUCT, &ITERATION_STRUCT];
            Shader::new(source, &[setup.structs, &own].concat())
        };
        let mut constants = setup.constants.clone();
        constants.push(("FIRST_LEVEL", table.tail as f64));
        let kernel = |shader: &Shader, entry: &str| Kernel::new(gpu, shader, entry, &constants);
        let both = |kernel: Kernel| -> Result<[Bound; 2], GpuError> {
            Ok([kernel.bind(gpu, &bindings[0])?, kernel.bind(gpu, &bindings[1])?])
        };
        let mut even = constants.clone();
        even.extend([("FACTOR_COLUMNS", 2.0), ("FACTOR_ROWS", 2.0)]);
        let cloth = compose("solvers/grid_coarsen.wgsl", shaders::GRID_FROM_CLOTH)?;
        let coarsen = compose("solvers/grid_coarsen.wgsl", shaders::GRID_FROM_LEVEL)?;
        let level = compose("solvers/grid_levels.wgsl", shaders::GRID_FROM_LEVEL)?;
        let tail = compose("solvers/grid_tail.wgsl", shaders::GRID_TAIL)?;
        let prolong_cloth = compose("solvers/grid_prolong.wgsl", shaders::GRID_FROM_LEVEL)?;
        let bound =
            |shader, entry| -> Result<Bound, GpuError> { kernel(shader, entry)?.bind(gpu, &bindings[0]) };
        Ok(Self {
            copies,
            nodes: setup.nodes,
            coarsen_cloth: both(Kernel::new(gpu, &cloth, "coarsen", &even)?)?,
            coarsen: Kernel::new(gpu, &coarsen, "coarsen", &even)?.bind(gpu, &bindings[0])?,
            prolong: bound(&level, "prolong")?,
            relax: bound(&level, "relax")?,
            tail: bound(&tail, "cycle")?,
            prolong_cloth: bound(&prolong_cloth, "prolong")?,
            table,
        })
    }

    /// Records the visit of all coarser levels: from the gradient to its correction. `iteration` is
    /// the dynamic offset \[B\] of its uniform.
    pub fn record(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32) {
        let size = |l: usize| self.table.levels[l].columns * self.table.levels[l].rows * self.copies;
        let at = |l: usize| [l as u32 * STRIDE];
        for l in 0..=self.table.tail {
            match l {
                0 => pass.dispatch_at(&self.coarsen_cloth[iterate], size(0), &[iteration, 0]),
                _ => pass.dispatch_at(&self.coarsen, size(l), &at(l)),
            }
        }
        pass.dispatch_at(&self.tail, self.copies * TAIL_SIZE, &[iteration]);
        for l in (0..self.table.tail).rev() {
            pass.dispatch_at(&self.prolong, size(l), &at(l));
            pass.dispatch_at(&self.relax, size(l), &at(l));
        }
        pass.dispatch(&self.prolong_cloth, self.nodes);
    }
}
