//! The springs and the bending on the GPU, in grid form or mesh form.

use bytemuck::{Pod, Zeroable};

use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Usage};
use crate::model::{BendingRows, Grid, GridBending, GridLink, Model};
use crate::settings::{Form, SettingsError};
use crate::shaders;

/// Nodes of a slice: the `SLICE` of `network_mesh.wgsl`, and the size of a workgroup.
const SLICE: usize = 64;
/// Most kinds of springs that a grid node sees.
const MOST_SLOTS: usize = 12;

/// Host twin of WGSL `GridSlot`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct GridSlot {
    offset: [i32; 2],
    rest_length: f32,
    stiffness: f32,
    dashpot: f32,
    border: u32,
    kind: u32,
    padding: u32,
    bend: [f32; 4],
}

/// Host twin of WGSL `Grid`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct GridUniform {
    columns: u32,
    rows: u32,
    border_factor: f32,
    padding: u32,
    clamps: [[u32; 2]; 2],
    slots: [GridSlot; MOST_SLOTS],
    families: [GridSlot; MOST_SLOTS / 2],
}

/// Layouts compared with WGSL when a shader loads.
pub const NETWORK_STRUCTS: [&HostStruct; 3] = [
    &HostStruct {
        name: "Grid",
        size: size_of::<GridUniform>(),
        fields: &[
            ("columns", std::mem::offset_of!(GridUniform, columns)),
            ("rows", std::mem::offset_of!(GridUniform, rows)),
            ("border_factor", std::mem::offset_of!(GridUniform, border_factor)),
            ("padding", std::mem::offset_of!(GridUniform, padding)),
            ("clamps", std::mem::offset_of!(GridUniform, clamps)),
            ("slots", std::mem::offset_of!(GridUniform, slots)),
            ("families", std::mem::offset_of!(GridUniform, families)),
        ],
    },
    &HostStruct {
        name: "GridSlot",
        size: size_of::<GridSlot>(),
        fields: &[
            ("offset", std::mem::offset_of!(GridSlot, offset)),
            ("rest_length", std::mem::offset_of!(GridSlot, rest_length)),
            ("stiffness", std::mem::offset_of!(GridSlot, stiffness)),
            ("dashpot", std::mem::offset_of!(GridSlot, dashpot)),
            ("border", std::mem::offset_of!(GridSlot, border)),
            ("kind", std::mem::offset_of!(GridSlot, kind)),
            ("padding", std::mem::offset_of!(GridSlot, padding)),
            ("bend", std::mem::offset_of!(GridSlot, bend)),
        ],
    },
    &HostStruct {
        name: "MeshLayout",
        size: size_of::<MeshLayout>(),
        fields: &[
            ("header", std::mem::offset_of!(MeshLayout, header)),
            ("slots", std::mem::offset_of!(MeshLayout, slots)),
            ("bend_starts", std::mem::offset_of!(MeshLayout, bend_starts)),
            ("bend_header", std::mem::offset_of!(MeshLayout, bend_header)),
            ("bend_stiffness", std::mem::offset_of!(MeshLayout, bend_stiffness)),
            ("padding", std::mem::offset_of!(MeshLayout, padding)),
        ],
    },
];

/// The rows of the mesh form; see `network_mesh.wgsl` for the layout.
struct Rows {
    links: Vec<u32>,
    material: Vec<f32>,
    dashpots_and_bending: Vec<f32>,
    layout: MeshLayout,
}

/// Host twin of WGSL `MeshLayout`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct MeshLayout {
    header: u32,
    slots: u32,
    bend_starts: u32,
    bend_header: u32,
    bend_stiffness: u32,
    padding: u32,
}

/// The springs and the bending of a model in GPU memory.
pub enum Network {
    /// Neighbours follow from the index.
    Grid {
        /// The grid's uniform.
        grid: Buffer<u8>,
        /// Material and bending of each kind of spring of each copy, where there are several.
        copies: Option<Buffer<[f32; 4]>>,
        /// Slots in use.
        links: u32,
        /// Whether any spring has a dashpot.
        dashpots: bool,
        /// Whether it has a bending stiffness.
        bending: bool,
    },
    /// Neighbours are stored.
    Mesh {
        /// Row starts and neighbours.
        links: Buffer<u32>,
        /// Rest lengths and stiffnesses.
        material: Buffer<f32>,
        /// Dashpots, and stiffnesses of the pairs that bending couples.
        dashpots_and_bending: Buffer<f32>,
        /// Where the parts begin.
        layout: Buffer<MeshLayout>,
        /// Whether any spring has a dashpot.
        dashpots: bool,
        /// Whether any body has a bending stiffness.
        bending: bool,
    },
}

