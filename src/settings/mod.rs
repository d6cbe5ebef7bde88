//! How a model is simulated: solver, steps, forces. Everything here may differ between two runs of
//! the same model.

mod idle;
mod linear_solver;
mod solver_kind;
mod surroundings;
mod user_force;
mod with;

pub use linear_solver::LinearSolver;
pub use solver_kind::SolverKind;
pub use surroundings::Surroundings;
pub use user_force::UserForce;

use glam::Vec3;

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
    /// As many as the estimate of the error asks for, at most [`MOST_AUTO`]: until it is below the tolerance, or where none
    /// is given below [`AUTO_TOLERANCE`] of the motion, with multipliers below [`MULTIPLIERS_TOLERANCE`]. Only
    /// `newton-multigrid` can tell.
    Auto,
    /// This many, at least one; with a tolerance the most.
    Fixed(u32),
}

impl From<Option<u32>> for Iterations {
    fn from(count: Option<u32>) -> Self {
        count.map_or(Self::Own, Self::Fixed)
    }
}

/// Chebyshev acceleration of the sweeps of `local-global` and the iterations of `vbd`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Chebyshev {
    /// Plain Jacobi sweeps.
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
    /// y, the minimiser of inertia, damping, air and handles without springs (x + h v + h^2 g where
    /// only gravity acts): keeps gravity when few sweeps follow.
    Inertial,
    /// x + h v.
    Velocity,
    /// x, as in Liu et al. 2013.
    Previous,
}

/// Which form of the network the kernels use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The grid form where the model is one regular grid, else the mesh form.
    #[default]
    Auto,
    /// Neighbours follow from the index. Only for a model that is one regular grid.
    Grid,
    /// Stored neighbours. Any model.
    Mesh,
}

/// Air resistance of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Density [kg/m^3]; 1.2 at sea level; 0 switches air off.
    pub density: f32,
    /// Coefficient along the normal; about 1.3 for a flat plate held against the wind.
    pub normal: f32,
    /// Coefficient along the surface; about 0.05 for cloth.
    pub tangential: f32,
}

impl Air {
    /// No air at all.
    pub const NONE: Air = Air { density: 0.0, normal: 1.3, tangential: 0.05 };
}

