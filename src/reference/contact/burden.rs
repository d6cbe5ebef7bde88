//! The mass of the surfaces that lie on nodes, or are near them on either side, as colliders count it.
//!
//! ```text
//! M_i = 1/2 (sum over pairs of i and a triangle of a c sum |w| m + sum over pairs of a vertex v and a triangle with corner i of c |w_i| m_v)
//! c   = 2 - d / D, from 0 to 1
//! ```
//!
//! with the weights w of the corners and, for a, what lies in the area of a node of the finer side ([`super::stiffness`]). d is the distance at x or at x + h v, whichever
//! is less: what touches counts, and what is two thicknesses away does not. Both sums are of the same surfaces, hence the half. Pins have no mass; hinges
//! and pairs of edges do not count.

use glam::DVec3;

use super::{Kind, Slot, Surface, Touch};
use crate::model::Model;
use crate::reference::State64;

/// M of each node \[kg\], for the pairs of a substep of `h` \[s\] from `state`.
pub fn of(model: &Model, h: f64, state: &State64, surface: &Surface, slots: &[Slot]) -> Vec<f64> {
    let mass = |i: usize| if model.pinned()[i] { 0.0 } else { f64::from(model.mass()[i]) };
    let ahead: Vec<DVec3> = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
    let mut burden = vec![0.0; model.node_count()];
    for slot in slots.iter().filter(|slot| slot.kind == Kind::Triangle) {
        let (now, later) = (Touch::at(&state.position, slot), Touch::at(&ahead, slot));
        let near = (2.0 - now.distance.min(later.distance) / slot.thickness).clamp(0.0, 1.0);
        let share = surface.share(slot.vertex, slot.corners[0]);
        for (&i, w) in slot.corners.iter().zip(&now.weights[1..]) {
            burden[slot.vertex] += 0.5 * near * share * w.abs() * mass(i);
            burden[i] += 0.5 * near * w.abs() * mass(slot.vertex);
        }
    }
    burden
}