/// The form that the settings ask for, where the model has it.
pub fn form(model: &Model, wanted: Form) -> Result<Form, SettingsError> {
    match (wanted, model.grid()) {
        (Form::Auto | Form::Grid, Some(_)) => Ok(Form::Grid),
        (Form::Auto | Form::Mesh, _) => Ok(Form::Mesh),
        (Form::Grid, None) => Err(SettingsError {
            key: "form",
            value: "grid".into(),
            allowed: "\"mesh\" or \"auto\": only a scene whose one body is a rectangular cloth has a grid form",
        }),
    }
}

/// Bytes of the largest buffer that the network needs.
pub fn largest_buffer(model: &Model, form: Form) -> u64 {
    match form {
        Form::Grid => 0,
        _ => {
            let last = |degrees: &[u32]| slice_starts(degrees).last().copied().unwrap_or(0);
            let springs = last(&degrees(model));
            match model.has_bending() {
                true => (8 * springs).max(4 * (springs + last(&bending_degrees(model.bending_rows())))),
                false => 8 * springs,
            }
        }
    }
}

impl Network {
    /// Uploads the springs and the bending of `model`.
    pub fn new(gpu: &Gpu, model: &Model, form: Form) -> Result<Self, GpuError> {
        let storage = Usage::empty();
        let (dashpots, bending) = (model.has_dashpots(), model.has_bending());
        if let (Form::Grid, Some(grid)) = (form, model.grid()) {
            let used: Vec<usize> = used_kinds(model, grid).collect();
            let (uniform, links) = (grid_uniform(grid, model, &used), 2 * used.len() as u32);
            let grid_buffer = Buffer::from_slice(gpu, "grid", bytemuck::bytes_of(&uniform), Usage::UNIFORM)?;
            let copies = match model.copies() {
                1 => None,
                _ => Some(Buffer::from_slice(gpu, "copy_links", &copy_links(grid, model), storage)?),
            };
            return Ok(Network::Grid { grid: grid_buffer, copies, links, dashpots, bending });
        }
        // Before rows are laid out in memory: nodes with very many springs can ask for more than 32 bits count.
        gpu.check_size(largest_buffer(model, form))?;
        let rows = rows(model);
        let extra = &rows.dashpots_and_bending;
        Ok(Network::Mesh {
            links: Buffer::from_slice(gpu, "links", &rows.links, storage)?,
            material: Buffer::from_slice(gpu, "material", &rows.material, storage)?,
            dashpots_and_bending: Buffer::from_slice(gpu, "dashpots and bending", extra, storage)?,
            layout: Buffer::from_slice(gpu, "mesh", &[rows.layout], Usage::UNIFORM)?,
            dashpots,
            bending,
        })
    }

    /// The files that stand for the network in this form.
    pub fn files(&self) -> [(&'static str, &'static str); 2] {
        let (network, material) = match self {
            Network::Grid { copies: None, .. } => (shaders::NETWORK_GRID, shaders::GRID_MATERIAL_ONE),
            Network::Grid { copies: Some(_), .. } => (shaders::NETWORK_GRID, shaders::GRID_MATERIAL_COPIES),
            Network::Mesh { .. } => (shaders::NETWORK_MESH, shaders::GRID_MATERIAL_ONE),
        };
        [(shaders::NETWORK, network), (shaders::GRID_MATERIAL, material)]
    }

    /// Values of the network's WGSL overrides.
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        let (Network::Grid { dashpots, bending, .. } | Network::Mesh { dashpots, bending, .. }) = self;
        let flag = |on: &bool| f64::from(u8::from(*on));
        let mut constants = vec![("HAS_DASHPOTS", flag(dashpots)), ("HAS_BENDING", flag(bending))];
        if let Network::Grid { links, .. } = self {
            constants.push(("LINKS", f64::from(*links)));
        }
        constants
    }

    /// Adds the network's buffers.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        match self {
            Network::Grid { grid, copies, .. } => {
                let bindings = bindings.with("grid", grid);
                match copies {
                    None => bindings,
                    Some(copies) => bindings.with("copy_links", copies),
                }
            }
            Network::Mesh { links, material, dashpots_and_bending, layout, .. } => bindings
                .with("links", links)
                .with("material", material)
                .with("dashpots_and_bending", dashpots_and_bending)
                .with("mesh", layout),
        }
    }
}

