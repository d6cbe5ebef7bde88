//! Where nodes that touch start a step in methods that sweep over nodes ("adaptive initialization" of A. Chen, Z. Liu, Y. Yang, C. Yuksel,
//! "Vertex Block Descent", ACM TOG 43(4), 2024, <https://doi.org/10.1145/3658179>):
//!
//! ```text
//! x_n + h v + h^2 a,   a = (x+ - x_n - h v) / h^2 of the step before
//! ```
//!
//! with h^2 a no longer than what outer forces alone would give the node, and zero where it points against that. Before a first step nothing
//! is known: nodes start with a = 0 where pairs push them, and more than twice as hard if they go on to y, which are all others' start.

use glam::DVec3;

use super::contact::{AtNodes, Contacts};
use super::objective::Objective;
use super::{Forces, State64};
use crate::settings::{START, Start};

/// Part of g, the scalar part of Gamma, from which pairs hold a node.
const LEAST_HOLD: f64 = 1e-3;
/// How many times as hard pairs push where outer forces press a node into them.
const HELD: f64 = 2.0;

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

    /// In a first step, after the meeting of coasting nodes, with its `pairs`: moves to y \[m\] what is not pushed harder there. What is pushed harder is
    /// held against outer forces. `pairs` are then those of the start.
    pub fn settle(
        &self,
        forces: &Forces<'_>,
        objective: &Objective<'_>,
        h: f64,
        contacts: Option<&Contacts>,
        pairs: &mut AtNodes,
        x: &mut [DVec3],
    ) {
        if self.0.is_some() || !is_open(forces) {
            return;
        }
        let coasting = x.to_vec();
        let free = |i: &usize| forces.is_free(*i);
        (0..x.len()).filter(free).for_each(|i| x[i] = objective.target()[i]);
        let ahead = AtNodes::of(contacts, 0, x);
        let is_held = |i: &usize| {
            touches(forces, objective, h, pairs, *i)
                && ahead.force[*i].length() > HELD * pairs.force[*i].length()
        };
        (0..x.len()).filter(free).filter(is_held).for_each(|i| x[i] = coasting[i]);
        *pairs = AtNodes::of(contacts, 0, x);
    }

    /// Whether node `i` touched in the step before, and starts from that.
    pub fn has(&self, forces: &Forces<'_>, i: usize) -> bool {
        is_open(forces) && self.0.as_ref().is_some_and(|gained| gained[i].is_some())
    }

    /// That of a step that ends at `x` \[m\], with the pairs of its last iteration.
    pub fn after(
        forces: &Forces<'_>,
        objective: &Objective<'_>,
        h: f64,
        state: &State64,
        x: &[DVec3],
        pairs: &AtNodes,
    ) -> Self {
        let gained = |i| {
            touches(forces, objective, h, pairs, i)
                .then(|| (x[i] - state.position[i] - h * state.velocity[i]) / (h * h))
        };
        Self(Some((0..x.len()).map(gained).collect()))
    }
}

/// Whether pairs hold node `i` in a step of `h` \[s\]; where their weight for it is no more than rounding, they do not.
pub fn touches(forces: &Forces<'_>, objective: &Objective<'_>, h: f64, pairs: &AtNodes, i: usize) -> bool {
    let g = forces.mass(i) / (h * h) + forces.viscosity(i) / h + objective.pull()[i];
    let diagonal = pairs.block[i].to_cols_array().into_iter().step_by(4);
    forces.is_free(i) && diagonal.into_iter().any(|b| b > LEAST_HOLD * g)
}

fn is_open(forces: &Forces<'_>) -> bool {
    matches!(forces.settings.get(START), None | Some(Start::Auto))
}
