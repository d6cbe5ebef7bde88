//! What rounding may do to newton-multigrid, found by disturbing the reference (Monte Carlo arithmetic: D. Parker,
//! "Monte Carlo Arithmetic", UCLA, 1997).
//!
//! A cycle mixes the errors of all nodes, and later iterations undo most of them, so any result would be within a bound that
//! is summed up along the way. Instead the f64 iteration runs again with its quantities disturbed at random by as much as
//! rounding to f32 does: the stored iterate by u |x|, the gradient by 2 u times the magnitudes that enter it, the correction
//! by 2 u of itself. The bound is twice the largest deviation of any node in any of four such runs.

use glam::DVec3;

use super::{Observer, Options, iterate, levels, start};
use crate::hierarchy;
use crate::reference::bound::noise::{Noise, ROUNDINGS, largest_deviation};
use crate::reference::bound::{Load, U};
use crate::reference::objective::Objective;
use crate::reference::{Forces, State64};

/// Largest error of any free node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn position(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load]) -> f64 {
    let hierarchy = levels(forces.model, forces.settings);
    let multipliers = hierarchy::multipliers(forces.model, h);
    let settings = forces.settings.for_multipliers(!multipliers.is_empty(), forces.model.copies());
    let options = Options::on_gpu(forces.model, &hierarchy, &settings);
    let objective = Objective::of_step(forces, h, state);
    let start = start(forces, &objective.clone().with_multipliers(&multipliers, &[]), h, state);
    largest_deviation(|noise| {
        let disturbed = Disturbed { forces, h, state, loads, target: objective.target(), noise };
        let mut objective = objective.clone().with_multipliers(&multipliers, &[]);
        iterate(&mut objective, &hierarchy, start.clone(), &options, disturbed)
    })
}

/// What f32 may do to each quantity of an iteration.
struct Disturbed<'a, 'n> {
    forces: &'a Forces<'a>,
    h: f64,
    state: &'a State64,
    loads: &'a [Load],
    target: &'a [DVec3],
    noise: &'n mut Noise,
}

impl Observer for Disturbed<'_, '_> {
    fn iterate(&mut self, x: &mut [DVec3]) {
        for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| self.forces.is_free(*i)) {
            *x += self.noise.vector(U * (x.length() + self.state.position[i].length()));
        }
    }

    fn gradient(&mut self, z: &[DVec3], gradient: &mut [DVec3]) {
        for (i, g) in gradient.iter_mut().enumerate().filter(|(i, _)| self.forces.is_free(*i)) {
            let held = self.forces.mass(i) / (self.h * self.h) * (z[i].length() + self.target[i].length());
            *g += self.noise.vector(ROUNDINGS * U * (self.loads[i].force + held));
        }
    }

    fn correction(&mut self, e: &mut [DVec3]) {
        let most = e.iter().map(|e| e.length()).fold(0.0, f64::max);
        for (_, e) in e.iter_mut().enumerate().filter(|(i, _)| self.forces.is_free(*i)) {
            *e += self.noise.vector(ROUNDINGS * U * most);
        }
    }
}
