//! The list of solvers. Tests, benches, `--solver` and the viewer's menu iterate over it.

use std::fmt;
use std::str::FromStr;

/// A time integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverKind {
    /// Explicit (forward) Euler.
    ExplicitEuler,
    /// Symplectic (semi-implicit) Euler.
    SymplecticEuler,
    /// Verlet in increment form.
    Verlet,
    /// Implicit Euler, linearised, one Newton step a substep (Baraff and Witkin 1998).
    ImplicitEuler,
    /// Implicit Euler as a minimisation, local/global (Liu et al. 2013).
    LocalGlobal,
    /// Implicit Euler as a minimisation, one multigrid cycle of the Newton matrix an iteration.
    NewtonMultigrid,
    /// Springs as soft constraints on velocities (Servin et al. 2006).
    SoftConstraint,
    /// Position-based dynamics with compliant springs (Macklin et al. 2016).
    Xpbd,
    /// Implicit Euler as a minimisation, coloured vertex block descent (Chen et al. 2024).
    Vbd,
}

impl SolverKind {
    /// All solvers.
    pub const ALL: [SolverKind; 9] = [
        SolverKind::ExplicitEuler,
        SolverKind::SymplecticEuler,
        SolverKind::Verlet,
        SolverKind::ImplicitEuler,
        SolverKind::LocalGlobal,
        SolverKind::NewtonMultigrid,
        SolverKind::Vbd,
        SolverKind::SoftConstraint,
        SolverKind::Xpbd,
    ];

    /// The name in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::ExplicitEuler => "explicit-euler",
            SolverKind::SymplecticEuler => "symplectic-euler",
            SolverKind::Verlet => "verlet",
            SolverKind::ImplicitEuler => "implicit-euler",
            SolverKind::LocalGlobal => "local-global",
            SolverKind::NewtonMultigrid => "newton-multigrid",
            SolverKind::Vbd => "vbd",
            SolverKind::SoftConstraint => "soft-constraint",
            SolverKind::Xpbd => "xpbd",
        }
    }

    /// One line on when to use it.
    pub fn summary(self) -> &'static str {
        match self {
            SolverKind::ExplicitEuler => "forward Euler; undamped it has no stable step, kept to see it fail",
            SolverKind::SymplecticEuler => {
                "semi-implicit Euler; exact physics at many small substeps, bounded energy"
            }
            SolverKind::Verlet => "second order, time-reversible; many small substeps",
            SolverKind::ImplicitEuler => {
                "one linear system a substep; any step is stable, large cloth needs many iterations"
            }
            SolverKind::LocalGlobal => "implicit, any step is stable; large cloth needs many iterations",
            SolverKind::NewtonMultigrid => {
                "implicit, any step is stable; converges in a few iterations at any size"
            }
            SolverKind::SoftConstraint => {
                "tension averaged over the step; damps little, strong tension limits the step"
            }
            SolverKind::Xpbd => {
                "compliant constraints; many substeps of one iteration, soft where they are few"
            }
            SolverKind::Vbd => {
                "vertex block descent; implicit, converges fast on small cloth, slowly on large"
            }
        }
    }

    /// Iterations a substep where the settings name none.
    pub fn default_iterations(self) -> u32 {
        match self {
            SolverKind::NewtonMultigrid => 4,
            SolverKind::Xpbd => 1,
            _ => 60,
        }
    }

    /// Substeps a frame where neither the settings name a number nor stability asks for more.
    pub fn least_substeps(self) -> u32 {
        match self {
            SolverKind::Xpbd => 20,
            _ => 1,
        }
    }

    /// Whether springs are implicit and bending is not, so that bending alone limits the step.
    pub fn is_limited_by_bending(self) -> bool {
        matches!(self, SolverKind::SoftConstraint | SolverKind::Xpbd)
    }

    /// Whether springs pull along where a substep brings them, not along where it finds them. What is frozen beside them
    /// has to turn with them, or it slows down whatever spins.
    pub fn acts_ahead(self) -> bool {
        !self.is_explicit() && self != SolverKind::SoftConstraint
    }

    /// Whether it keeps the length of inextensible springs, those of infinite stiffness.
    pub fn holds_lengths(self) -> bool {
        matches!(self, SolverKind::NewtonMultigrid | SolverKind::SoftConstraint | SolverKind::Xpbd)
    }

    /// Whether it keeps limits of stretch.
    pub fn holds_limits(self) -> bool {
        self == SolverKind::NewtonMultigrid
    }

    /// Whether it goes to the minimum of an objective over positions.
    pub fn minimises(self) -> bool {
        matches!(self, SolverKind::LocalGlobal | SolverKind::NewtonMultigrid | SolverKind::Vbd)
    }

    /// Whether the step is limited by the stiffest spring.
    pub fn is_explicit(self) -> bool {
        matches!(self, SolverKind::ExplicitEuler | SolverKind::SymplecticEuler | SolverKind::Verlet)
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        SolverKind::ALL.into_iter().find(|k| k.name() == name).ok_or_else(|| {
            let names = SolverKind::ALL.map(SolverKind::name).join(", ");
            format!("no solver '{name}'; the solvers are {names}")
        })
    }
}
