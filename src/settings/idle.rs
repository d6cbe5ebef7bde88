//! Settings that say nothing to the solver they stand with.

use super::{Iterations, Settings, SolverKind};

impl Settings {
    /// Keys of what is given and what the solver has no use for.
    pub fn idle(&self) -> Vec<&'static str> {
        use SolverKind::{ImplicitEuler, LocalGlobal, NewtonMultigrid, Vbd, Xpbd};
        let plain = Settings::default();
        let is_used_by = |solvers: &[SolverKind]| solvers.contains(&self.solver);
        let takes_iterations = match self.iterations {
            Iterations::Auto => self.solver == NewtonMultigrid,
            Iterations::Own | Iterations::Fixed(_) => !self.solver.is_explicit(),
        };
        let keys = [
            ("iterations", self.iterations != Iterations::Own, takes_iterations),
            ("tolerance", self.tolerance.is_some(), self.keeps_tolerance()),
            ("linear-solver", self.linear_solver.is_some(), !self.solver.linear_solvers().is_empty()),
            ("relaxation", self.relaxation.is_some(), is_used_by(&[Xpbd])),
            ("projection", self.projection != plain.projection, is_used_by(&[ImplicitEuler])),
            ("cg-steps", self.cg_steps.is_some(), is_used_by(&[NewtonMultigrid])),
            ("sweeps", self.sweeps.is_some(), is_used_by(&[LocalGlobal])),
            ("chebyshev", self.chebyshev != plain.chebyshev, is_used_by(&[LocalGlobal, Vbd])),
            (
                "start",
                self.start != plain.start,
                is_used_by(&[NewtonMultigrid, LocalGlobal, Vbd, ImplicitEuler]),
            ),
        ];
        keys.into_iter().filter(|(_, is_given, is_used)| *is_given && !is_used).map(|(key, ..)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_solver_cannot_use_is_named() {
        let settings = |solver| Settings {
            solver,
            iterations: Iterations::Fixed(3),
            tolerance: Some(0.1),
            cg_steps: Some(2),
            ..Settings::default()
        };
        assert_eq!(settings(SolverKind::Verlet).idle(), ["iterations", "tolerance", "cg-steps"]);
        assert_eq!(settings(SolverKind::Vbd).idle(), ["tolerance", "cg-steps"]);
        assert!(settings(SolverKind::NewtonMultigrid).idle().is_empty());
    }
}
