//! Throughput: GPU time of each solver's substep and sweep, next to two lower bounds from the same run, by a
//! copy kernel's bandwidth and by dependent dispatches.

mod batch;
mod design;
mod floors;
pub mod report;
mod scene;
mod swing;
pub mod truth;

pub use batch::Batch;
pub use floors::Floors;

use serde::Serialize;

use crate::Error;
use crate::gpu::{Gpu, GpuError, Pass, Timer};
use crate::settings::{CONTACT, Chebyshev, FORCE, FORM, Form, SUBSTEPS, Settings, SolverKind, Substeps};
use crate::simulation::Simulation;

/// Options of the measurement.
#[derive(Clone, Debug)]
pub struct Options {
    /// Numbers of nodes, each rounded to a square.
    pub nodes: Vec<u32>,
    /// Solvers.
    pub solvers: Vec<SolverKind>,
    /// Forms of the network.
    pub forms: Vec<Form>,
    /// Numbers of copies of a 16 x 16 cloth, stepped as a batch and one after another.
    pub copies: Vec<u32>,
    /// Repetitions, of which the median counts.
    pub repeats: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nodes: vec![100_000, 1_000_000],
            solvers: SolverKind::ALL.to_vec(),
            forms: vec![Form::Grid, Form::Mesh],
            copies: vec![256],
            repeats: 5,
        }
    }
}

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of springs.
    pub springs: usize,
    /// Name of the solver.
    pub solver: &'static str,
    /// "grid" or "mesh".
    pub form: &'static str,
    /// The unit of work: "substep", "iteration", "plain sweep" or "default sweep".
    pub unit: &'static str,
    /// Time of one unit \[us\].
    pub microseconds: f64,
    /// Dispatches of one unit.
    pub dispatches: u32,
    /// Bytes that one unit must move by design.
    pub bytes: Option<u64>,
    /// Those bytes over the copy kernel's bandwidth at this size \[us\].
    pub bytes_floor: Option<f64>,
    /// Time of as many dependent dispatches \[us\].
    pub launch_floor: f64,
    /// The unit's bandwidth over the copy kernel's.
    pub bandwidth_ratio: Option<f64>,
}

/// All measurements of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Adapter, driver and backend.
    pub adapter: String,
    /// Whether times are GPU time (from timestamps), not wall time.
    pub gpu_time: bool,
    /// Whether shaders checked every index.
    pub bounds_checks: bool,
    /// Copy bandwidth [B/s] by number of nodes.
    pub copy_bandwidth: Vec<(u32, f64)>,
    /// Time of a dependent dispatch \[us\].
    pub launch: f64,
    /// The measurements.
    pub rows: Vec<Row>,
    /// Batches of small cloths.
    pub batches: Vec<Batch>,
}

/// Measures everything; calls `progress` with a description of the next measurement.
pub fn run(
    gpu: &Gpu,
    options: &Options,
    bounds_checks: bool,
    mut progress: impl FnMut(&str),
) -> Result<Report, Error> {
    let clock = Clock::new(gpu, options.repeats)?;
    progress("launch floor");
    let launch = floors::launch(&clock)?;
    let mut report = Report {
        adapter: gpu.description(),
        gpu_time: clock.timer.is_some(),
        bounds_checks,
        copy_bandwidth: Vec::new(),
        launch: launch * 1e6,
        rows: Vec::new(),
        batches: Vec::new(),
    };
    for &nodes in &options.nodes {
        let model = scene::sheet(nodes)?;
        let nodes = model.node_count() as u32;
        progress(&format!("copy floor at {nodes} nodes"));
        let bandwidth = floors::copy(&clock, nodes)?;
        report.copy_bandwidth.push((nodes, bandwidth));
        let floors = Floors { bandwidth, launch };
        for &form in &options.forms {
            for &solver in &options.solvers {
                progress(&format!("{solver}, {} form, {nodes} nodes", scene::form_name(form)));
                let found = scene::measure(&clock, &model, solver, form)?;
                report.rows.extend(found.into_iter().map(|unit| unit.row(&floors)));
            }
        }
    }
    for &copies in &options.copies {
        for &solver in &options.solvers {
            progress(&format!("{solver}, {copies} copies"));
            report.batches.push(batch::measure(gpu, solver, copies, options.repeats)?);
        }
    }
    Ok(report)
}

/// Times of a frame \[s\].
pub(crate) struct FrameTimes {
    /// GPU time if there are timestamps, otherwise wall time.
    seconds: f64,
    /// CPU time until the frame is submitted.
    recording: f64,
}

/// Measures the time of passes.
pub(crate) struct Clock<'g> {
    gpu: &'g Gpu,
    timer: Option<Timer>,
    repeats: u32,
}

