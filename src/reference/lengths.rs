//! The minimum of an objective among all positions at which inextensible springs have their length, and others are within
//! their limit of stretch: by multipliers (Hestenes 1969), each round with Newton's method to the end, and with lambda
//! unbounded. So it is another way than that of newton-multigrid, which goes on with lambda after one cycle.
//!
//! ```text
//! x <- argmin phi + sum of sigma (l - r)^2 / 2 + lambda (l - r),     lambda <- lambda + sigma (l - r)
//! ```
//!
//! or what [`crate::model::Multipliers`] has for a limit.
//!
//! Limit: positions at which all springs have their length must exist near the start.

use glam::DVec3;

use super::minimiser::Minimum;
use super::newton::newton;
use super::objective::Objective;

/// Most rounds.
const MOST: usize = 60;
/// Part of its length that a spring may be too long or too short at the end.
const ENOUGH: f64 = 1e-9;
/// What pulls on a node stretches a spring by this part of its length in the first round.
const FIRST_STRETCH: f64 = 1e-3;

/// A minimum as [`super::minimiser::minimise`] says.
pub fn minimise(objective: &Objective<'_>, start: Vec<DVec3>, tolerance: f64) -> Minimum {
    let springs = objective.model().springs();
    let lengths = springs.iter().map(|s| f64::from(s.rest_length)).filter(|r| *r > 0.0);
    let least = lengths.fold(f64::INFINITY, f64::min);
    let sigma = objective.total_load(&start).max(tolerance) / (FIRST_STRETCH * least);
    let mut objective = objective.clone().with_penalty_on_lengths(sigma);
    let mut found = Minimum { position: start, residual: f64::INFINITY, iterations: 0, converged: false };
    for _ in 0..MOST {
        let next = newton(&objective, found.position, tolerance);
        found = Minimum { iterations: found.iterations + next.iterations, ..next };
        let off = objective.add_to_multipliers(&found.position);
        found.converged &= off <= ENOUGH;
        if found.converged {
            break;
        }
    }
    found
}