/// The kinds of springs that any copy has; with bending all of them, for it couples the same nodes.
fn used_kinds<'a>(model: &'a Model, grid: &'a Grid) -> impl Iterator<Item = usize> + 'a {
    (0..grid.links.len()).filter(|kind| model.has_bending() || grid.has_link(*kind))
}

/// Copy by copy what `shared/grid_material_copies.wgsl` reads.
fn copy_links(grid: &Grid, model: &Model) -> Vec<[f32; 4]> {
    let numbers = |link: &GridLink| [link.rest_length, link.stiffness, link.dashpot, 0.0];
    let mut entries: Vec<[f32; 4]> = grid.copy_links.iter().flatten().map(numbers).collect();
    if !model.has_bending() {
        return entries;
    }
    let bending: Vec<_> = (0..model.copies()).map(|copy| model.grid_bending(copy)).collect();
    let factors = |of_copy: &Option<&GridBending>, link: &GridLink| {
        let [hinge, cell] = of_copy.map_or([0.0; 2], |bending| bend_factors(bending, link.offset));
        [hinge, cell, 0.0, 0.0]
    };
    for of_copy in &bending {
        entries.extend(grid.links.iter().map(|link| factors(of_copy, link)));
    }
    // Indices are small enough for f32: of a batch each copy has at most half of the most nodes.
    let clamp = |line: u32| if line == GridBending::FREE { -1.0 } else { line as f32 };
    entries.extend(bending.iter().map(|of_copy| {
        let [columns, rows] = clamps(*of_copy);
        [columns[0], columns[1], rows[0], rows[1]].map(clamp)
    }));
    entries
}

fn clamps(bending: Option<&GridBending>) -> [[u32; 2]; 2] {
    bending.map_or([[GridBending::FREE; 2]; 2], |bending| bending.clamps)
}

/// Each kind of spring that is used, in both directions.
fn grid_uniform(grid: &Grid, model: &Model, used: &[usize]) -> GridUniform {
    let bending = if model.copies() == 1 { model.grid_bending(0) } else { None };
    let slot = |kind: usize, sign: i32| {
        let link = &grid.links[kind];
        let offset = link.offset.map(|o| sign * o);
        let pattern = bend_pattern(offset);
        GridSlot {
            offset,
            rest_length: link.rest_length,
            stiffness: link.stiffness,
            dashpot: link.dashpot,
            border: match offset {
                [_, 0] => 1,
                [0, _] => 2,
                _ => 0,
            },
            kind: kind as u32,
            padding: 0,
            // Of a batch the kernels multiply with each copy's factors.
            bend: bending.map_or(pattern, |bending| {
                let [hinge, cell] = bend_factors(bending, offset);
                [hinge * pattern[0], hinge * pattern[1], hinge * pattern[2], cell * pattern[3]]
            }),
        }
    };
    let mut slots = [GridSlot::default(); MOST_SLOTS];
    // In the order in which the rows of the mesh form list them, so that both sum alike.
    for (pair, &kind) in slots.chunks_exact_mut(2).zip(used) {
        pair.copy_from_slice(&[slot(kind, -1), slot(kind, 1)]);
    }
    GridUniform {
        columns: grid.columns,
        rows: grid.rows,
        border_factor: grid.border_factor,
        padding: 0,
        clamps: clamps(bending),
        slots,
        families: std::array::from_fn(|kind| slot(kind, 1)),
    }
}

