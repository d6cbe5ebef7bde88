//! The springs on the GPU, in grid form or mesh form.

use bytemuck::{Pod, Zeroable};

use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Usage};
use crate::model::{Grid, GridLink, Model};
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
    padding: [u32; 2],
}

/// Host twin of WGSL `Grid`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct GridUniform {
    columns: u32,
    rows: u32,
    border_factor: f32,
    padding: u32,
    slots: [GridSlot; MOST_SLOTS],
    families: [GridSlot; MOST_SLOTS / 2],
}

/// Layouts compared with WGSL when a shader loads.
pub const NETWORK_STRUCTS: [&HostStruct; 2] = [
    &HostStruct {
        name: "Grid",
        size: size_of::<GridUniform>(),
        fields: &[
            ("columns", std::mem::offset_of!(GridUniform, columns)),
            ("rows", std::mem::offset_of!(GridUniform, rows)),
            ("border_factor", std::mem::offset_of!(GridUniform, border_factor)),
            ("padding", std::mem::offset_of!(GridUniform, padding)),
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
            ("padding", std::mem::offset_of!(GridSlot, padding)),
        ],
    },
];

/// The rows of the mesh form; see `network_mesh.wgsl` for the layout.
struct Rows {
    links: Vec<u32>,
    material: Vec<f32>,
    dashpots: Vec<f32>,
    layout: [u32; 4],
}

/// The springs of a model in GPU memory.
pub enum Network {
    /// Neighbours follow from the index.
    Grid {
        /// The grid's uniform.
        grid: Buffer<u8>,
        /// Slots in use.
        links: u32,
        /// Whether any spring has a dashpot.
        dashpots: bool,
    },
    /// Neighbours are stored.
    Mesh {
        /// Row starts and neighbours.
        links: Buffer<u32>,
        /// Rest lengths and stiffnesses.
        material: Buffer<f32>,
        /// Dashpots.
        dashpots: Buffer<f32>,
        /// Where the parts begin.
        layout: Buffer<u32>,
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
        _ => 8 * slice_starts(&degrees(model)).last().copied().unwrap_or(0),
    }
}

impl Network {
    /// Uploads the springs of `model`.
    pub fn new(gpu: &Gpu, model: &Model, form: Form) -> Result<Self, GpuError> {
        let storage = Usage::empty();
        if let (Form::Grid, Some(grid)) = (form, model.grid()) {
            let (uniform, links) = grid_uniform(grid);
            let grid = Buffer::from_slice(gpu, "grid", bytemuck::bytes_of(&uniform), Usage::UNIFORM)?;
            return Ok(Network::Grid { grid, links, dashpots: model.has_dashpots() });
        }
        // Before rows are laid out in memory: nodes with very many springs can ask for more than 32 bits count.
        gpu.check_size(largest_buffer(model, form))?;
        let rows = rows(model);
        Ok(Network::Mesh {
            links: Buffer::from_slice(gpu, "links", &rows.links, storage)?,
            material: Buffer::from_slice(gpu, "material", &rows.material, storage)?,
            dashpots: Buffer::from_slice(gpu, "dashpots", &rows.dashpots, storage)?,
            layout: Buffer::from_slice(gpu, "mesh", &rows.layout, Usage::UNIFORM)?,
        })
    }

    /// The file that stands for the network in this form.
    pub fn shader(&self) -> &'static str {
        match self {
            Network::Grid { .. } => shaders::NETWORK_GRID,
            Network::Mesh { .. } => shaders::NETWORK_MESH,
        }
    }

    /// Values of the network's WGSL overrides.
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        match self {
            Network::Grid { links, dashpots, .. } => {
                vec![("LINKS", f64::from(*links)), ("HAS_DASHPOTS", f64::from(u8::from(*dashpots)))]
            }
            Network::Mesh { dashpots, .. } => {
                vec![("HAS_DASHPOTS", f64::from(u8::from(!dashpots.is_empty())))]
            }
        }
    }

    /// Adds the network's buffers.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        match self {
            Network::Grid { grid, .. } => bindings.with("grid", grid),
            Network::Mesh { links, material, dashpots, layout } => bindings
                .with("links", links)
                .with("material", material)
                .with("dashpots", dashpots)
                .with("mesh", layout),
        }
    }
}

/// Each kind of spring in both directions; kinds without stiffness and dashpot take no slot.
fn grid_uniform(grid: &Grid) -> (GridUniform, u32) {
    let mut slots = [GridSlot::default(); MOST_SLOTS];
    let mut families = [GridSlot::default(); MOST_SLOTS / 2];
    let mut used = 0;
    for (family, link) in families.iter_mut().zip(&grid.links) {
        if link.stiffness == 0.0 && link.dashpot == 0.0 {
            continue;
        }
        *family = slot(link, link.offset);
        // In the order in which the rows of the mesh form list them, so that both sum alike.
        for offset in [link.offset.map(|o| -o), link.offset] {
            slots[used] = slot(link, offset);
            used += 1;
        }
    }
    let uniform = GridUniform {
        columns: grid.columns,
        rows: grid.rows,
        border_factor: grid.border_factor,
        padding: 0,
        slots,
        families,
    };
    (uniform, used as u32)
}

fn slot(link: &GridLink, offset: [i32; 2]) -> GridSlot {
    let border = match link.offset {
        [_, 0] => 1,
        [0, _] => 2,
        _ => 0,
    };
    GridSlot {
        offset,
        rest_length: link.rest_length,
        stiffness: link.stiffness,
        dashpot: link.dashpot,
        border,
        padding: [0; 2],
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

fn rows(model: &Model) -> Rows {
    let mut degree = degrees(model);
    let starts: Vec<u32> = slice_starts(&degree).into_iter().map(|s| s as u32).collect(); // checked before
    let (header, slots) = (starts.len(), starts[starts.len() - 1] as usize);
    let mut links = starts.clone();
    links.reserve_exact(slots);
    for (slice, pair) in starts.windows(2).enumerate() {
        // An empty slot names the node itself; behind the last node it is never read.
        links.extend((0..pair[1] - pair[0]).map(|s| (slice * SLICE) as u32 + s % SLICE as u32));
    }
    let mut material = vec![0f32; 2 * slots];
    let mut dashpots = vec![0f32; if model.has_dashpots() { slots } else { 0 }];
    degree.fill(0);
    for spring in model.springs() {
        let [a, b] = spring.nodes;
        for (node, other) in [(a, b), (b, a)] {
            let next = &mut degree[node as usize];
            let slice = node as usize / SLICE;
            let at = starts[slice] as usize + *next as usize * SLICE + node as usize % SLICE;
            *next += 1;
            links[header + at] = other;
            material[at] = spring.rest_length;
            material[slots + at] = spring.stiffness;
            if let Some(dashpot) = dashpots.get_mut(at) {
                *dashpot = spring.dashpot;
            }
        }
    }
    Rows { links, material, dashpots, layout: [header as u32, slots as u32, 0, 0] }
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
