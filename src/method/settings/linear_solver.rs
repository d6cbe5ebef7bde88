//! How the linear systems of implicit methods are solved.

use std::fmt;

use super::key::Word;

/// A solver of linear systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearSolver {
    /// Conjugate gradients, preconditioned by the 3 x 3 blocks of the diagonal.
    ConjugateGradients,
    /// Jacobi sweeps.
    Jacobi,
    /// Gauss-Seidel sweeps, color by color.
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

    /// The names in scenes and on the command line, in the same order, and a line on what each is.
    pub const WORDS: [Word; 4] = [
        ("conjugate-gradients", "the fewest iterations, each with two sums over all nodes"),
        ("jacobi", "sweeps of all nodes at once; no sums"),
        ("gauss-seidel", "sweeps color by color; half of Jacobi's, each with a dispatch a color"),
        ("gradient-descent", "steepest descent, to see what conjugate directions are worth"),
    ];

    /// The name in scenes and on the command line.
    pub fn name(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

impl fmt::Display for LinearSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
