//! Batches: many copies of a small cloth in the same dispatches, compared with one copy after another.

use super::super::batch::{self, Batch};
use super::super::{Clock, batch::NODES};
use super::Skipped;
use super::budget::Budget;
use crate::Error;
use crate::settings::SolverKind;

/// Least number of frames of a measurement for each repetition, and for its preparation.
const FRAMES: f64 = 4.0;

/// Measures batches of all solvers within the budget, smaller batches first.
pub fn measure(
    clock: &Clock<'_>,
    copies: &[u32],
    budget: &Budget,
    skipped: &mut Vec<Skipped>,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Batch>, Error> {
    let mut found: Vec<Batch> = Vec::new();
    for &copies in copies {
        for solver in SolverKind::ALL {
            let needed = predicted(&found, solver, copies) * FRAMES * f64::from(clock.repeats + 1);
            if needed > budget.left() || (budget.left() == 0.0 && !found.is_empty()) {
                let reason = "the time for batches was used up".to_owned();
                let what = format!("{copies} copies with {solver}");
                skipped.push(Skipped { what, nodes: copies * NODES, reason });
                continue;
            }
            progress(&format!("{copies} copies with {solver}"));
            found.push(batch::measure(clock.gpu, solver, copies, clock.repeats)?);
        }
    }
    Ok(found)
}

/// Predicts the time \[s\] of a frame of all copies, from the rate of the largest batch measured so far.
fn predicted(found: &[Batch], solver: SolverKind, copies: u32) -> f64 {
    let last = found.iter().rfind(|batch| batch.solver == solver.name());
    last.map_or(0.0, |batch| f64::from(copies) / batch.together)
}
