//! The springs and the bending on the GPU, in grid form or mesh form.

mod grid;
mod materials;
mod mesh;

use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Usage};
use crate::method::MultiplierLayout;
use crate::model::{Model, Multipliers};
use crate::settings::{Form, SettingsError};
use mesh::MeshLayout;

/// Layouts compared with WGSL when a shader loads.
pub const NETWORK_STRUCTS: [&HostStruct; 3] = [&grid::GRID_STRUCT, &grid::SLOT_STRUCT, &mesh::MESH_STRUCT];

/// The springs and the bending of a model in GPU memory.
pub enum Network {
    /// Neighbors follow from the index.
    Grid {
        /// The grid's uniform.
        grid: Buffer<u8>,
        /// Material and bending of each kind of spring of each copy, if there are several copies.
        copies: Option<Buffer<[f32; 4]>>,
        /// Number of slots in use.
        links: u32,
        /// Whether any spring has a dashpot.
        dashpots: bool,
        /// Whether it has a bending stiffness.
        bending: bool,
    },
    /// Neighbors are stored.
    Mesh {
        /// Row starts and neighbors.
        links: Buffer<u32>,
        /// Rest lengths and stiffnesses, of each slot or of each distinct material.
        material: Buffer<f32>,
        /// First bit of the number of a material in a link; 0 if each slot has its own material.
        material_shift: u32,
        /// Words of a material.
        material_words: u32,
        /// Whether any spring has a limit of stretch.
        limits: bool,
        /// Dashpots, and stiffnesses of the pairs that bending couples.
        dashpots_and_bending: Buffer<f32>,
        /// Starts of the parts.
        layout: Buffer<MeshLayout>,
        /// Slots of all slices together.
        slots: usize,
        /// Whether any spring has a dashpot.
        dashpots: bool,
        /// Whether any body has a bending stiffness.
        bending: bool,
    },
}

/// The form that the settings ask for, if the model supports it.
pub fn form(model: &Model, wanted: Form) -> Result<Form, SettingsError> {
    match (wanted, model.grid()) {
        (Form::Auto | Form::Grid, Some(_)) => Ok(Form::Grid),
        (Form::Auto | Form::Mesh, _) => Ok(Form::Mesh),
        (Form::Grid, None) => Err(SettingsError::new(
            "form",
            "grid",
            "\"mesh\" or \"auto\": only a scene whose one body is a rectangular cloth has a grid form",
        )),
    }
}

/// Bytes of the largest buffer that the network needs.
pub fn largest_buffer(model: &Model, form: Form, multipliers: &Multipliers) -> u64 {
    match form {
        Form::Grid => 0,
        _ => mesh::largest_buffer(model, multipliers),
    }
}

impl Network {
    /// Uploads the springs and the bending of `model`.
    pub fn new(gpu: &Gpu, model: &Model, form: Form, multipliers: &Multipliers) -> Result<Self, GpuError> {
        let storage = Usage::empty();
        let (dashpots, bending) = (model.has_dashpots(), model.has_bending());
        if let (Form::Grid, Some(grid)) = (form, model.grid()) {
            let used: Vec<usize> = grid::used_kinds(model, grid).collect();
            let (uniform, links) = (grid::uniform(grid, model, &used, multipliers), 2 * used.len() as u32);
            let grid_buffer = Buffer::from_slice(gpu, "grid", bytemuck::bytes_of(&uniform), Usage::UNIFORM)?;
            let copies = match model.copies() {
                1 => None,
                _ => {
                    let links = grid::copy_links(grid, model, multipliers);
                    Some(Buffer::from_slice(gpu, "copy_links", &links, storage)?)
                }
            };
            return Ok(Network::Grid { grid: grid_buffer, copies, links, dashpots, bending });
        }
        // Check before the rows are laid out: nodes with very many springs may need entries beyond 32 bits.
        gpu.check_size(largest_buffer(model, form, multipliers))?;
        let rows = mesh::rows(model, multipliers);
        let extra = &rows.dashpots_and_bending;
        Ok(Network::Mesh {
            links: Buffer::from_slice(gpu, "links", &rows.links, storage)?,
            material: Buffer::from_slice(gpu, "material", &rows.material, storage)?,
            material_shift: rows.material_shift,
            material_words: mesh::material_words(multipliers) as u32,
            limits: multipliers.has_limits(),
            dashpots_and_bending: Buffer::from_slice(gpu, "dashpots and bending", extra, storage)?,
            slots: rows.layout.slots(),
            layout: Buffer::from_slice(gpu, "mesh", &[rows.layout], Usage::UNIFORM)?,
            dashpots,
            bending,
        })
    }

    /// Entries of a buffer with a number for each slot of each of the `nodes` nodes.
    pub fn slots(&self, nodes: usize) -> usize {
        match self {
            Network::Grid { links, .. } => *links as usize * nodes,
            Network::Mesh { slots, .. } => *slots,
        }
    }

    /// The layout of the multipliers of `model`'s springs; empty if there are none.
    pub fn multiplier_layout(&self, model: &Model, multipliers: &Multipliers) -> MultiplierLayout {
        match (self, model.grid()) {
            _ if multipliers.is_empty() => MultiplierLayout::default(),
            (Network::Grid { .. }, Some(grid)) => grid::multiplier_layout(grid, model, multipliers),
            _ => mesh::multiplier_layout(model, multipliers),
        }
    }

    /// The words that choose this form of the network in shaders.
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Network::Grid { copies: None, .. } => &["grid", "one"],
            Network::Grid { copies: Some(_), .. } => &["grid", "copies"],
            Network::Mesh { .. } => &["mesh"],
        }
    }

    /// Values of the network's WGSL overrides.
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        let (Network::Grid { dashpots, bending, .. } | Network::Mesh { dashpots, bending, .. }) = self;
        let flag = |on: &bool| f64::from(u8::from(*on));
        let mut constants = vec![("HAS_DASHPOTS", flag(dashpots)), ("HAS_BENDING", flag(bending))];
        match self {
            Network::Grid { links, .. } => constants.push(("LINKS", f64::from(*links))),
            Network::Mesh { material_shift, material_words, limits, .. } => constants.extend([
                ("HAS_LIMITS", flag(limits)),
                ("MATERIAL_SHIFT", f64::from(*material_shift)),
                ("MATERIAL_WORDS", f64::from(*material_words)),
            ]),
        }
        constants
    }

    /// Bytes of stored neighbors, rest lengths, stiffnesses and dashpots, read in each visit of all springs.
    pub fn bytes(&self) -> u64 {
        match self {
            Network::Grid { .. } => 0,
            Network::Mesh { links, material, dashpots_and_bending, .. } => {
                links.bytes() + material.bytes() + dashpots_and_bending.bytes()
            }
        }
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
