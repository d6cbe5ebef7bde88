//! One file per method: what it needs on the GPU and what it records for one substep.

mod colours;
mod explicit;
mod explicit_euler;
mod external;
mod global_step;
mod held;
mod implicit_euler;
mod linear;
mod local_global;
mod newton_multigrid;
mod soft_constraint;
mod softening;
mod stability;
mod symplectic_euler;
mod vbd;
mod verlet;
mod xpbd;

pub use external::Pushes;
pub use held::{NotHeld, check_held};
pub use local_global::chebyshev_weights;
pub use softening::{Advice, Softening};
pub use stability::{Stability, StabilityError};

use glam::Vec4;

use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Reading, Shader, Source, Words};
use crate::hierarchy;
use crate::model::{Model, Multipliers};
use crate::settings::{LinearSolver, Settings, SolverKind};
use crate::shaders;

/// Positions and velocities, twice: explicit methods read one pair and write the other.
///
/// Between frames the state is in the first pair.
pub struct Fields {
    /// Position \[m\], and inverse mass [1/kg] (0: pinned).
    pub position: [Buffer<Vec4>; 2],
    /// Velocity [m/s].
    pub velocity: [Buffer<Vec4>; 2],
    /// Pulls, pushes and drag matrices, as `shared/applied.wgsl` lays them out.
    pub applied: Buffer<Vec4>,
}

/// What a solver is built from.
pub struct Setup<'a> {
    /// The GPU.
    pub gpu: &'a Gpu,
    /// What is simulated.
    pub model: &'a Model,
    /// Settings, checked.
    pub settings: &'a Settings,
    /// Substeps a frame.
    pub substeps: u32,
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
    /// Whether minimising solvers store displacements: [`keeps_moves`].
    pub keeps_moves: bool,
    /// Nodes that loads act on.
    pub loaded_nodes: u32,
    /// Bound on h^2 max_i (w_i sum k), for the spectral radius.
    pub stiffness_ratio: f64,
    /// The state.
    pub fields: &'a Fields,
    /// The world's uniform, network and surface.
    pub bindings: Bindings,
    /// The files that stand for the forms of the network in `//!import` lines.
    pub network: &'a [(&'static str, &'static str)],
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

    /// The same with files that stand for imported names.
    pub fn shader_with(
        &self,
        name: &str,
        replace: &[(&str, &str)],
        structs: &[&HostStruct],
    ) -> Result<Shader, GpuError> {
        let source = Source::compose(shaders::LIBRARY, name, &[replace, self.network].concat())?;
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

/// Iterations of a solver that stops by itself, since the start or the last [`Solver::forget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Substeps.
    pub substeps: u32,
    /// Iterations of all of them together.
    pub iterations: u32,
    /// Most iterations of any of them.
    pub most: u32,
    /// Substeps that used all iterations and were not within the tolerance.
    pub unfinished: u32,
    /// Substeps that ended above the tolerance, where f32 holds no less; of newton-multigrid only.
    pub rounded: u32,
}

impl Effort {
    /// Iterations of a substep on average.
    pub fn mean(&self) -> f64 {
        f64::from(self.iterations) / f64::from(self.substeps.max(1))
    }
}

/// A share of the motion in a substep above which its error is worth a word \[1\].
pub const TOO_MUCH: f64 = 0.05;

/// How far substeps ended from their minimum, since the start or the last [`Solver::forget`], as the GPU estimates it.
///
/// After k iterations the error, rms over the free nodes, is about max(k, 4) times the rms of the last change. Its share is
/// that of the motion, rms |y - (x + h v)|: what gravity, air and handles do to nodes in a substep; where only springs act, what
/// these do. Field names are keys of JSON objects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Convergence {
    /// Error of the last substep \[m\].
    pub error: f64,
    /// The same as a share of the motion \[1\].
    pub share: f64,
    /// Largest share \[1\].
    pub largest: f64,
    /// Mean share \[1\].
    pub mean: f64,
    /// Substeps that were looked at: the last of each frame, or with a tolerance all.
    pub looks: u32,
    /// How many of them had a share above [`TOO_MUCH`].
    pub over: u32,
}