/// Solver, steps and forces of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The time integrator.
    pub solver: SolverKind,
    /// Length of a frame \[s\]; 1/60 by default.
    pub frame_time: f32,
    /// Substeps a frame.
    pub substeps: Substeps,
    /// Iterations a substep of an implicit solver.
    pub iterations: Iterations,
    /// `newton-multigrid` goes on until its error is at most about this part of the motion, or the iterations are used up:
    /// rms |x - x*| <= tolerance rms |y - (x_0 + h v)| over the free nodes, with x* the minimum that the substep looks for
    /// and y the place where a node would go without springs; where nothing but springs acts, x stands in place of y. The
    /// error is estimated ([`crate::solver::Convergence`]). Solvers of linear systems (`implicit-euler`, and
    /// `local-global` where it solves one in each iteration) end once the residual is below this part of what it is
    /// at the start.
    pub tolerance: Option<f32>,
    /// How linear systems are solved (`implicit-euler`, `local-global`), or in which order springs move (`xpbd`: at
    /// once by `Jacobi`, colour by colour by `GaussSeidel`); `None` for the solver's own choice.
    pub linear_solver: Option<LinearSolver>,
    /// Factor on the multipliers' changes (`xpbd`), above 0 and below 2; `None` for what suits the order of its springs.
    pub relaxation: Option<f32>,
    /// Whether `implicit-euler` leaves out of its matrix what compressed springs push sideways. Without, the matrix
    /// need not be positive definite, and conjugate gradients may stop short: to see why it is done.
    pub projection: bool,
    /// Steps of conjugate gradients in each iteration of `newton-multigrid`, every one with a multigrid cycle; 0 for
    /// the cycle alone, `None` for what suits the model ([`Settings::cg_steps`]).
    pub cg_steps: Option<u32>,
    /// Jacobi sweeps or steps of conjugate gradients of the global step per local step (`local-global`); `None` for
    /// one sweep or ten steps.
    pub sweeps: Option<u32>,
    /// Chebyshev acceleration (`local-global`, `vbd`).
    pub chebyshev: Chebyshev,
    /// Start vector (`newton-multigrid`, `local-global`, `vbd`, `implicit-euler`).
    pub start: Start,
    /// Form of the network.
    pub form: Form,
    /// Gravity [m/s^2].
    pub gravity: Vec3,
    /// Velocity of the wind [m/s].
    pub wind: Vec3,
    /// Air resistance.
    pub air: Air,
    /// Viscous mass damping [1/s]: force -damping m v.
    pub damping: f32,
    /// Viscous damping per node [N s/m], for raw networks: force -node_damping v.
    pub node_damping: f32,
    /// Drag [1/s]: v <- v exp(-drag h) after each step.
    pub drag: f32,
    /// A force on every node that the user has written.
    pub user_force: Option<UserForce>,
    /// Whether everything happens in a plane z = const, as classical systems in two dimensions do. Forces between nodes
    /// of such a plane have no z, so that z stays what it is to the last bit; what could leave the plane is refused.
    pub planar: bool,
    /// Run even where the step is beyond the stability limit.
    pub force: bool,
    /// The run is stopped once a spring is longer than this many rest lengths.
    pub largest_stretch: f32,
    /// What each copy of a batch has in place of gravity, wind, air, damping, node_damping and drag above; empty
    /// where all have these.
    pub copies: Vec<Surroundings>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            solver: SolverKind::NewtonMultigrid,
            frame_time: 1.0 / 60.0,
            substeps: Substeps::Auto,
            iterations: Iterations::Own,
            tolerance: None,
            linear_solver: None,
            relaxation: None,
            projection: true,
            cg_steps: None,
            sweeps: None,
            chebyshev: Chebyshev::Auto,
            start: Start::Auto,
            form: Form::Auto,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: Vec3::ZERO,
            air: Air::NONE,
            damping: 0.0,
            node_damping: 0.0,
            drag: 0.0,
            user_force: None,
            planar: false,
            force: false,
            largest_stretch: 20.0,
            copies: Vec::new(),
        }
    }
}

/// A setting that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{key} = {value}: {allowed}")]
pub struct SettingsError {
    /// The key as in a scene file.
    pub key: &'static str,
    /// The value found.
    pub value: String,
    /// What is allowed.
    pub allowed: &'static str,
}

/// Most iterations of [`Iterations::Auto`].
pub const MOST_AUTO: u32 = 40;
/// The error that [`Iterations::Auto`] goes on to, as a part of the motion \[1\].
pub const AUTO_TOLERANCE: f32 = 0.05;
/// The same where springs have multipliers. A multiplier takes up what is missing of its spring's tension iteration by
/// iteration: a few are enough for how the body moves, more bring stretch right.
pub const MULTIPLIERS_TOLERANCE: f32 = 0.002;
/// Iterations of a batch with multipliers, whose copies take the same number.
const ITERATIONS_WITH_MULTIPLIERS: u32 = 8;
/// Most iterations with a tolerance where the settings name no number.
const MOST_BY_TOLERANCE: u32 = 100;
/// The same of `implicit-euler` and `soft-constraint`, whose iterations are cheaper.
const MOST_LINEAR_BY_TOLERANCE: u32 = 500;
/// Most substeps in one frame: a frame is recorded into one command buffer.
pub const MAX_SUBSTEPS: u32 = 100_000;
/// Most steps of conjugate gradients in an iteration.
pub const MAX_CG_STEPS: u32 = 100;
/// Most local/global rounds, most sweeps a round, and most sweeps a substep.
pub const MAX_ITERATIONS: u32 = 100_000;

