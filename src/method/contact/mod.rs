//! Forces between surfaces that come nearer than their thickness: a node against a triangle, as `docs/contact.md` says.
//!
//! [`Soft`] finds the pairs of a substep, in the tree of the guard against crossings. Explicit methods take [`Forces`]; a linear
//! system has a [`Coupling`]; a method that minimizes has a [`Meeting`] at each iterate, [`Groups`] of pairs on coarser levels, and a
//! [`Memory`] of what pairs keep.

mod fabric;
mod forces;
mod groups;
mod meeting;
mod memory;
mod pieces;
mod soft;

pub use fabric::{SQUEEZED, largest_reach, spacing, stiffness, still_reach, thickness};
pub use forces::{Coupled, Coupling, Forces, Products};
pub use groups::{Groups, Setting, largest_buffer};
pub use meeting::Meeting;
pub use memory::{Memory, Touching};
pub use pieces::Pieces;
pub use soft::{Soft, pair_bytes};
