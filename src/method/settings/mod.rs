//! How a model is simulated: the method and what it has of its own, how time is stepped, what acts on everything.
//!
//! Everything here may differ between two runs of the same model.

pub mod key;
mod linear_solver;
mod registry;
mod shared;
mod step;
pub mod table;
mod user_force;
mod values;
mod world;

pub use key::MOST_COMPONENT;
pub use linear_solver::LinearSolver;
pub use registry::{all, simulation, world};
pub use shared::{CHEBYSHEV, ITERATIONS, LINEAR_SOLVER, START, TOLERANCE};
pub use step::{CONTACT, FORCE, FORM, FRAME_TIME, LARGEST_STRETCH, PLANAR, SOLVER, SUBSTEPS, Step};
pub use user_force::UserForce;
pub use values::{Chebyshev, Form, Iterations, Start, Substeps};
pub use world::{AIR, Air, DAMPING, DRAG, GRAVITY, NODE_DAMPING, WIND, World};

pub use crate::method::{CG_STEPS, PROJECTION, RELAXATION, SWEEPS, SolverKind};

use std::collections::BTreeMap;

use key::{Given, Key, Place, Refused, Spec, Value};

/// Solver, steps and forces of a run.
///
/// ```
/// use taffeta::settings::{DRAG, ITERATIONS, Iterations, Settings, SolverKind};
///
/// let mut settings = Settings::of(SolverKind::Vbd).with(ITERATIONS, Iterations::Fixed(100)).with(DRAG, 0.5);
/// settings.world.gravity.y = -1.62;
/// assert_eq!(settings.iterations(), 100);
/// assert_eq!(settings.get(DRAG), Some(0.5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The time integrator.
    pub solver: SolverKind,
    /// How time is stepped, whatever the method.
    pub step: Step,
    /// What acts on every node.
    pub world: World,
    /// A force on every node that the user has written.
    pub user_force: Option<UserForce>,
    /// What each copy of a batch has in place of [`Settings::world`]; empty where all have that.
    pub copies: Vec<World>,
    /// What is given of the keys of methods.
    pub own: Own,
}

/// Values of keys of methods, by name: those that are given ([`Settings::set`]). Keys that the method has no use for are
/// kept, so that another one, put in its place, finds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own(BTreeMap<&'static str, Given>);

impl Default for Settings {
    fn default() -> Self {
        Self::of(SolverKind::default())
    }
}

/// A setting that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{key} = {value}: {allowed}")]
pub struct SettingsError {
    /// The key as in a scene file.
    pub key: String,
    /// The value found.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
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
/// Most substeps in one frame: a frame is recorded into one command buffer.
pub const MAX_SUBSTEPS: u32 = 100_000;
/// Most iterations a substep, and most sweeps or cycles of all of them together.
pub const MAX_ITERATIONS: u32 = 100_000;

impl Settings {
    /// A solver with the defaults of everything.
    pub fn of(solver: SolverKind) -> Self {
        Self {
            solver,
            step: Step::default(),
            world: World::default(),
            user_force: None,
            copies: Vec::new(),
            own: Own::default(),
        }
    }

    /// The same with another value of a key; `None` takes it away.
    pub fn with<T: Value>(mut self, key: Key<T>, value: impl Into<Option<T>>) -> Self {
        self.set(key, value);
        self
    }

    /// The same with a force on every node in WGSL; errors name `file`.
    pub fn with_user_force(self, file: impl Into<String>, text: &str) -> Self {
        Self { user_force: Some(UserForce::new(file, 1, text)), ..self }
    }

    /// Sets a key; `None` takes what is given away.
    pub fn set<T: Value>(&mut self, key: Key<T>, value: impl Into<Option<T>>) {
        self.put(key.spec, value.into().and_then(T::given));
    }

    /// What is given for a key; of [`Settings::step`] and [`Settings::world`] always a value.
    pub fn get<T: Value>(&self, key: Key<T>) -> Option<T> {
        self.given(key.spec).and_then(|given| T::of(&given))
    }

    /// The same, or what stands for "not given".
    pub fn value<T: Value + Default>(&self, key: Key<T>) -> T {
        self.get(key).unwrap_or_default()
    }

