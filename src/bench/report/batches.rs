//! Batches: many copies of a small cloth in the same dispatches, against one after another.

use super::super::batch::{self, Batch};
use super::super::{Clock, batch::NODES};
use super::Skipped;
use super::budget::Budget;
use crate::Error;
use crate::settings::SolverKind;

/// Frames that a measurement takes for each repetition, and besides, at least.
const FRAMES: f64 = 4.0;

/// Measures batches of all solvers, the smaller ones first, as far as the budget goes.
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

/// Time \[s\] of a frame of all copies, by the rate of the largest batch measured so far.
fn predicted(found: &[Batch], solver: SolverKind, copies: u32) -> f64 {
    let last = found.iter().rfind(|batch| batch.solver == solver.name());
    last.map_or(0.0, |batch| f64::from(copies) / batch.together)
}
