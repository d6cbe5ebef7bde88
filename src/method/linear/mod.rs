//! Solvers for the linear systems of implicit methods, on the GPU: nothing is read back inside a substep.
//!
//! M. Hestenes, E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", J. Res. Natl. Bur. Stand.
//! 49(6), 1952, doi:10.6028/jres.049.044, preconditioned by the 3 x 3 blocks of the diagonal; for comparison steepest
//! descent with the same blocks, Jacobi sweeps and Gauss-Seidel sweeps in the order of a coloring. The matrix is never
//! assembled. With a tolerance iterations end once |b - A u| <= tolerance |b|: a flag is set, and the kernels that are
//! already recorded read it and return at once. Sweeps check their residual every [`LOOK_EVERY`] iterations only. Names are
//! those of Y. Saad, "Iterative Methods for Sparse Linear Systems", 2nd ed., 2003. Tested by `tests/quick/oracle.rs` and
//! `tests/full/classic.rs`.

mod sums;
pub mod traffic;

pub use sums::{Control, LINEAR_STRUCT, Sum, Sums, Term};

use std::sync::Arc;

use glam::Vec4;

use super::colors::{COLOR_STRUCT, Colors};
use super::{Effort, Setup, touch};
use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, Kernel, Pass, Reading, Usage, Words};
use crate::method::contact::Products;
use crate::model::{Coloring, Model};
use crate::settings::{LinearSolver, Settings};

/// Sweeps between two checks of the residual.
const LOOK_EVERY: u32 = 10;
/// Most iterations with a tolerance where the settings name no number.
pub const MOST_BY_TOLERANCE: u32 = 500;
/// Rows of `work` without contact.
const ROWS: u64 = 6;
/// The row of the solution, and the row of the second solution of Jacobi sweeps.
const SOLUTION: u32 = 1;
const SECOND: u32 = 2;

/// Rows of `work`.
pub fn rows(model: &Model, settings: &Settings) -> u64 {
    ROWS + u64::from(touch(model, settings).is_some())
}

/// A solver's vectors and kernels.
pub struct Linear {
    method: Method,
    begin: Sum,
    /// For sweeps with a tolerance.
    check: Option<Check>,
    control: Control,
    nodes: u32,
    iterations: u32,
    has_tolerance: bool,
    products: Option<Products>,
}

/// What an iteration consists of.
enum Method {
    Directions(Box<Directions>),
    /// Jacobi sweeps: from the first solution to the second and back; and the copy after an odd number of sweeps.
    Sweeps([Bound; 2], Bound),
    /// Gauss-Seidel sweeps.
    ColorSweeps(Bound, Colors),
}

/// Conjugate gradients and steepest descent.
struct Directions {
    multiply_direction: Bound,
    compute_alpha: Sum,
    update_solution: Bound,
    compute_beta: Sum,
    update_direction: Bound,
}

/// Computes the residual of sweeps, and ends them where it is small enough.
struct Check {
    compute_residual: Bound,
    sum: Sum,
    /// After the last sweep, where this is not a [`LOOK_EVERY`]th one.
    last_sum: Option<Sum>,
}

/// The buffers of a system, for the kernels that set it up and use its solution.
#[derive(Clone)]
pub struct Vectors {
    control: Control,
    work: Arc<Buffer<Vec4>>,
}

impl Vectors {
    /// Zeroed vectors.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let rows = rows(setup.model, setup.settings) as usize * setup.nodes as usize;
        let work = Buffer::zeroed(setup.gpu, "linear vectors", rows, Usage::empty())?;
        Ok(Self { control: Control::new(setup)?, work: Arc::new(work) })
    }

    /// `bindings` with them.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        self.control.bind(bindings).with("work", &self.work)
    }
}

/// How to solve a system.
pub struct Task {
    /// The method.
    pub solver: LinearSolver,
    /// The word that chooses the block of a spring in the matrix.
    pub spring_block: &'static str,
    /// Most iterations.
    pub iterations: u32,
    /// Iterations end early where |b - A u| over |b| is this small.
    pub tolerance: Option<f32>,
    /// Contact between surfaces in the matrix.
    pub products: Option<Products>,
}

