//! What a method is built from.

use glam::Vec4;

use super::contact::Soft;
use super::{FrictionHistory, Pushes};
use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Kernel, Shader, Source};
use crate::model::Model;
use crate::settings::Settings;
use crate::shaders;

/// Positions and velocities, twice: explicit methods read one pair and write the other.
///
/// Between frames the state is in the first pair.
pub struct Fields {
    /// Position \[m\], and inverse mass [1/kg] (0: pinned).
    pub position: [Buffer<Vec4>; 2],
    /// Velocity [m/s].
    pub velocity: [Buffer<Vec4>; 2],
    /// Pulls, pushes and drag matrices, as `shaders/forces/applied_rows.wgsl` lays them out.
    pub applied: Buffer<Vec4>,
    /// What friction on colliders keeps from substep to substep; of implicit methods.
    pub friction_history: Buffer<FrictionHistory>,
}

/// What a solver is built from.
pub struct Setup<'a> {
    /// The GPU.
    pub gpu: &'a Gpu,
    /// What is simulated.
    pub model: &'a Model,
    /// Settings, checked.
    pub settings: &'a Settings,
    /// Number of nodes, of all copies together.
    pub nodes: u32,
    /// Copies that the model consists of; 1 where it is no batch.
    pub copies: u32,
    /// Slots of all nodes' springs: entries of a buffer with a number for each (`slot_of` in WGSL).
    pub slots: usize,
    /// Where the multipliers of stiff springs stand.
    pub multipliers: &'a MultiplierLayout,
    /// Of each copy, whether any of its springs has a multiplier.
    pub has_multipliers: &'a [bool],
    /// What pushes nodes beside springs.
    pub pushes: Pushes,
    /// Whether minimizing solvers store displacements: [`super::keeps_moves`].
    pub keeps_moves: bool,
    /// Nodes that loads act on.
    pub loaded_nodes: u32,
    /// Bound on h^2 max_i (w_i sum k), for the spectral radius.
    pub stiffness_ratio: f64,
    /// The state.
    pub fields: &'a Fields,
    /// Pairs of surfaces that may touch, where forces between them are part of the method.
    pub soft: Option<&'a Soft>,
    /// The world's uniform, network and surface.
    pub bindings: Bindings,
    /// The words that choose this form of the network in shaders.
    pub network: &'a [&'static str],
    /// Values of WGSL overrides.
    pub constants: Vec<(&'static str, f64)>,
    /// Host twins of shared structs.
    pub structs: &'a [&'a HostStruct],
}

/// Where the multipliers of stiff springs stand: by node, four slots side by side.
#[derive(Clone, Debug, Default)]
pub struct MultiplierLayout {
    /// Slots of a node that may have one, the first of it; 0: none has.
    pub slots: u32,
    /// Fours of all nodes.
    pub quads: usize,
    /// Of the grid form, for each node two bits a slot: 0 for none, else which factor its penalty has.
    pub words: Vec<u32>,
    /// Of the mesh form, for each spring the four where its first node has its multiplier, which of these it is, and the
    /// bits of its penalty and limit.
    pub springs: Vec<[u32; 4]>,
}

impl Setup<'_> {
    /// Composes and validates a shader in this scene's form of the network.
    pub fn shader(&self, name: &str, structs: &[&HostStruct]) -> Result<Shader, GpuError> {
        self.shader_with(name, &[], structs)
    }

    /// The same with words of its own that choose between files.
    pub fn shader_with(
        &self,
        name: &str,
        words: &[&str],
        structs: &[&HostStruct],
    ) -> Result<Shader, GpuError> {
        let source = Source::compose(shaders::LIBRARY, name, &[words, self.network].concat())?;
        self.shader_of(source, structs)
    }

    /// Validates a composed shader.
    pub fn shader_of(&self, source: Source, structs: &[&HostStruct]) -> Result<Shader, GpuError> {
        self.gpu.shader(source, &[self.structs, structs].concat())
    }

    /// Compiles an entry point with this scene's constants.
    pub fn kernel(&self, shader: &Shader, entry: &str) -> Result<Kernel, GpuError> {
        Kernel::new(self.gpu, shader, entry, &self.constants)
    }
}
