//! Time to a given accuracy: the error of one frame of each implicit solver to the converged step, against
//! the time of the frame.
//!
//! The converged step is the f64 minimizer of the same frame from the same f32 state. Errors are root mean
//! square distances over the nodes; the start error is that of x + h v.

use serde::Serialize;

use super::super::{Clock, alone, swing};
use super::budget::Budget;
use crate::Error;
use crate::model::Model;
use crate::reference::{Forces, State64, minimizer};
use crate::settings::{
    CHEBYSHEV, Chebyshev, FRAME_TIME, ITERATIONS, Iterations, LARGEST_STRETCH, START, SUBSTEPS, Settings,
    SolverKind, Start, Substeps,
};
use crate::simulation::Simulation;
use crate::state::State;

/// The error at which solvers are compared, as a fraction of the start error.
pub const GOAL: f64 = 0.05;

/// A solver with settings.
#[derive(Clone, Copy, Debug)]
struct Contender {
    label: &'static str,
    solver: SolverKind,
    chebyshev: Chebyshev,
    start: Start,
}

impl Contender {
    const fn new(label: &'static str, solver: SolverKind, chebyshev: Chebyshev, start: Start) -> Self {
        Self { label, solver, chebyshev, start }
    }
}

/// Settings worth comparing, each swept over the number of iterations. An implicit solver without a row here is
/// compared with its defaults.
const CONTENDERS: &[Contender] = &[
    Contender::new("Jacobi", SolverKind::LocalGlobal, Chebyshev::Off, Start::Auto),
    Contender::new("Chebyshev, 1 - (2/N)²", SolverKind::LocalGlobal, Chebyshev::Auto, Start::Auto),
    Contender::new("Chebyshev, ρ = .99", SolverKind::LocalGlobal, Chebyshev::Radius(0.99), Start::Auto),
    Contender::new("Chebyshev, ρ = .999", SolverKind::LocalGlobal, Chebyshev::Radius(0.999), Start::Auto),
    Contender::new("Chebyshev, ρ = .9999", SolverKind::LocalGlobal, Chebyshev::Radius(0.9999), Start::Auto),
    Contender::new("vbd", SolverKind::Vbd, Chebyshev::Off, Start::Auto),
    Contender::new("vbd, ρ = .7", SolverKind::Vbd, Chebyshev::Radius(0.7), Start::Auto),
    Contender::new("vbd, ρ = .9", SolverKind::Vbd, Chebyshev::Radius(0.9), Start::Auto),
    Contender::new("vbd, ρ = .95", SolverKind::Vbd, Chebyshev::Radius(0.95), Start::Auto),
];

/// Iterations of the runs, which end when one is accurate or takes too long.
const LADDER: &[u32] = &[
    1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000, 1400, 2000, 3000, 5000, 7000,
    10_000, 14_000, 20_000,
];

/// A frame with one number of iterations.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Iterations.
    pub iterations: u32,
    /// Median time of the frame \[s\].
    pub seconds: f64,
    /// Root mean square distance to the converged step \[m\]; `None` if it is not finite.
    pub error: Option<f64>,
}

/// All runs of one solver with one set of settings.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// Name of the settings.
    pub label: &'static str,
    /// Name of the solver.
    pub solver: &'static str,
    /// The runs, by iterations.
    pub runs: Vec<Run>,
    /// The fastest run within the goal.
    pub reached: Option<Run>,
    /// The time of that run over that of the fastest of all curves. If the goal was not reached, the time of the
    /// longest run is used, and the true ratio is larger.
    pub ratio: Option<f64>,
}

/// One size of the frame.
#[derive(Clone, Debug, Serialize)]
pub struct Accuracy {
    /// Nodes along a side.
    pub side: u32,
    /// Start error: root mean square distance of x + h v to the converged step \[m\].
    pub start_error: f64,
    /// Time of the f64 minimizer on the CPU \[s\].
    pub minimizer_seconds: f64,
    /// Largest residual force at any node of the minimizer \[N\].
    pub minimizer_residual: f64,
    /// The curves.
    pub curves: Vec<Curve>,
}

impl Accuracy {
    /// The error that counts as accurate \[m\].
    pub fn goal(&self) -> f64 {
        GOAL * self.start_error
    }
}

/// Predicts the time \[s\] of the minimizer with `side` nodes along a side, from the largest size so far.
pub fn predicted(found: &[Accuracy], side: u32) -> f64 {
    // Twice the side takes four times the nodes, twice the conjugate gradients and about twice the Newton steps.
    found.last().map_or(0.0, |last| last.minimizer_seconds * (f64::from(side) / f64::from(last.side)).powi(4))
}

