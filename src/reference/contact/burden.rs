//! The surfaces that lie on nodes, or are near them on either side, as colliders count them.
//!
//! ```text
//! M_i  = 1/2 (sum over pairs of i and a triangle of part near sum |w| m + sum over pairs of a vertex v and a triangle with corner i of near |w_i| m_v)
//! near = 2 - d / D, from 0 to 1
//! ```
//!
//! with the weights w of the corners; `part` is what of the triangle lies in the area of a node of the finer side ([`super::stiffness`]). d is the distance at x or
//! at x + h v, whichever is less: what touches counts, and what is two thicknesses away does not. Both sums are of the same surfaces, hence the half. Pins have no
//! mass; hinges and pairs of edges do not count.
//!
//! What arrives in the step has no force yet. A node that lies on something stops it, and friction takes the node along. Of each pair let c be the speed with
//! which both sides approach, but no more than (D - d(x + h v)) / h; u the velocity of the node's side along the triangle, and n the normal towards it. With sums
//! as in M, over the pairs with c > 0, and M_a that of their mass,
//!
//! ```text
//! P = sum M_a c n,   S = -sum M_a u,   L = sum mu M_a c,   T = S m / (m + M_a), no longer than L
//! A = b (P + T) / h,   b = 1 - h F . P / |P|^2, from 0 to 1
//! ```
//!
//! F being the force of pairs that lasts: the sum of what they did at the end of the step before, less the part of that along A which is no more than A was. Where T
//! is shorter than L, node and M_a go on as one block, and the node is the part p = 1 - b M_a / (m + M_a) of it; else p is 1.

use glam::DVec3;

use super::{Contacts, Kind, Slot, Surface, Touch};
use crate::reference::{Forces, State64};

/// What colliders count at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burden {
    /// M \[kg\].
    pub mass: f64,
    /// A \[N\].
    pub arrival: DVec3,
    /// p \[1\].
    pub block_part: f64,
}

/// The sums at a node.
#[derive(Clone, Copy, Default)]
struct Sums {
    mass: f64,
    arriving: f64,
    pressed: DVec3,
    slipping: DVec3,
    limit: f64,
}

/// That of each node, for the pairs of a step of `h` \[s\] from `state`, under [`Forces::last_contact`].
pub fn of(forces: &Forces<'_>, h: f64, state: &State64, surface: &Surface, slots: &[Slot]) -> Vec<Burden> {
    let mass = |i: usize| if forces.is_free(i) { forces.mass(i) } else { 0.0 };
    let ahead: Vec<DVec3> = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
    let mut sums = vec![Sums::default(); state.position.len()];
    for slot in slots.iter().filter(|slot| slot.kind == Kind::Triangle) {
        let (now, later) = (Touch::at(&state.position, slot), Touch::at(&ahead, slot));
        let near = (2.0 - now.distance.min(later.distance) / slot.thickness).clamp(0.0, 1.0);
        let (share, n) = (surface.share(slot.vertex, slot.corners[0]), now.normal);
        let against = now.of(&state.velocity);
        let stops = ((slot.thickness - later.distance) / h).clamp(0.0, (-against.dot(n)).max(0.0));
        let slip = against - against.dot(n) * n;
        let friction = surface.between(slot.vertex, slot.corners[0]).friction;
        let mut add = |i: usize, side: f64, other: f64| {
            let (sum, mass) = (&mut sums[i], 0.5 * near * other);
            sum.mass += mass;
            if stops > 0.0 {
                sum.arriving += mass;
                sum.pressed += side * mass * stops * n;
                sum.slipping -= side * mass * slip;
                sum.limit += friction * mass * stops;
            }
        };
        for (&i, w) in slot.corners.iter().zip(&now.weights[1..]) {
            add(slot.vertex, 1.0, share * w.abs() * mass(i));
            add(i, -1.0, w.abs() * mass(slot.vertex));
        }
    }
    let burden = |(i, sum): (usize, Sums)| {
        let lasting = forces.last_contact.get(i).map_or(DVec3::ZERO, |force| *force);
        let square = sum.pressed.length_squared();
        if square == 0.0 {
            return Burden { mass: sum.mass, arrival: DVec3::ZERO, block_part: 1.0 };
        }
        let new_part = (1.0 - h * lasting.dot(sum.pressed) / square).clamp(0.0, 1.0);
        let own = mass(i) / (mass(i) + sum.arriving).max(f64::MIN_POSITIVE);
        let along = (own * sum.slipping).clamp_length_max(sum.limit);
        let is_block = (own * sum.slipping).length() < sum.limit;
        let block_part = if is_block { 1.0 + new_part * (own - 1.0) } else { 1.0 };
        Burden { mass: sum.mass, arrival: new_part / h * (sum.pressed + along), block_part }
    };
    sums.into_iter().enumerate().map(burden).collect()
}

/// What lasts \[N\] of the forces of `contacts` at `end` \[m\], where `burden` had arrived in the step.
pub fn lasting(contacts: &Contacts, end: &[DVec3], burden: &[Burden]) -> Vec<DVec3> {
    let mut forces = contacts.forces(end);
    for (force, Burden { arrival, .. }) in forces.iter_mut().zip(burden) {
        if *arrival != DVec3::ZERO {
            *force -= (force.dot(*arrival) / arrival.length_squared()).clamp(0.0, 1.0) * *arrival;
        }
    }
    forces
}
