//! Where nodes that touch start a step in methods that sweep over nodes ("adaptive initialization" of A. Chen, Z. Liu, Y. Yang, C. Yuksel,
//! "Vertex Block Descent", ACM TOG 43(4), 2024, <https://doi.org/10.1145/3658179>):
//!
//! ```text
//! x_n + h v + h^2 a,   a = (x+ - x_n - h v) / h^2 of the step before
//! ```
//!
//! with h^2 a no longer than what outer forces alone would give the node, and zero where it points against that. Before a first step nothing
//! is known of what touches: all nodes start with a = 0, and those that no pair pushes there go on to y.

use glam::{DMat3, DVec3};

use super::contact::AtNodes;
use super::objective::Objective;
use super::{Forces, State64};
use crate::settings::{START, Start};

/// Part of m / h^2 from which pairs hold a node.
const LEAST_HOLD: f64 = 1e-3;

/// a of a step, of nodes that touched in it [m/s^2]; nothing before the first.
#[derive(Clone, Debug, Default)]
pub struct Gained(Option<Vec<Option<DVec3>>>);

impl Gained {
    /// Replaces the start of nodes that touched in the step before, or may have touched, \[m\], of a step of `h` \[s\].
    pub fn begin(
        &self,
        forces: &Forces<'_>,
        objective: &Objective<'_>,
        h: f64,
        state: &State64,
        x: &mut [DVec3],
    ) {
        if !is_open(forces) {
            return;
        }
        for (i, x) in x.iter_mut().enumerate() {
            let gained = self.0.as_ref().map_or(Some(DVec3::ZERO), |gained| gained[i]);
            let Some(gained) = gained.filter(|_| forces.is_free(i)) else { continue };
            let drift = state.position[i] + h * state.velocity[i];
            let most = objective.target()[i] - drift;
            let gain = h * h * gained;
            let is_along = gain.dot(most) > 0.0;
            *x = drift + if is_along { gain.clamp_length_max(most.length()) } else { DVec3::ZERO };
        }
    }

    /// After the first meeting of a first step, with its `pairs`: moves what they do not push to y \[m\].
    pub fn settle(
        &self,
        forces: &Forces<'_>,
        objective: &Objective<'_>,
        h: f64,
        pairs: &AtNodes,
        x: &mut [DVec3],
    ) {
        if self.0.is_some() || !is_open(forces) {
            return;
        }
        for (i, (x, y)) in x.iter_mut().zip(objective.target()).enumerate() {
            if forces.is_free(i) && !touches(forces, h, pairs, i) {
                *x = *y;
            }
        }
    }

    /// Whether node `i` touched in the step before, and starts from that.
    pub fn has(&self, forces: &Forces<'_>, i: usize) -> bool {
        is_open(forces) && self.0.as_ref().is_some_and(|gained| gained[i].is_some())
    }

    /// That of a step that ends at `x` \[m\], with the pairs of its last iteration.
    pub fn after(forces: &Forces<'_>, h: f64, state: &State64, x: &[DVec3], pairs: &AtNodes) -> Self {
        let gained = |i| {
            touches(forces, h, pairs, i).then(|| (x[i] - state.position[i] - h * state.velocity[i]) / (h * h))
        };
        Self(Some((0..x.len()).map(gained).collect()))
    }
}

/// Whether pairs hold node `i` in a step of `h` \[s\]; where their weight for it is no more than rounding, they do not.
pub fn touches(forces: &Forces<'_>, h: f64, pairs: &AtNodes, i: usize) -> bool {
    let least = LEAST_HOLD * forces.mass(i) / (h * h);
    DMat3::to_cols_array(&pairs.block[i]).into_iter().step_by(4).any(|b| b > least)
}

fn is_open(forces: &Forces<'_>) -> bool {
    matches!(forces.settings.get(START), None | Some(Start::Auto))
}
