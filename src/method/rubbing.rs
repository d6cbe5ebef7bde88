//! How many iterations friction between surfaces needs, in methods where it takes hold only once they have converged.

use super::{Stability, touch};
use crate::model::Model;
use crate::settings::Settings;

/// What friction takes in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rubbing {
    /// How many times stiffer springs are than what holds a node to its place.
    pub stiffer: f64,
    /// Iterations with which it takes hold.
    pub iterations: f64,
}

impl Rubbing {
    /// That of a substep of `step` seconds; `None` where friction takes hold with any number of iterations, or nothing rubs.
    pub fn of(model: &Model, settings: &Settings, stability: &Stability, step: f64) -> Option<Self> {
        touch(model, settings)?;
        let stiffer = (0.5 * step * step * stability.rubbing_omega_squared).ceil();
        let iterations = settings.solver.iterations_for_friction(settings, stiffer)?.ceil();
        (stiffer > 0.0).then_some(Self { stiffer, iterations })
    }

    /// The fewest substeps of a frame with which the iterations of the settings are enough, `most` at most.
    pub fn substeps(model: &Model, settings: &Settings, stability: &Stability, most: u32) -> Option<u32> {
        let frame = f64::from(settings.step.frame_time);
        let iterations = settings.iterations().into();
        let is_enough = |n: &u32| {
            Self::of(model, settings, stability, frame / f64::from(*n))
                .is_some_and(|rubbing| rubbing.iterations <= iterations)
        };
        (1..=most).find(is_enough)
    }
}
