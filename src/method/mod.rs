//! One folder per method: its description and, in `solver.rs`, its GPU buffers and the recording of one substep.
//!
//! `list.rs` names the methods; each describes itself by [`Method`]. `explicit`, `linear`, `colors`, `contact` and `external` are shared.

mod anchor;
mod colors;
pub mod contact;
mod description;
mod explicit;
mod external;
mod friction_history;
mod held;
mod kind;
mod linear;
mod list;
mod parts;
mod rubbing;
pub mod settings;
mod setup;
mod solver;
mod stability;
mod traffic;

macro_rules! modules {
    ($($kind:ident => $module:ident,)*) => { $(mod $module;)* };
}
list::for_each_method!(modules);

pub use description::{Method, Touch};
pub use external::Pushes;
pub use friction_history::{FrictionHistory, friction_history};
pub use held::{NotHeld, check_held};
pub use implicit_euler::{PROJECTION, projects};
pub use kind::SolverKind;
pub(crate) use list::DEFAULT;
pub(crate) use list::for_each_method;
pub use local_global::SWEEPS;
pub use newton_multigrid::{CG_STEPS, cg_steps};
pub use rubbing::Rubbing;
pub use setup::{Fields, MultiplierLayout, Setup};
pub use solver::{Convergence, Effort, Solver, Substep, TOO_MUCH};
pub use stability::{Stability, StabilityError};
pub use traffic::Traffic;
pub use xpbd::{Advice, RELAXATION, Softening, relaxation};

use crate::model::{BodyRange, Model};
use crate::settings::Settings;

/// Whether a substep of `step` \[s\] is so short that positions in f32 cannot hold what gravity does in it: less than a
/// hundred of their roundings, beyond which free fall would be some thousandth off. Solvers that minimize then iterate on
/// displacements, which costs them some reads.
pub fn keeps_moves(model: &Model, settings: &Settings, step: f32) -> bool {
    const FEW: f64 = 100.0;
    let (start, rest) = (&model.initial_state().position, model.rest_position());
    let size = start.iter().chain(rest).map(|x| x.abs().max_element()).fold(0.0, f32::max);
    let fall = |copy| f64::from(step).powi(2) * settings.world_of(copy).gravity.as_dvec3().length();
    let rounding = f64::from(size) * f64::from(f32::EPSILON);
    settings.solver.minimizes()
        && (0..model.copies()).map(fall).any(|fall| fall > 0.0 && fall < FEW * rounding)
}

/// How contact between surfaces acts; `None` where nothing has a surface that may touch something.
pub fn touch(model: &Model, settings: &Settings) -> Option<Touch> {
    let any = || model.bodies().iter().any(BodyRange::touches);
    (settings.has_contact() && any()).then(|| settings.solver.touch())
}

/// Rows of four numbers a node in the largest buffer of the solver's vectors.
pub fn rows(model: &Model, settings: &Settings) -> u64 {
    settings.solver.rows(model, settings).max(Pushes::of(model, settings).rows() as u64)
}