/// A time integrator on the GPU.
pub trait Solver: Send + Sync {
    /// Records one substep; never submits or waits. `substep` counts from zero within the frame.
    fn record(&self, pass: &mut Pass<'_>, substep: u32);

    /// Which of the two pairs of [`Fields`] holds the state after `substeps` substeps.
    fn result(&self, substeps: u32) -> usize;

    /// Whether the stored velocity is half a step behind the position.
    fn is_staggered(&self) -> bool {
        false
    }

    /// Records the change from velocities at the time of the positions (first pair) to stored ones
    /// (second pair). Only where [`Solver::is_staggered`].
    fn stagger(&self, _pass: &mut Pass<'_>) {}

    /// Records the opposite of [`Solver::stagger`].
    fn synchronise(&self, _pass: &mut Pass<'_>) {}

    /// Forgets what it learnt from earlier substeps, so that a run from a new state is a fresh one.
    fn forget(&self, _gpu: &Gpu) {}

    /// The buffers beside the first pair of [`Fields`] that carry something from one frame to the next, always in the same
    /// order: a run can go on to the last bit only with what they hold. Those that every substep writes before it
    /// reads them are none.
    fn lasting(&self) -> Vec<Words<'_>> {
        Vec::new()
    }

    /// Substeps since the start or the last [`Solver::forget`] in which Chebyshev acceleration fell back to plain sweeps, where it is used.
    fn falls(&self, _gpu: &Gpu) -> Result<u32, GpuError> {
        Ok(0)
    }

    /// How far substeps ended from their minimum, of each copy; empty where the solver cannot tell.
    fn convergence(&self, _gpu: &Gpu) -> Reading<Vec<Convergence>> {
        Reading::ready(Vec::new())
    }

    /// What it took to stay within the tolerance, where there is one.
    fn effort(&self, _gpu: &Gpu) -> Result<Option<Effort>, GpuError> {
        Ok(None)
    }
}

/// Whether a substep of `step` \[s\] is so short that positions in f32 cannot hold what gravity does in it: less than a
/// hundred of their roundings, beyond which free fall would be some thousandth off. Solvers that minimise then iterate on
/// displacements, which costs them some reads.
pub fn keeps_moves(model: &Model, settings: &Settings, step: f32) -> bool {
    const FEW: f64 = 100.0;
    let (start, rest) = (&model.initial_state().position, model.rest_position());
    let size = start.iter().chain(rest).map(|x| x.abs().max_element()).fold(0.0, f32::max);
    let fall = |copy| f64::from(step).powi(2) * settings.surroundings_of(copy).gravity.as_dvec3().length();
    let rounding = f64::from(size) * f64::from(f32::EPSILON);
    settings.solver.minimises()
        && (0..model.copies()).map(fall).any(|fall| fall > 0.0 && fall < FEW * rounding)
}

/// Rows of four numbers a node in the largest buffer of the solver's vectors.
pub fn rows(model: &Model, settings: &Settings) -> u64 {
    let of_applied = Pushes::of(model, settings).rows() as u64;
    let own = match settings.solver {
        // One of them where displacements are kept.
        SolverKind::NewtonMultigrid if cg_steps(model, settings) > 0 => 8,
        SolverKind::NewtonMultigrid => 5,
        SolverKind::ImplicitEuler => linear::ROWS,
        SolverKind::SoftConstraint => soft_constraint::ROWS,
        SolverKind::LocalGlobal if settings.linear_solver() != LinearSolver::Jacobi => linear::ROWS,
        SolverKind::LocalGlobal if settings.sweeps() > 1 => 4,
        _ => 1,
    };
    own.max(of_applied)
}

/// Steps of conjugate gradients in each iteration of `newton-multigrid`.
pub fn cg_steps(model: &Model, settings: &Settings) -> u32 {
    settings.cg_steps(|| hierarchy::takes_conjugate_gradients(model))
}

/// Those of the springs that are too stiff for steps of `step` \[s\], where the solver knows multipliers.
pub fn multipliers(model: &Model, settings: &Settings, step: f32) -> Multipliers {
    match settings.solver {
        SolverKind::NewtonMultigrid => hierarchy::multipliers(model, f64::from(step)),
        _ => Multipliers::none(),
    }
}

/// Bytes of the largest buffer that the solver needs beside rows of nodes.
pub fn largest_buffer(model: &Model, settings: &Settings, multipliers: &Multipliers) -> u64 {
    match settings.solver {
        SolverKind::NewtonMultigrid => newton_multigrid::largest_buffer(model, multipliers),
        SolverKind::Xpbd if settings.linear_solver() == LinearSolver::GaussSeidel => {
            24 * model.springs().len() as u64
        }
        // A multiplier for each slot; of a mesh there are as many links.
        SolverKind::Xpbd => 48 * model.node_count() as u64,
        _ => 0,
    }
}

/// Builds the solver that the settings name.
pub fn build(setup: &Setup<'_>) -> Result<Box<dyn Solver>, GpuError> {
    Ok(match setup.settings.solver {
        SolverKind::ExplicitEuler => Box::new(explicit_euler::ExplicitEuler::new(setup)?),
        SolverKind::SymplecticEuler => Box::new(symplectic_euler::SymplecticEuler::new(setup)?),
        SolverKind::Verlet => Box::new(verlet::Verlet::new(setup)?),
        SolverKind::ImplicitEuler => Box::new(implicit_euler::ImplicitEuler::new(setup)?),
        SolverKind::LocalGlobal if setup.settings.linear_solver() != LinearSolver::Jacobi => {
            Box::new(global_step::GlobalStep::new(setup)?)
        }
        SolverKind::LocalGlobal => Box::new(local_global::LocalGlobal::new(setup)?),
        SolverKind::NewtonMultigrid => Box::new(newton_multigrid::NewtonMultigrid::new(setup)?),
        SolverKind::SoftConstraint => Box::new(soft_constraint::SoftConstraint::new(setup)?),
        SolverKind::Xpbd => Box::new(xpbd::Xpbd::new(setup)?),
        SolverKind::Vbd => Box::new(vbd::Vbd::new(setup)?),
    })
}
