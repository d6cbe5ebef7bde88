//! What rounding may do to the solvers that know springs as constraints, found by disturbing the reference as in
//! [`super::multigrid`].

use super::noise::{ROUNDINGS, largest_deviation};
use super::{U, contact, network_loads};
use crate::reference::{Forces, State64, soft_constraint, xpbd};
use crate::settings::SolverKind;

/// Largest error of any free node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn position_bound(forces: &Forces<'_>, h: f64, state: &State64) -> f64 {
    let contact = contact::magnitudes(forces, h, state, &network_loads(forces, h, state));
    largest_deviation(|noise| {
        let mut reached = state.clone();
        for (i, [force, _]) in contact.iter().enumerate().filter(|(i, _)| forces.is_free(*i)) {
            reached.velocity[i] += noise.vector(ROUNDINGS * U * force * h / forces.mass(i));
        }
        match forces.settings.solver {
            SolverKind::Xpbd => {
                xpbd::disturbed_step(forces, h, &mut reached, U, &mut |bound| noise.vector(bound));
            }
            _ => {
                let disturb = &mut |bound| noise.vector(bound).x;
                soft_constraint::disturbed_step(forces, h, &mut reached, U, disturb);
            }
        }
        reached.position
    })
}
