//! Solvers for the linear systems of implicit methods, on the GPU: nothing is read back inside a substep.
//!
//! M. Hestenes, E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", J. Res. Natl. Bur. Stand.
//! 49(6), 1952, doi:10.6028/jres.049.044, preconditioned by the 3 x 3 blocks of the diagonal; for comparison steepest
//! descent with the same blocks, Jacobi sweeps and Gauss-Seidel sweeps in the order of a coloring. The matrix is
//! never put together. With a tolerance iterations end once |b - A u| <= tolerance |b|: a flag that the kernels read
//! when they start, so that those that are left have nothing to do. Sweeps look at their residual every
//! [`LOOK_EVERY`] iterations only. Proven by `tests/quick/oracle.rs` and
//! `tests/full/classic.rs`.

pub mod kernels;
mod sums;

pub use sums::{Control, LINEAR_STRUCT, Sum, Sums, Term};

use std::sync::Arc;

use glam::Vec4;

use super::colors::{COLOR_STRUCT, Colors};
use super::{Effort, Setup};
use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, Kernel, Pass, Usage, Words};
use crate::model::Coloring;
use crate::settings::LinearSolver;

/// Sweeps between two looks at the residual.
const LOOK_EVERY: u32 = 10;
/// Most iterations with a tolerance where the settings name no number.
pub const MOST_BY_TOLERANCE: u32 = 500;
/// Rows of `work`.
pub const ROWS: u64 = 6;
/// Rows of the solution and, of Jacobi sweeps, the second one.
const SOLUTION: u32 = 1;
const SECOND: u32 = 2;

/// A solver's vectors and kernels.
pub struct Linear {
    method: Method,
    set_out: Sum,
    /// Of sweeps with a tolerance.
    look: Option<Look>,
    control: Control,
    nodes: u32,
    iterations: u32,
    has_tolerance: bool,
}

/// What an iteration consists of.
enum Method {
    Directions(Box<Directions>),
    /// Jacobi sweeps: from the first solution to the second and back; and what ends an odd number of them.
    Sweeps([Bound; 2], Bound),
    /// Gauss-Seidel sweeps.
    Visits(Bound, Colors),
}

/// Conjugate gradients and steepest descent.
struct Directions {
    multiply: Bound,
    set_along: Sum,
    descend: Bound,
    set_kept: Sum,
    turn: Bound,
}

/// Takes the residual of sweeps and ends them where it is small enough.
struct Look {
    take: Bound,
    judge: Sum,
    /// Behind the last sweep, where it is no [`LOOK_EVERY`]th one.
    judge_rest: Option<Sum>,
}

/// The buffers of a system, for the kernels that prepare it and use its solution.
#[derive(Clone)]
pub struct Vectors {
    control: Control,
    work: Arc<Buffer<Vec4>>,
}

impl Vectors {
    /// Zeroed vectors.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let rows = ROWS as usize * setup.nodes as usize;
        let work = Buffer::zeroed(setup.gpu, "linear vectors", rows, Usage::empty())?;
        Ok(Self { control: Control::new(setup)?, work: Arc::new(work) })
    }

    /// `bindings` with them.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        self.control.bind(bindings).with("work", &self.work)
    }
}

/// What is to be solved, and how far.
pub struct Task {
    /// By which method.
    pub solver: LinearSolver,
    /// The word that chooses what a spring puts into the matrix.
    pub spring_block: &'static str,
    /// Most iterations.
    pub iterations: u32,
    /// What ends them early: |b - A u| over |b|.
    pub tolerance: Option<f32>,
}