impl Settings {
    /// Checks every number for NaN, sign, range and size.
    pub fn check(&self) -> Result<(), SettingsError> {
        (0..self.copies.len() as u32).try_for_each(|copy| self.of_copy(copy).check())?;
        let not_negative = "it must be finite and not negative";
        let number = |key, x: f32, ok: bool, allowed| {
            if ok { Ok(()) } else { Err(SettingsError { key, value: x.to_string(), allowed }) }
        };
        let vector = |key, v: Vec3| {
            if v.is_finite() && v.abs().max_element() <= 1e6 {
                return Ok(());
            }
            let allowed = "three finite numbers, none above 1e6";
            Err(SettingsError { key, value: v.to_string(), allowed })
        };
        let count = |key, n: u32, most: u32, allowed| {
            if (1..=most).contains(&n) {
                return Ok(());
            }
            Err(SettingsError { key, value: n.to_string(), allowed })
        };
        let frame_ok = self.frame_time.is_finite() && (1e-7..=10.0).contains(&self.frame_time);
        number("frame-time", self.frame_time, frame_ok, "from 1e-7 to 10 s")?;
        if let Substeps::Fixed(n) = self.substeps {
            count("substeps", n, MAX_SUBSTEPS, "a whole number from 1 to 100000, or \"auto\"")?;
        }
        count(
            "iterations",
            self.iterations(),
            MAX_ITERATIONS,
            "a whole number from 1 to 100000, or \"auto\"",
        )?;
        if let Some(tolerance) = self.tolerance {
            number("tolerance", tolerance, tolerance > 0.0 && tolerance < 1.0, "above 0 and below 1")?;
        }
        if let Some(steps) = self.cg_steps.filter(|&steps| steps > MAX_CG_STEPS) {
            let allowed = "a whole number from 0 to 100";
            return Err(SettingsError { key: "cg-steps", value: steps.to_string(), allowed });
        }
        let cycles = self.iterations().saturating_mul(self.cg_steps.unwrap_or(0));
        count(
            "iterations * cg-steps",
            cycles.max(1),
            MAX_ITERATIONS,
            "at most 100000 cycles a substep in all",
        )?;
        let solvers = LinearSolver::of(self.solver);
        if let Some(solver) = self.linear_solver.filter(|s| !solvers.is_empty() && !solvers.contains(s)) {
            let allowed = match self.solver {
                SolverKind::Xpbd => "xpbd goes by \"jacobi\" or \"gauss-seidel\"",
                _ => "local-global goes by \"jacobi\" or \"conjugate-gradients\"",
            };
            return Err(SettingsError { key: "linear-solver", value: format!("\"{solver}\""), allowed });
        }
        count("sweeps", self.sweeps(), MAX_ITERATIONS, "a whole number from 1 to 100000")?;
        let rounds = if self.solver == SolverKind::LocalGlobal { self.iterations() } else { 1 };
        let total = rounds.saturating_mul(self.sweeps());
        count("iterations * sweeps", total, MAX_ITERATIONS, "at most 100000 sweeps a substep in all")?;
        if let Some(factor) = self.relaxation {
            number("relaxation", factor, factor > 0.0 && factor < 2.0, "above 0 and below 2")?;
        }
        if let Chebyshev::Radius(rho) = self.chebyshev {
            number("chebyshev", rho, rho > 0.0 && rho < 1.0, "\"auto\", \"off\" or above 0 and below 1")?;
        }
        vector("gravity", self.gravity)?;
        vector("wind", self.wind)?;
        for (key, v) in [("gravity", self.gravity), ("wind", self.wind)] {
            if self.planar && v.z != 0.0 {
                let allowed = "with planar = true nothing may push out of the plane: z must be 0";
                return Err(SettingsError { key, value: v.to_string(), allowed });
            }
        }
        for (key, x) in [
            ("air.density", self.air.density),
            ("air.normal", self.air.normal),
            ("air.tangential", self.air.tangential),
            ("damping", self.damping),
            ("node-damping", self.node_damping),
            ("drag", self.drag),
        ] {
            number(key, x, x.is_finite() && x >= 0.0, not_negative)?;
        }
        let stretch = self.largest_stretch;
        let above_one = "it must be a finite number above one: at rest a spring is one rest length long";
        number("largest-stretch", stretch, stretch.is_finite() && stretch > 1.0, above_one)
    }