impl<'g> Clock<'g> {
    /// A clock for this GPU, with medians of `repeats` times.
    pub(crate) fn new(gpu: &'g Gpu, repeats: u32) -> Result<Self, GpuError> {
        Ok(Self { gpu, timer: Timer::new(gpu)?, repeats })
    }

    /// The GPU.
    pub(crate) fn gpu(&self) -> &'g Gpu {
        self.gpu
    }

    /// Whether times are GPU time.
    pub(crate) fn has_timestamps(&self) -> bool {
        self.timer.is_some()
    }

    /// Steps one frame and returns its time \[s\].
    pub(crate) fn seconds(&self, simulation: &mut Simulation) -> Result<f64, Error> {
        Ok(self.frame(simulation)?.seconds)
    }

    /// Median time \[s\] of a recorded pass, after a warm-up run.
    fn median(&self, mut record: impl FnMut(&mut Pass<'_>)) -> Result<f64, GpuError> {
        let mut times = Vec::new();
        for repeat in 0..=self.repeats {
            let seconds = self.once(&mut record)?;
            if repeat > 0 {
                times.push(seconds);
            }
        }
        Ok(median(&mut times))
    }

    /// Median times of a frame, after a warm-up frame.
    fn median_frame(&self, simulation: &mut Simulation) -> Result<FrameTimes, Error> {
        self.frame(simulation)?;
        let mut times = Vec::new();
        for _ in 0..self.repeats {
            self.rehearse(simulation);
            times.push(self.frame(simulation)?);
        }
        let middle = |of: fn(&FrameTimes) -> f64| median(&mut times.iter().map(of).collect::<Vec<_>>());
        Ok(FrameTimes { seconds: middle(|t| t.seconds), recording: middle(|t| t.recording) })
    }

    /// Records a frame a few times without submitting it, to warm up the caches of the CPU: a software driver runs
    /// shaders on the same cores and evicts their data.
    fn rehearse(&self, simulation: &Simulation) {
        for _ in 0..3 {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let mut pass = Pass::begin(&mut encoder, "rehearsal", None);
            (0..simulation.substeps()).for_each(|substep| simulation.record_substep(&mut pass, substep));
            drop(pass);
            drop(encoder.finish());
        }
    }

    /// The times of a frame.
    fn frame(&self, simulation: &mut Simulation) -> Result<FrameTimes, Error> {
        self.gpu.wait()?;
        let start = std::time::Instant::now();
        simulation.step_timed(self.timer.as_ref())?;
        let recording = start.elapsed().as_secs_f64();
        self.gpu.wait()?;
        let seconds = match &self.timer {
            Some(timer) => timer.seconds(self.gpu)?,
            None => start.elapsed().as_secs_f64(),
        };
        Ok(FrameTimes { seconds, recording })
    }

    /// Time \[s\] of one pass: GPU time if there are timestamps, otherwise wall time.
    fn once(&self, record: &mut impl FnMut(&mut Pass<'_>)) -> Result<f64, GpuError> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        record(&mut Pass::begin(&mut encoder, "bench", self.timer.as_ref()));
        if let Some(timer) = &self.timer {
            timer.resolve(&mut encoder);
        }
        let start = std::time::Instant::now();
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait()?;
        match &self.timer {
            Some(timer) => timer.seconds(self.gpu),
            None => Ok(start.elapsed().as_secs_f64()),
        }
    }
}

/// GPU time \[s\] of `count` units of work, for benchmark harnesses with their own clocks: substeps of an
/// explicit solver, iterations of an implicit one.
pub fn time_units(gpu: &Gpu, nodes: u32, solver: SolverKind, form: Form, count: u32) -> Result<f64, Error> {
    let clock = Clock::new(gpu, 1)?;
    let model = scene::sheet(nodes)?;
    let settings = scene::settings(solver, form, count, Chebyshev::Off);
    let simulation = Simulation::new(gpu, &model, &settings)?;
    let substeps = if solver.is_explicit() { count } else { 1 };
    Ok(clock.median(|pass| (0..substeps).for_each(|s| simulation.record_substep(pass, s)))?)
}

/// The median of values.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Settings with a fixed step, forced beyond the stability limit, because the work is the same.
fn fixed(solver: SolverKind, form: Form) -> Settings {
    alone(solver).with(FORM, form).with(SUBSTEPS, Substeps::Fixed(1)).with(FORCE, true)
}

/// A solver without contact between surfaces, which what is measured has no use for.
fn alone(solver: SolverKind) -> Settings {
    Settings::of(solver).with(CONTACT, false)
}
