//! The minimum of an objective among all positions at which inextensible springs have their length, and others are within
//! their limit of stretch: by multipliers (Hestenes 1969), each round with Newton's method to the end, and with lambda
//! unbounded. So it is another way than that of newton-multigrid, which goes on with lambda after one cycle. Springs that are
//! stiffer than sigma take part.
//!
//! ```text
//! x <- argmin phi + sum of sigma (l - r)^2 / 2 + lambda (l - r),     lambda <- lambda + sigma (l - r)
//! ```
//!
//! or what [`crate::model::Multipliers`] has for a limit.
//!
//! Limit: positions at which all springs have their length must exist near the start.

use glam::DVec3;

use super::minimizer::Minimum;
use super::newton::newton;
use super::objective::Objective;

/// Most rounds.
const MOST: usize = 60;
/// Part of its length that [`minimize`] lets a spring be too long or too short.
const ENOUGH: f64 = 1e-9;
/// What pulls on a node stretches a spring by this part of its length in the first round.
const FIRST_STRETCH: f64 = 1e-3;

/// A round that leaves more than this part of the changes of multipliers before it is slow.
const SLOW: f64 = 0.25;
/// Factor on the penalty after one.
const RISE: f64 = 10.0;
/// What rounding of positions in f64 does to a spring of the penalty's stiffness must stay below the tolerance \[m\].
const ROUNDING: f64 = 1e-13;

/// A minimum as [`super::minimizer::minimize`] says.
pub fn minimize(objective: &Objective<'_>, start: Vec<DVec3>, tolerance: f64) -> Minimum {
    let sigma = objective.total_load(&start).max(tolerance) / (FIRST_STRETCH * shortest(objective));
    minimize_with(objective, start, tolerance, sigma, ENOUGH)
}

/// The same with a first penalty `sigma` [N/m] of the caller's and springs that are too long or too short by about the part
/// `enough` of their length: the last round changes no multiplier by more than sigma r times that. Without limits of stretch
/// sigma rises where multipliers come slowly, as along a straight row of springs between two pins.
pub fn minimize_with(
    objective: &Objective<'_>,
    start: Vec<DVec3>,
    tolerance: f64,
    sigma: f64,
    enough: f64,
) -> Minimum {
    let shortest = shortest(objective);
    let most = if objective.model().has_strain_limit() { sigma } else { tolerance / ROUNDING };
    let (mut sigma, mut before) = (sigma, f64::INFINITY);
    let mut objective = objective.clone().with_penalty_on_lengths(sigma);
    let mut found = Minimum { position: start, residual: f64::INFINITY, iterations: 0, converged: false };
    for _ in 0..MOST {
        let next = newton(&objective, found.position, tolerance);
        found = Minimum { iterations: found.iterations + next.iterations, ..next };
        let off = objective.add_to_multipliers(&found.position);
        // Newton's method does not answer to changes of tension below its tolerance.
        found.converged &= off <= enough.max(tolerance / (sigma * shortest));
        if found.converged {
            break;
        }
        let is_slow = off > SLOW * before;
        before = off;
        if is_slow && RISE * sigma <= most {
            objective = objective.with_penalties_times(RISE);
            (sigma, before) = (RISE * sigma, f64::INFINITY);
        }
    }
    found
}

/// The shortest length at rest \[m\].
fn shortest(objective: &Objective<'_>) -> f64 {
    let lengths = objective.model().springs().iter().map(|s| f64::from(s.rest_length)).filter(|r| *r > 0.0);
    lengths.fold(f64::INFINITY, f64::min)
}