/// Which of the hinges centred before, at and behind a node's neighbour in the direction of `offset`, and whether
/// cells, couple the two.
fn bend_pattern(offset: [i32; 2]) -> [f32; 4] {
    let step = match offset {
        [step, 0] | [0, step] => step,
        _ => return [0.0, 0.0, 0.0, 1.0],
    };
    match step {
        1 => [0.0, 1.0, 1.0, 1.0],
        -1 => [1.0, 1.0, 0.0, 1.0],
        2 => [0.0, 0.0, 1.0, 0.0],
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// kappa = -c_a c_b of each hinge (1, -2, 1) and of the cells (1, -1, -1, 1) that two nodes share.
fn bend_factors(bending: &GridBending, offset: [i32; 2]) -> [f32; 2] {
    let [along_row, along_column, cell] = bending.weights();
    let (step, weight) = match offset {
        [step, 0] => (step, along_row),
        [0, step] => (step, along_column),
        _ => return [0.0, -cell as f32],
    };
    match step.abs() {
        1 => [(2.0 * weight) as f32, (2.0 * cell) as f32],
        _ => [-weight as f32, 0.0],
    }
}

/// Springs at each node.
fn degrees(model: &Model) -> Vec<u32> {
    let mut degree = vec![0u32; model.node_count()];
    for spring in model.springs() {
        for node in spring.nodes {
            degree[node as usize] += 1;
        }
    }
    degree
}

/// First slot of each slice, and the number of slots at the end.
fn slice_starts(degrees: &[u32]) -> Vec<u64> {
    let mut starts = vec![0u64];
    for slice in degrees.chunks(SLICE) {
        let width = slice.iter().copied().max().unwrap_or(0);
        starts.push(starts[starts.len() - 1] + u64::from(width) * SLICE as u64);
    }
    starts
}

/// Pairs that bending couples at each node.
fn bending_degrees(rows: &BendingRows) -> Vec<u32> {
    rows.starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect()
}

/// Slots of rows of some lengths: where those of a node are.
struct Slices {
    starts: Vec<u32>,
}

impl Slices {
    fn new(degrees: &[u32]) -> Self {
        Self { starts: slice_starts(degrees).into_iter().map(|s| s as u32).collect() } // checked before
    }

    /// Number of slots.
    fn slots(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// The slot of entry `k` of a node's row.
    fn slot(&self, node: usize, k: usize) -> usize {
        self.starts[node / SLICE] as usize + k * SLICE + node % SLICE
    }

    /// Appends the node that each slot names: the node itself, until it is filled; behind the last node
    /// it is never read.
    fn append_empty(&self, links: &mut Vec<u32>) {
        links.reserve_exact(self.slots());
        for (slice, pair) in self.starts.windows(2).enumerate() {
            links.extend((0..pair[1] - pair[0]).map(|s| (slice * SLICE) as u32 + s % SLICE as u32));
        }
    }
}

fn rows(model: &Model) -> Rows {
    let mut degree = degrees(model);
    let slices = Slices::new(&degree);
    let mut links = slices.starts.clone();
    let (header, slots) = (links.len(), slices.slots());
    slices.append_empty(&mut links);
    let mut material = vec![0f32; 2 * slots];
    let mut dashpots = vec![0f32; if model.has_dashpots() { slots } else { 0 }];
    degree.fill(0);
    for spring in model.springs() {
        let [a, b] = spring.nodes;
        for (node, other) in [(a, b), (b, a)] {
            let next = &mut degree[node as usize];
            let at = slices.slot(node as usize, *next as usize);
            *next += 1;
            links[header + at] = other;
            material[at] = spring.rest_length;
            material[slots + at] = spring.stiffness;
            if let Some(dashpot) = dashpots.get_mut(at) {
                *dashpot = spring.dashpot;
            }
        }
    }
    let layout = MeshLayout { header: header as u32, slots: slots as u32, ..MeshLayout::default() };
    let mut rows = Rows { links, material, dashpots_and_bending: dashpots, layout };
    if model.has_bending() {
        append_bending(&mut rows, model.bending_rows());
    }
    rows
}

/// Appends the pairs that bending couples.
fn append_bending(rows: &mut Rows, bending: &BendingRows) {
    let slices = Slices::new(&bending_degrees(bending));
    let (starts, stiffness) = (rows.links.len(), rows.dashpots_and_bending.len());
    rows.links.extend_from_slice(&slices.starts);
    let header = rows.links.len();
    slices.append_empty(&mut rows.links);
    rows.dashpots_and_bending.resize(stiffness + slices.slots(), 0.0);
    for node in 0..bending.starts.len() - 1 {
        for (k, &(other, kappa)) in bending.row(node).iter().enumerate() {
            let at = slices.slot(node, k);
            rows.links[header + at] = other;
            rows.dashpots_and_bending[stiffness + at] = kappa;
        }
    }
    rows.layout.bend_starts = starts as u32;
    rows.layout.bend_header = header as u32;
    rows.layout.bend_stiffness = stiffness as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_counted_beyond_32_bits() {
        let mut degrees = vec![1u32; 3 * SLICE];
        (degrees[0], degrees[SLICE]) = (50_000_000, 50_000_000);
        assert_eq!(slice_starts(&degrees).last(), Some(&(100_000_001 * SLICE as u64)));
    }
}