    /// Iterations a substep, asked for or the solver's own; of `implicit-euler` those of its linear solver.
    pub fn iterations(&self) -> u32 {
        let own = match (self.tolerance, self.solver) {
            (Some(_), SolverKind::NewtonMultigrid) => MOST_BY_TOLERANCE,
            (Some(_), SolverKind::ImplicitEuler | SolverKind::SoftConstraint) => MOST_LINEAR_BY_TOLERANCE,
            _ => self.solver.default_iterations(),
        };
        match self.iterations {
            Iterations::Fixed(n) => n,
            Iterations::Auto if self.solver == SolverKind::NewtonMultigrid => MOST_AUTO,
            Iterations::Own | Iterations::Auto => own,
        }
    }

    /// The same for a model of so many copies, some of whose springs have multipliers (`model::Multipliers`) or none: with
    /// the number of iterations or the tolerance that suits it where none is asked for.
    pub fn for_multipliers(&self, any: bool, copies: u32) -> Self {
        let mut own = self.clone();
        let is_batch = copies > 1;
        match self.iterations {
            _ if self.solver != SolverKind::NewtonMultigrid => {}
            Iterations::Own if any && is_batch => {
                own.iterations = Iterations::Fixed(ITERATIONS_WITH_MULTIPLIERS);
            }
            Iterations::Own if any && self.tolerance.is_none() => own.iterations = Iterations::Auto,
            Iterations::Own | Iterations::Auto | Iterations::Fixed(_) => {}
        }
        if own.iterations == Iterations::Auto && own.solver == SolverKind::NewtonMultigrid {
            let enough = if any { MULTIPLIERS_TOLERANCE } else { AUTO_TOLERANCE };
            own.tolerance = own.tolerance.or(Some(enough));
        }
        own
    }

    /// Sweeps or steps of the global step per local step, asked for or what suits the linear solver.
    pub fn sweeps(&self) -> u32 {
        self.sweeps.unwrap_or(match (self.solver, self.linear_solver(), self.tolerance) {
            (SolverKind::LocalGlobal, LinearSolver::ConjugateGradients, Some(_)) => MOST_BY_TOLERANCE,
            (SolverKind::LocalGlobal, LinearSolver::ConjugateGradients, None) => 10,
            _ => 1,
        })
    }

    /// How linear systems are solved, asked for or the solver's own choice.
    pub fn linear_solver(&self) -> LinearSolver {
        let own = LinearSolver::of(self.solver).first().copied();
        self.linear_solver.or(own).unwrap_or(LinearSolver::Jacobi)
    }

    /// Factor on the multipliers' changes, asked for or what suits the order in which springs move.
    pub fn relaxation(&self) -> f32 {
        self.relaxation.unwrap_or(1.0)
    }

    /// The same with another time integrator, without a linear solver that it cannot use.
    pub fn with_solver(&self, solver: SolverKind) -> Self {
        let usable = |linear: &LinearSolver| LinearSolver::of(solver).contains(linear);
        Self { solver, linear_solver: self.linear_solver.filter(usable), ..self.clone() }
    }

    /// Whether the iterations of the solver end by the tolerance, where there is one.
    pub fn keeps_tolerance(&self) -> bool {
        match self.solver {
            SolverKind::NewtonMultigrid | SolverKind::ImplicitEuler | SolverKind::SoftConstraint => true,
            SolverKind::LocalGlobal => self.linear_solver() != LinearSolver::Jacobi,
            _ => false,
        }
    }

    /// Steps of conjugate gradients in each iteration of `newton-multigrid`, asked for or what suits the model: four
    /// where cycles alone would be slow ([`crate::hierarchy::takes_conjugate_gradients`]); else none.
    pub fn cg_steps(&self, takes_some: impl FnOnce() -> bool) -> u32 {
        self.cg_steps.unwrap_or_else(|| if takes_some() { 4 } else { 0 })
    }

    /// Whether air acts at all, on any copy.
    pub fn has_air(&self) -> bool {
        match self.copies.is_empty() {
            true => self.surroundings().has_air(),
            false => self.copies.iter().any(Surroundings::has_air),
        }
    }
}
