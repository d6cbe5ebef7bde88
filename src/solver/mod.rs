//! One file per method: what it needs on the GPU and what it records for one substep.

mod kind;
mod stability;

pub use kind::SolverKind;
pub use stability::{Stability, StabilityError};