impl Linear {
    /// Compiles and binds the kernels. `bindings` name the buffers of the substep.
    pub fn new(
        setup: &Setup<'_>,
        task: &Task,
        vectors: Vectors,
        bindings: &Bindings,
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let bindings = vectors.bind(bindings.clone());
        let steps = setup.shader_with(
            "methods/linear/steps.wgsl",
            &[task.spring_block],
            &[&LINEAR_STRUCT, &COLOR_STRUCT],
        )?;
        let forgets = task.solver == LinearSolver::GradientDescent;
        let own =
            [("TOLERANCE", task.tolerance.map_or(0.0, f64::from)), ("FORGETS", f64::from(u8::from(forgets)))];
        let constants = [&setup.constants[..], &own].concat();
        let bind = |entry, bindings: &Bindings, more: &[(&'static str, f64)]| {
            Kernel::new(gpu, &steps, entry, &[&constants, more].concat())?.bind(gpu, bindings)
        };
        let step = |entry| bind(entry, &bindings, &[]);
        let sums = Sums::new(setup, "nodes", &constants, &bindings)?;
        let method = match task.solver {
            LinearSolver::ConjugateGradients | LinearSolver::GradientDescent => {
                Method::Directions(Box::new(Directions {
                    multiply: step("multiply_direction")?,
                    set_along: sums.of(Term::Curvature, 1)?,
                    descend: step("descend")?,
                    set_kept: sums.of(Term::Residual, 1)?,
                    turn: step("turn")?,
                }))
            }
            LinearSolver::Jacobi => {
                let between = |from: u32, to: u32| {
                    let rows = [("FROM", f64::from(from)), ("TO", f64::from(to))];
                    bind("sweep", &bindings, &rows)
                };
                Method::Sweeps([between(SOLUTION, SECOND)?, between(SECOND, SOLUTION)?], step("settle")?)
            }
            LinearSolver::GaussSeidel => {
                let colors = Colors::new(setup, &Coloring::of(setup.model))?;
                let visit = bind("visit", &colors.bind(bindings.clone()), &[])?;
                Method::Visits(visit, colors)
            }
        };
        let is_sweeping = matches!(method, Method::Sweeps(..) | Method::Visits(..));
        let rest = task.iterations % LOOK_EVERY;
        let look = match task.tolerance {
            Some(_) if is_sweeping => Some(Look {
                take: step("take_residual")?,
                judge: sums.of(Term::LeftOfSweeps, LOOK_EVERY)?,
                judge_rest: (rest > 0).then(|| sums.of(Term::LeftOfSweeps, rest)).transpose()?,
            }),
            _ => None,
        };
        Ok(Self {
            method,
            set_out: sums.of(Term::Residual, 0)?,
            look,
            control: vectors.control,
            nodes: setup.nodes,
            iterations: task.iterations,
            has_tolerance: task.tolerance.is_some(),
        })
    }

    /// Records the solution of the system that has been prepared in the vectors.
    pub fn record(&self, pass: &mut Pass<'_>) {
        self.set_out.record(pass);
        for k in 0..self.iterations {
            match &self.method {
                Method::Directions(directions) => {
                    pass.dispatch(&directions.multiply, self.nodes);
                    directions.set_along.record(pass);
                    pass.dispatch(&directions.descend, self.nodes);
                    directions.set_kept.record(pass);
                    if k + 1 < self.iterations {
                        pass.dispatch(&directions.turn, self.nodes);
                    }
                }
                Method::Sweeps(sweep, _) => pass.dispatch(&sweep[k as usize % 2], self.nodes),
                Method::Visits(visit, colors) => colors.record(pass, visit),
            }
            if let Some(look) = self.look.as_ref().filter(|_| (k + 1) % LOOK_EVERY == 0) {
                pass.dispatch(&look.take, self.nodes);
                look.judge.record(pass);
            }
        }
        if let Method::Sweeps(_, settle) = &self.method
            && self.iterations % 2 == 1
        {
            pass.dispatch(settle, self.nodes);
        }
        if let Some(Look { take, judge_rest: Some(judge), .. }) = &self.look {
            pass.dispatch(take, self.nodes);
            judge.record(pass);
        }
    }

    /// Forgets how many iterations there were.
    pub fn forget(&self, gpu: &Gpu) {
        self.control.forget(gpu);
    }

    /// What is left of earlier systems: counters.
    pub fn lasting(&self) -> Words<'_> {
        self.control.lasting()
    }

    /// Iterations so far, where there is a tolerance.
    pub fn effort(&self, gpu: &Gpu) -> Result<Option<Effort>, GpuError> {
        self.has_tolerance.then(|| self.control.effort(gpu)).transpose()
    }
}