    /// [`Settings::set`] for a value of any kind.
    pub fn put(&mut self, spec: &'static Spec, given: Option<Given>) {
        match (spec.place, given) {
            (Place::Field(_, set), Some(given)) => set(self, given),
            (Place::Field(_, set), None) => {
                if let Some(default) = Self::default().given(spec) {
                    set(self, default);
                }
            }
            (Place::Own, Some(given)) => drop(self.own.0.insert(spec.name, given)),
            (Place::Own, None) => drop(self.own.0.remove(spec.name)),
        }
    }

    /// [`Settings::get`] for a value of any kind.
    pub fn given(&self, spec: &Spec) -> Option<Given> {
        match spec.place {
            Place::Field(get, _) => Some(get(self)),
            Place::Own => self.own.0.get(spec.name).cloned(),
        }
    }

    /// Keys of what is given and what the solver has no use for.
    pub fn idle(&self) -> Vec<&'static str> {
        let takes = |name: &str| self.solver.takes(self, name);
        self.own.0.keys().copied().filter(|name| !takes(name)).collect()
    }

    /// Checks every number for NaN, sign, range and size.
    pub fn check(&self) -> Result<(), SettingsError> {
        (0..self.copies.len() as u32).try_for_each(|copy| self.of_copy(copy).check())?;
        for spec in registry::all() {
            let Some(Refused { part, value, allowed }) =
                self.given(spec).and_then(|given| spec.kind.refuses(&given))
            else {
                continue;
            };
            let key = part.map_or_else(|| spec.name.to_owned(), |part| format!("{}.{part}", spec.name));
            return Err(SettingsError { key, value, allowed });
        }
        for (spec, v) in [(GRAVITY.spec, self.world.gravity), (WIND.spec, self.world.wind)] {
            if self.step.planar && v.z != 0.0 {
                let allowed = "with planar = true nothing may push out of the plane: z must be 0";
                return Err(SettingsError::new(spec.name, v, allowed));
            }
        }
        let solvers = self.solver.linear_solvers();
        if let Some(solver) = self.get(LINEAR_SOLVER).filter(|s| !solvers.is_empty() && !solvers.contains(s))
        {
            let names: Vec<String> = solvers.iter().map(|solver| format!("\"{solver}\"")).collect();
            let allowed = format!("{} goes by {}", self.solver, names.join(" or "));
            return Err(SettingsError::new(LINEAR_SOLVER.spec.name, format!("\"{solver}\""), allowed));
        }
        self.solver.check(self)
    }

    /// Whether surfaces touch each other and themselves. All triangles of a planar scene lie in one plane, where they cannot.
    pub fn has_contact(&self) -> bool {
        self.step.contact && !self.step.planar
    }

    /// Iterations a substep, or the solver's default; for `implicit-euler` those of its linear solver.
    pub fn iterations(&self) -> u32 {
        match self.value(ITERATIONS) {
            Iterations::Fixed(n) => n,
            Iterations::Auto if self.solver.estimates_error() => MOST_AUTO,
            Iterations::Own | Iterations::Auto if self.get(TOLERANCE).is_some() => {
                self.solver.most_iterations()
            }
            Iterations::Own | Iterations::Auto => self.solver.default_iterations(),
        }
    }

    /// The vector that an iteration starts from: never [`Start::Auto`].
    pub fn start(&self) -> Start {
        match self.get(START) {
            None | Some(Start::Auto) => self.solver.default_start(),
            Some(start) => start,
        }
    }

    /// How linear systems are solved, or the solver's default.
    pub fn linear_solver(&self) -> LinearSolver {
        let own = self.solver.linear_solvers().first().copied();
        self.get(LINEAR_SOLVER).or(own).unwrap_or(LinearSolver::Jacobi)
    }

    /// Sweeps or steps of an iteration, or the default of the linear solver.
    pub fn sweeps(&self) -> u32 {
        self.get(SWEEPS).unwrap_or_else(|| self.solver.default_sweeps(self))
    }

    /// Whether the iterations of the solver end by the tolerance, where there is one.
    pub fn keeps_tolerance(&self) -> bool {
        self.solver.keeps_tolerance(self)
    }

