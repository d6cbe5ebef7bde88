//! Contact with a solver whose friction needs many iterations, or that leaves cloth too soft for it.

use super::Warning;
use crate::method::{Rubbing, Stability, touch};
use crate::model::Model;
use crate::settings::{
    CHEBYSHEV, Chebyshev, LINEAR_SOLVER, LinearSolver, START, Settings, SolverKind, Start,
};

/// What surfaces that meet have held back, as a part of all nodes in all substeps, is well below: at most .003 % in any of `scenes/contact/`.
const MUCH: f64 = 0.05;

/// Warns where the guard held back so much that the motion is no longer that of the scene. It may hide that a method is not stable.
pub(super) fn held(share: f64) -> Option<Warning> {
    (share > MUCH).then(|| {
        let text = format!(
            "contact: the guard held back {:.0} % of the nodes in each substep, on average. The step is \
             too long for the motion, or the method is not stable with it, and what has been simulated is not the scene. Take more \
             substeps; contact = false shows whether it is stable",
            100.0 * share
        );
        Warning { body: None, key: "substeps", text }
    })
}

/// Warns where friction between surfaces does not take hold, or where cloth is too soft for contact.
pub(super) fn of(model: &Model, settings: &Settings, stability: &Stability, step: f64) -> Option<Warning> {
    touch(model, settings)?;
    let text = match settings.solver.softens() && settings.linear_solver() == LinearSolver::Jacobi {
        true => soft(settings),
        false => sliding(model, settings, stability, step)?,
    };
    Some(Warning { body: None, key: "contact", text })
}

fn soft(settings: &Settings) -> String {
    format!(
        "contact: {} with all springs at once leaves cloth so soft that folds which touch may knot, and be torn out of shape for good; \
         linear-solver = \"gauss-seidel\" with iterations = 4 does not",
        settings.solver
    )
}

/// Where iterations are too few for friction to hold cloth as a whole: springs hold each node to where its neighbors slide.
fn sliding(model: &Model, settings: &Settings, stability: &Stability, step: f64) -> Option<String> {
    let solver = settings.solver;
    let Rubbing { stiffer, iterations: enough } = Rubbing::of(model, settings, stability, step)?;
    let iterations = settings.iterations();
    (f64::from(iterations) < enough).then(|| {
        let takes = |one: SolverKind, by| {
            let settings = settings.with_solver(one).with(LINEAR_SOLVER, by);
            one.iterations_for_friction(&settings, stiffer).is_none_or(|enough| enough <= f64::from(settings.iterations()))
        };
        let open = settings.clone().with(START, Start::Auto).with(CHEBYSHEV, Chebyshev::Auto);
        let open = match solver.iterations_for_friction(&open, stiffer).map(f64::ceil) {
            Some(fewer) if fewer < enough => format!("leave start and chebyshev open, with which about {fewer} are enough, "),
            _ => String::new(),
        };
        let own = |by: &&LinearSolver| takes(solver, Some(**by));
        let own: String =
            solver.linear_solvers().iter().filter(own).map(|by| format!("linear-solver = \"{by}\", ")).collect();
        let others = SolverKind::names(|one| one != solver && takes(one, None));
        let with = match solver.linear_solvers() {
            [] | [_] => String::new(),
            _ => format!(" with {}", settings.linear_solver()),
        };
        format!(
            "contact: friction between surfaces takes hold in {solver}{with} only with about {enough} iterations, not {iterations}: springs are {stiffer} \
             times stiffer for a substep than what holds a node to its place, and cloth slides too far, or not far enough. Take more \
             substeps or iterations, {open}{own}or another solver: {others}"
        )
    })
}