/// Measures the frame with `side` by `side` nodes; after the minimizer, within `part` of the time left.
pub fn measure(
    clock: &Clock<'_>,
    side: u32,
    whole: &Budget,
    part: f64,
    progress: &mut dyn FnMut(&str),
) -> Result<Accuracy, Error> {
    let (model, state) = swing::sheet(side)?;
    progress(&format!("f64 minimizer of the frame at {side} x {side} nodes, on the CPU"));
    let start = std::time::Instant::now();
    let h = f64::from(swing::FRAME);
    let settings = alone(SolverKind::default());
    let forces = Forces::of(&model, &settings);
    let before = State64::from(&state);
    // Every node is within a tenth of a micrometer of the position where its forces balance.
    let tolerance = 1e-7 * forces.mass(0) / (h * h);
    let exact = minimizer::implicit_step(&forces, h, &before, tolerance);
    let mut found = Accuracy {
        side,
        start_error: 0.0,
        minimizer_seconds: start.elapsed().as_secs_f64(),
        minimizer_residual: exact.residual,
        curves: Vec::new(),
    };
    let distance = |position: &mut dyn Iterator<Item = glam::DVec3>| -> f64 {
        let squares: f64 = position.zip(&exact.position).map(|(x, y)| (x - *y).length_squared()).sum();
        (squares / exact.position.len() as f64).sqrt()
    };
    let coast = before.position.iter().zip(&before.velocity).map(|(x, v)| *x + h * *v);
    found.start_error = distance(&mut { coast });

    let budget = Budget::seconds(whole.share(part));
    let contenders = contenders();
    let count = contenders.len();
    for (index, contender) in contenders.into_iter().enumerate() {
        let share = budget.share(1.0 / (count - index) as f64);
        let error = |state: &State| distance(&mut state.position.iter().map(|x| x.as_dvec3()));
        let curve = Measured { clock, model: &model, state: &state, error: &error, goal: found.goal() }
            .curve(&contender, &Budget::seconds(share), &mut |what| {
                progress(&format!("accuracy at {side} x {side}: {what}"))
            })?;
        found.curves.push(curve);
    }
    found.rank();
    Ok(found)
}

/// [`CONTENDERS`], and every other implicit solver.
fn contenders() -> Vec<Contender> {
    let listed = |solver: SolverKind| CONTENDERS.iter().any(|c| c.solver == solver);
    let others = SolverKind::ALL.into_iter().filter(|solver| !solver.is_explicit() && !listed(*solver));
    let other = |solver: SolverKind| Contender::new(solver.name(), solver, Chebyshev::Auto, Start::Auto);
    CONTENDERS.iter().copied().chain(others.map(other)).collect()
}

struct Measured<'a> {
    clock: &'a Clock<'a>,
    model: &'a Model,
    state: &'a State,
    error: &'a dyn Fn(&State) -> f64,
    goal: f64,
}

impl Measured<'_> {
    fn curve(
        &self,
        contender: &Contender,
        budget: &Budget,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Curve, Error> {
        let Contender { label, solver, chebyshev, start } = *contender;
        let mut curve = Curve { label, solver: solver.name(), runs: Vec::new(), reached: None, ratio: None };
        // The watchdogs of some drivers end long submissions.
        let longest = if self.clock.gpu.is_software() { f64::INFINITY } else { 1.0 };
        let mut broken = 0;
        for &iterations in LADDER {
            if let Some(last) = curve.runs.last() {
                let next = last.seconds * f64::from(iterations) / f64::from(last.iterations);
                let whole = next * f64::from(self.clock.repeats + 2);
                if next > longest || whole > budget.left() || broken > 2 {
                    break;
                }
            }
            progress(&format!("{label}, {iterations} iterations"));
            let settings = alone(solver)
                .with(CHEBYSHEV, chebyshev)
                .with(START, start)
                .with(ITERATIONS, Iterations::Fixed(iterations))
                .with(FRAME_TIME, swing::FRAME)
                .with(SUBSTEPS, Substeps::Fixed(1))
                .with(LARGEST_STRETCH, 1e9);
            let run = self.run(&settings)?;
            broken += u32::from(run.error.is_none());
            let error = run.error.unwrap_or(f64::INFINITY);
            if error < self.goal && curve.reached.as_ref().is_none_or(|r| run.seconds < r.seconds) {
                curve.reached = Some(run.clone());
            }
            curve.runs.push(run);
            // Below that, the distance may be to a neighboring minimum.
            if error < 0.4 * self.goal {
                break;
            }
        }
        Ok(curve)
    }

    fn run(&self, settings: &Settings) -> Result<Run, Error> {
        let mut simulation = Simulation::new(self.clock.gpu, self.model, settings)?;
        let mut times = Vec::new();
        for _ in 0..=self.clock.repeats {
            simulation.set_state(self.state)?;
            times.push(self.clock.frame(&mut simulation)?.seconds);
        }
        let error = (self.error)(&simulation.state()?);
        let seconds = super::super::median(&mut times[1..]);
        Ok(Run { iterations: settings.iterations(), seconds, error: error.is_finite().then_some(error) })
    }
}

impl Accuracy {
    /// Fills in the ratios to the fastest curve.
    fn rank(&mut self) {
        let fastest = self.curves.iter().filter_map(|c| c.reached.as_ref()).map(|r| r.seconds);
        let Some(fastest) = fastest.reduce(f64::min) else { return };
        for curve in &mut self.curves {
            let spent = curve.reached.as_ref().or(curve.runs.last());
            curve.ratio = spent.map(|run| run.seconds / fastest);
        }
    }
}
