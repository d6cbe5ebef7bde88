//! What rounding may do, found by disturbing the reference as in [`crate::reference::newton_multigrid`].

use super::disturbed_step;
use crate::reference::bound::contact::disturb_pushes;
use crate::reference::bound::noise::largest_deviation;
use crate::reference::bound::{U, contact, network_loads};
use crate::reference::{Forces, State64};

/// Largest error of any free node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn position(forces: &Forces<'_>, h: f64, state: &State64) -> f64 {
    let pushes = contact::magnitudes(forces, h, state, &network_loads(forces, h, state));
    largest_deviation(|noise| {
        let mut reached = state.clone();
        disturb_pushes(forces, h, &pushes, &mut reached, noise);
        disturbed_step(forces, h, &mut reached, U, &mut |bound| noise.vector(bound).x);
        reached.position
    })
}