/// Rows of vectors that are multiplied by the matrix, and the row for what contact adds.
pub const MULTIPLIED: [u32; 2] = [SOLUTION, SECOND];
/// The row for what contact between surfaces adds to a product.
pub const CONTACT_PRODUCT: u32 = ROWS as u32;

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
        let is_steepest_descent = task.solver == LinearSolver::GradientDescent;
        let own = [
            ("TOLERANCE", task.tolerance.map_or(0.0, f64::from)),
            ("STEEPEST_DESCENT", f64::from(u8::from(is_steepest_descent))),
            ("CONTACT_PRODUCT", if task.products.is_some() { f64::from(CONTACT_PRODUCT) } else { 0.0 }),
        ];
        let constants = [&setup.constants[..], &own].concat();
        let bind = |entry, bindings: &Bindings, more: &[(&'static str, f64)]| {
            Kernel::new(gpu, &steps, entry, &[&constants, more].concat())?.bind(gpu, bindings)
        };
        let step = |entry| bind(entry, &bindings, &[]);
        let sums = Sums::new(setup, "nodes", &constants, &bindings)?;
        let method = match task.solver {
            LinearSolver::ConjugateGradients | LinearSolver::GradientDescent => {
                Method::Directions(Box::new(Directions {
                    multiply_direction: step("multiply_direction")?,
                    compute_alpha: sums.of(Term::Curvature, 1)?,
                    update_solution: step("update_solution")?,
                    compute_beta: sums.of(Term::Residual, 1)?,
                    update_direction: step("update_direction")?,
                }))
            }
            LinearSolver::Jacobi => {
                let between = |from: u32, to: u32| {
                    let rows = [("FROM", f64::from(from)), ("TO", f64::from(to))];
                    bind("sweep", &bindings, &rows)
                };
                Method::Sweeps(
                    [between(SOLUTION, SECOND)?, between(SECOND, SOLUTION)?],
                    step("copy_solution")?,
                )
            }
            LinearSolver::GaussSeidel => {
                let colors = Colors::new(setup, &Coloring::of(setup.model))?;
                let sweep_color = bind("sweep_color", &colors.bind(bindings.clone()), &[])?;
                Method::ColorSweeps(sweep_color, colors)
            }
        };
        let is_sweeping = matches!(method, Method::Sweeps(..) | Method::ColorSweeps(..));
        let rest = task.iterations % LOOK_EVERY;
        let check = match task.tolerance {
            Some(_) if is_sweeping => Some(Check {
                compute_residual: step("compute_residual")?,
                sum: sums.of(Term::SweepResidual, LOOK_EVERY)?,
                last_sum: (rest > 0).then(|| sums.of(Term::SweepResidual, rest)).transpose()?,
            }),
            _ => None,
        };
        Ok(Self {
            method,
            begin: sums.of(Term::Residual, 0)?,
            check,
            control: vectors.control,
            nodes: setup.nodes,
            iterations: task.iterations,
            has_tolerance: task.tolerance.is_some(),
            products: task.products.clone(),
        })
    }

    /// Records the solution of the system that earlier kernels have set up in the vectors.
    pub fn record(&self, pass: &mut Pass<'_>) {
        self.begin.record(pass);
        for k in 0..self.iterations {
            match &self.method {
                Method::Directions(directions) => {
                    self.couple(pass, SECOND);
                    pass.dispatch(&directions.multiply_direction, self.nodes);
                    directions.compute_alpha.record(pass);
                    pass.dispatch(&directions.update_solution, self.nodes);
                    directions.compute_beta.record(pass);
                    if k + 1 < self.iterations {
                        pass.dispatch(&directions.update_direction, self.nodes);
                    }
                }
                Method::Sweeps(sweep, _) => {
                    self.couple(pass, [SOLUTION, SECOND][k as usize % 2]);
                    pass.dispatch(&sweep[k as usize % 2], self.nodes);
                }
                Method::ColorSweeps(sweep_color, colors) => {
                    // Pairs join nodes of one color, so a sweep uses their forces from where it began. It converges all the same, since
                    // twice the blocks of pairs is at least their matrix.
                    self.couple(pass, SOLUTION);
                    colors.record(pass, sweep_color);
                }
            }
            if let Some(check) = self.check.as_ref().filter(|_| (k + 1) % LOOK_EVERY == 0) {
                self.couple(pass, SOLUTION);
                pass.dispatch(&check.compute_residual, self.nodes);
                check.sum.record(pass);
            }
        }
        if let Method::Sweeps(_, copy_solution) = &self.method
            && self.iterations % 2 == 1
        {
            pass.dispatch(copy_solution, self.nodes);
        }
        if let Some(Check { compute_residual, last_sum: Some(sum), .. }) = &self.check {
            self.couple(pass, SOLUTION);
            pass.dispatch(compute_residual, self.nodes);
            sum.record(pass);
        }
    }

    /// Records what contact between surfaces adds to the product with a row.
    fn couple(&self, pass: &mut Pass<'_>, row: u32) {
        if let Some(products) = &self.products {
            products.record(pass, row);
        }
    }

    /// Resets the counters.
    pub fn forget(&self, gpu: &Gpu) {
        self.control.forget(gpu);
    }

    /// The state that lasts from system to system: counters.
    pub fn lasting(&self) -> Words<'_> {
        self.control.lasting()
    }

    /// Iterations so far, where there is a tolerance.
    pub fn effort(&self, gpu: &Gpu) -> Reading<Option<Effort>> {
        match self.has_tolerance {
            true => self.control.effort(gpu),
            false => Reading::ready(None),
        }
    }
}
