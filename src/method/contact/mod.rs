//! Forces between surfaces that come nearer than their thickness: a node against a triangle, as `docs/contact.md` says.
//!
//! [`Soft`] finds the pairs of a substep, in the tree of the guard against crossings. Explicit methods take [`Forces`]; a linear
//! system has a [`Coupling`], and one of constraints has rows for them, from the [`Presses`] of each pair; a method that minimizes has a
//! [`Meeting`] at each iterate, and multigrid [`Groups`] of pairs on coarser levels. All have a [`Memory`] of what pairs keep.

mod fabric;
mod forces;
mod groups;
mod meet;
mod meeting;
mod memory;
mod pieces;
mod presses;
mod products;
mod soft;
mod touch_row;

pub use fabric::{SQUEEZED, largest_reach, spacing, stiffness, still_reach, thickness};
pub use forces::{Coupled, Coupling, Forces};
pub use groups::{Groups, Setting, largest_buffer};
pub use meet::{Iterates, Meet};
pub use meeting::{Meeting, Place};
pub use memory::{Memory, Touching};
pub use pieces::{PieceCounts, Pieces};
pub use presses::Presses;
pub use products::Products;
pub use soft::{SLOTS, STRUCTS, Soft, pair_bytes};
pub use touch_row::FORCES_OF_CONTACT;
