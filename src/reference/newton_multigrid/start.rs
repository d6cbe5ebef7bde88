//! Where the iterations of a step begin.
//!
//! For a body that hangs at rest or coasts, x_n + h v is a fixed point. But where nodes fly past each other, springs there are
//! stretched to many times their length. A few iterations do not remove all of that energy, and the body would gain the rest.
//! So the start is x_n + s h v with the first s of 1, 1/2, 1/4, 1/8, 1/16 at which
//!
//! ```text
//! E(s) = sum k (l - r + s h n . (v_a - v_b))^2 / 2 <= 20 (E(0) + sum m (|v|^2 + |h g|^2) / 2),
//! ```
//!
//! with l and n at x_n. The stretch is of first order in s, because a body that turns gains stretch of second order at any
//! start and loses it at once. k is rho where a spring has a multiplier, and counts as 1000 m / h^2 at most: stiffer springs
//! keep a small stretch from the step before, which would shorten the start of bodies that hardly move. Springs that end at a
//! pin do not count: the body has no part in the motion of pins, and a shorter start would not help.

use glam::DVec3;

use crate::model::Spring;
use crate::reference::forces::direction;
use crate::reference::objective::{self, Objective};
use crate::reference::{Forces, State64};
use crate::settings::{START, Start};

/// How much more energy the start may have than x_n \[1\].
const MOST_GAIN: f64 = 20.0;
/// The largest k h^2 / m that counts \[1\].
const MOST_STIFF: f64 = 1000.0;
/// The shares of h v that are tried, largest first, and the least that is taken.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
const LEAST_SHARE: f64 = 0.0625;

/// The start \[m\] of the step of length `h` \[s\] from `state`.
pub fn start(forces: &Forces<'_>, objective: &Objective<'_>, h: f64, state: &State64) -> Vec<DVec3> {
    let begun = objective::start(forces, objective, h, state);
    if forces.settings.value(START) != Start::Auto {
        return begun;
    }
    let s = share(forces, objective, h, state);
    let shortened = |i: usize| match forces.is_free(i) {
        true => state.position[i] + s * h * state.velocity[i],
        false => begun[i],
    };
    if s < 1.0 { (0..begun.len()).map(shortened).collect() } else { begun }
}

/// s \[1\].
pub fn share(forces: &Forces<'_>, objective: &Objective<'_>, h: f64, state: &State64) -> f64 {
    let free = (0..state.position.len()).filter(|&i| forces.is_free(i));
    let fall = (h * forces.settings.world.gravity.as_dvec3()).length_squared();
    let kinetic: f64 = free.map(|i| 0.5 * forces.mass(i) * (state.velocity[i].length_squared() + fall)).sum();
    // E(s) = a + b s + c s^2.
    let [mut a, mut b, mut c] = [0.0; 3];
    let is_free = |spring: &Spring| spring.nodes.iter().all(|&i| forces.is_free(i as usize));
    for (s, spring) in forces.model.springs().iter().enumerate().filter(|(_, spring)| is_free(spring)) {
        let [i, j] = spring.nodes.map(|i| i as usize);
        let (_, l, n) = direction(spring, &state.position);
        let stretch = l - f64::from(spring.rest_length);
        let change = h * n.dot(state.velocity[i] - state.velocity[j]);
        let half = 0.5 * objective.free(s).min(MOST_STIFF * forces.mass(i).min(forces.mass(j)) / (h * h));
        a += half * stretch * stretch;
        b += half * 2.0 * stretch * change;
        c += half * change * change;
    }
    let is_small = |s: &f64| a + b * s + c * s * s <= MOST_GAIN * (a + kinetic);
    SHARES.into_iter().find(is_small).unwrap_or(LEAST_SHARE)
}
