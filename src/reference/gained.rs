//! Where nodes that touch start a step in methods that sweep over nodes ("adaptive initialization" of A. Chen, Z. Liu, Y. Yang, C. Yuksel,
//! "Vertex Block Descent", ACM TOG 43(4), 2024, <https://doi.org/10.1145/3658179>):
//!
//! ```text
//! x_n + h v + h^2 a,   a = (x+ - x_n - h v) / h^2 of the step before
//! ```
//!
//! with h^2 a no longer than what outer forces alone would give the node, and zero where it points against that.

use glam::{DMat3, DVec3};

use super::contact::AtNodes;
use super::objective::Objective;
use super::{Forces, State64};
use crate::settings::{START, Start};

/// a of a step, of nodes that touched in it [m/s^2]; empty before the first.
#[derive(Clone, Debug, Default)]
pub struct Gained(Vec<Option<DVec3>>);

impl Gained {
    /// Replaces the start of nodes that touched in the step before \[m\], of a step of `h` \[s\].
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
        for (i, gained) in self.0.iter().enumerate() {
            let Some(gained) = gained.filter(|_| forces.is_free(i)) else { continue };
            let drift = state.position[i] + h * state.velocity[i];
            let most = objective.target()[i] - drift;
            let gain = h * h * gained;
            let is_along = gain.dot(most) > 0.0;
            x[i] = drift + if is_along { gain.clamp_length_max(most.length()) } else { DVec3::ZERO };
        }
    }

    /// Whether node `i` touched in the step before, and starts from that.
    pub fn has(&self, forces: &Forces<'_>, i: usize) -> bool {
        is_open(forces) && self.0.get(i).is_some_and(Option::is_some)
    }

    /// That of a step that ends at `x` \[m\], with the pairs of its last iteration.
    pub fn after(h: f64, state: &State64, x: &[DVec3], pairs: &AtNodes) -> Self {
        let gained = |(i, block): (usize, &DMat3)| {
            (*block != DMat3::ZERO).then(|| (x[i] - state.position[i] - h * state.velocity[i]) / (h * h))
        };
        Self(pairs.block.iter().enumerate().map(gained).collect())
    }
}

fn is_open(forces: &Forces<'_>) -> bool {
    matches!(forces.settings.get(START), None | Some(Start::Auto))
}
