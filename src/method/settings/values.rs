//! Types of settings that are a number or a word.

use super::LinearSolver;
use super::key::{Given, Value, Word};

/// How many substeps a frame is divided into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Substeps {
    /// The fewest that the solver recommends for the model.
    #[default]
    Auto,
    /// This many, at least one. Solvers with a stability limit refuse too few.
    Fixed(u32),
}

/// Iterations a substep of an implicit solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Iterations {
    /// The solver's own number. `newton-multigrid` goes on as `Auto` does where springs are so stiff that they have
    /// multipliers ([`crate::model::Multipliers`]).
    #[default]
    Own,
    /// As many as the estimate of the error asks for, at most [`super::MOST_AUTO`]: until it is below the tolerance, or where
    /// none is given below [`super::AUTO_TOLERANCE`] of the motion, with multipliers below
    /// [`super::MULTIPLIERS_TOLERANCE`]. Only `newton-multigrid` can tell.
    Auto,
    /// This many, at least one; with a tolerance the most.
    Fixed(u32),
}

impl From<Option<u32>> for Iterations {
    fn from(count: Option<u32>) -> Self {
        count.map_or(Self::Own, Self::Fixed)
    }
}

/// Chebyshev acceleration of Jacobi sweeps or of vertex block descent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Chebyshev {
    /// Plain sweeps.
    Off,
    /// `local-global`: spectral radius from the number of sweeps, 1 - (2 / N)^2, with a fall-back to plain
    /// sweeps when it diverges; the watch needs 14 sweeps a substep or more. `vbd`: off.
    #[default]
    Auto,
    /// This spectral radius, in (0, 1), with the same fall-back; `vbd` has none, and diverges from .99 on.
    Radius(f32),
}

/// The vector that an implicit solver's iteration starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// What suits the solver: `Inertial` for single-level sweeps.
    #[default]
    Auto,
    /// y, the minimizer of inertia, damping, air and handles without springs (x + h v + h^2 g where
    /// only gravity acts): keeps gravity when few sweeps follow.
    Inertial,
    /// x + h v.
    Velocity,
    /// x, as in Liu et al. 2013.
    Previous,
}

impl Start {
    /// What stands for each.
    pub const WORDS: [Word; 4] = [
        ("auto", "what suits the solver"),
        ("inertial", "x + h v + h^2 f/m"),
        ("velocity", "x + h v"),
        ("previous", "x"),
    ];
}

/// Which form of the network the kernels use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The grid form where the model is one regular grid, else the mesh form.
    #[default]
    Auto,
    /// Neighbors follow from the index. Only for a model that is one regular grid.
    Grid,
    /// Stored neighbors. Any model.
    Mesh,
}

impl Form {
    /// What stands for each.
    pub const WORDS: [Word; 3] = [
        ("auto", "the grid form where the scene is one regular grid, else the mesh form"),
        ("grid", "neighbors follow from the index; only for one cloth alone"),
        ("mesh", "stored neighbors; any scene"),
    ];
}

/// The word of an enumeration whose variants stand in the order of its words.
macro_rules! words {
    ($type:ident, $words:expr, [$($variant:ident),*]) => {
        impl Value for $type {
            fn given(self) -> Option<Given> {
                Some(Given::Word($words[self as usize].0))
            }

            fn of(given: &Given) -> Option<Self> {
                let Given::Word(given) = given else { return None };
                let all = [$($type::$variant),*];
                all.into_iter().find(|value| $words[*value as usize].0 == *given)
            }
        }
    };
}
words!(Start, Start::WORDS, [Auto, Inertial, Velocity, Previous]);
words!(Form, Form::WORDS, [Auto, Grid, Mesh]);
words!(LinearSolver, LinearSolver::WORDS, [ConjugateGradients, Jacobi, GaussSeidel, GradientDescent]);

impl Value for Substeps {
    fn given(self) -> Option<Given> {
        Some(match self {
            Substeps::Auto => Given::Word("auto"),
            Substeps::Fixed(n) => Given::Count(n),
        })
    }

    fn of(given: &Given) -> Option<Self> {
        match given {
            Given::Word("auto") => Some(Substeps::Auto),
            Given::Count(n) => Some(Substeps::Fixed(*n)),
            _ => None,
        }
    }
}

impl Value for Iterations {
    fn given(self) -> Option<Given> {
        match self {
            Iterations::Own => None,
            Iterations::Auto => Some(Given::Word("auto")),
            Iterations::Fixed(n) => Some(Given::Count(n)),
        }
    }

    fn of(given: &Given) -> Option<Self> {
        match given {
            Given::Word("auto") => Some(Iterations::Auto),
            Given::Count(n) => Some(Iterations::Fixed(*n)),
            _ => None,
        }
    }
}

impl Value for Chebyshev {
    fn given(self) -> Option<Given> {
        match self {
            Chebyshev::Auto => None,
            Chebyshev::Off => Some(Given::Word("off")),
            Chebyshev::Radius(rho) => Some(Given::Number(rho)),
        }
    }

    fn of(given: &Given) -> Option<Self> {
        match given {
            Given::Word("auto") => Some(Chebyshev::Auto),
            Given::Word("off") => Some(Chebyshev::Off),
            Given::Number(rho) => Some(Chebyshev::Radius(*rho)),
            _ => None,
        }
    }
}