    /// The same for a model of so many copies, some of whose springs have multipliers (`model::Multipliers`) or none: with
    /// the number of iterations or the tolerance that suits it where none is asked for.
    pub fn for_multipliers(&self, any: bool, copies: u32) -> Self {
        let mut own = self.clone();
        if !self.solver.estimates_error() {
            return own;
        }
        let is_batch = copies > 1;
        match self.value(ITERATIONS) {
            Iterations::Own if any && is_batch => {
                own.set(ITERATIONS, Iterations::Fixed(ITERATIONS_WITH_MULTIPLIERS));
            }
            Iterations::Own if any && self.get(TOLERANCE).is_none() => own.set(ITERATIONS, Iterations::Auto),
            Iterations::Own | Iterations::Auto | Iterations::Fixed(_) => {}
        }
        if own.get(ITERATIONS) == Some(Iterations::Auto) {
            let enough = if any { MULTIPLIERS_TOLERANCE } else { AUTO_TOLERANCE };
            own.set(TOLERANCE, own.get(TOLERANCE).unwrap_or(enough));
        }
        own
    }

    /// The same with another time integrator, without a linear solver that it cannot use.
    pub fn with_solver(&self, solver: SolverKind) -> Self {
        let usable = |linear: &LinearSolver| solver.linear_solvers().contains(linear);
        let linear = self.get(LINEAR_SOLVER).filter(usable);
        Self { solver, ..self.clone() }.with(LINEAR_SOLVER, linear)
    }

    /// What acts on one copy.
    pub fn world_of(&self, copy: u32) -> World {
        self.copies.get(copy as usize).copied().unwrap_or(self.world)
    }

    /// The settings of one copy, as if it were alone.
    pub fn of_copy(&self, copy: u32) -> Settings {
        Settings { world: self.world_of(copy), copies: Vec::new(), ..self.clone() }
    }

    /// Whether air acts at all, on any copy.
    pub fn has_air(&self) -> bool {
        match self.copies.is_empty() {
            true => self.world.has_air(),
            false => self.copies.iter().any(World::has_air),
        }
    }
}

impl SettingsError {
    /// A key with a value that is not allowed.
    pub fn new(key: impl Into<String>, value: impl ToString, allowed: impl Into<String>) -> Self {
        Self { key: key.into(), value: value.to_string(), allowed: allowed.into() }
    }

    /// Two keys whose product is too large.
    pub fn product(keys: [&str; 2], product: u32, allowed: &str) -> Result<(), Self> {
        match product <= MAX_ITERATIONS {
            true => Ok(()),
            false => Err(Self::new(keys.join(" * "), product, allowed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn what_a_solver_cannot_use_is_named() {
        let settings = |solver| {
            Settings::of(solver).with(ITERATIONS, Iterations::Fixed(3)).with(TOLERANCE, 0.1).with(CG_STEPS, 2)
        };
        assert_eq!(settings(SolverKind::Verlet).idle(), ["cg-steps", "iterations", "tolerance"]);
        assert_eq!(settings(SolverKind::Vbd).idle(), ["cg-steps", "tolerance"]);
        assert!(settings(SolverKind::NewtonMultigrid).idle().is_empty());
    }

    #[test]
    fn every_key_is_kept_and_taken_away() {
        let all = registry::all();
        for (index, spec) in all.iter().enumerate() {
            let is_new = all[..index].iter().all(|other| other.name != spec.name);
            assert!(is_new, "{} stands there twice", spec.name);
            let told = |spec: &key::Spec| (spec.kind.range(), spec.unit, spec.default, spec.help);
            for used in SolverKind::ALL.iter().filter_map(|kind| kind.usage(spec.name)) {
                assert_eq!(told(used.spec), told(spec), "two keys are called {}", spec.name);
            }
            let plain = Settings::default();
            let value = match &spec.kind {
                key::Kind::Count { most, .. } => Given::Count(*most),
                key::Kind::Number { words: [], .. } => Given::Number(0.75),
                key::Kind::Number { words, .. } => Given::Word(words[1]),
                key::Kind::Flag => Given::Flag(plain.given(spec) != Some(Given::Flag(true))),
                key::Kind::Words(words) => Given::Word(words()[1].0),
                key::Kind::Vector => Given::Vector(Vec3::ONE),
                key::Kind::Air => Given::Air(Air { density: 1.0, ..Air::NONE }),
            };
            let mut settings = plain.clone();
            settings.put(spec, Some(value.clone()));
            assert_eq!(settings.given(spec), Some(value), "{}", spec.name);
            settings.put(spec, None);
            assert_eq!(settings, plain, "{}", spec.name);
        }
    }
}
