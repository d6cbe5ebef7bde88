//! How the linear systems of implicit methods are solved.

use std::fmt;

/// A solver of linear systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearSolver {
    /// Conjugate gradients, preconditioned by the 3 x 3 blocks of the diagonal.
    ConjugateGradients,
    /// Jacobi sweeps.
    Jacobi,
    /// Gauss-Seidel sweeps, colour by colour.
    GaussSeidel,
    /// Steepest descent with the same blocks.
    GradientDescent,
}

impl LinearSolver {
    /// All of them.
    pub const ALL: [LinearSolver; 4] = [
        LinearSolver::ConjugateGradients,
        LinearSolver::Jacobi,
        LinearSolver::GaussSeidel,
        LinearSolver::GradientDescent,
    ];

    /// The name in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            LinearSolver::ConjugateGradients => "conjugate-gradients",
            LinearSolver::Jacobi => "jacobi",
            LinearSolver::GaussSeidel => "gauss-seidel",
            LinearSolver::GradientDescent => "gradient-descent",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            LinearSolver::ConjugateGradients => "the fewest iterations, each with two sums over all nodes",
            LinearSolver::Jacobi => "sweeps of all nodes at once; no sums",
            LinearSolver::GaussSeidel => {
                "sweeps colour by colour; half of Jacobi's, each with a dispatch a colour"
            }
            LinearSolver::GradientDescent => "steepest descent, to see what conjugate directions are worth",
        }
    }
}

impl fmt::Display for LinearSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
