//! `taffeta check --crossings`: where cloth crosses itself, frame by frame.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use taffeta::Model;
use taffeta::glam::Vec3;
use taffeta::gpu::Requirements;
use taffeta::measure::crossings::{Checker, Crossing, Crossings, crossings};
use taffeta::scene::Scene;
use taffeta::settings::SolverKind;
use taffeta::simulation::Simulation;

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::progress::Progress;
use super::run::frame_count;
use super::{interrupt, note, print};

/// The number of crossings at `position`; `None` if the model has no surface that could have any.
pub fn at_end(model: &Model, position: &[Vec3]) -> Option<usize> {
    let has_surface = !model.triangles().is_empty();
    has_surface.then(|| crossings(model, position).count)
}

/// What a summary says of a state with crossings.
pub fn crosses(count: usize) -> String {
    format!("crosses itself in {}", places(count))
}

/// "1 place", "12 places".
fn places(count: usize) -> String {
    format!("{count} place{}", if count == 1 { "" } else { "s" })
}

/// The count of a run. Field names are the keys of the JSON object.
#[derive(Serialize)]
struct Report {
    scene: String,
    adapter: String,
    #[serde(serialize_with = "by_name")]
    solver: SolverKind,
    /// Whether the run reached its end.
    complete: bool,
    /// Frames run; the start is counted, too.
    frames: u64,
    /// Simulated time, and the time asked for [s].
    time: f64,
    seconds: f64,
    /// States with crossings: of the start and of all frames.
    crossed: u64,
    /// The first state with crossings and the one with the most, if there is any.
    first: Option<Frame>,
    worst: Option<Frame>,
    /// Crossings at the end.
    last: usize,
}

fn by_name<S: serde::Serializer>(solver: &SolverKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(solver.name())
}

/// A state with crossings.
#[derive(Clone, Serialize)]
struct Frame {
    frame: u64,
    time: f64,
    count: usize,
    /// The number for each pair of bodies.
    bodies: Vec<Pair>,
    examples: Vec<Example>,
}

#[derive(Clone, Serialize)]
struct Pair {
    bodies: [String; 2],
    count: usize,
}

#[derive(Clone, Serialize)]
struct Example {
    edge: [u32; 2],
    triangle: [u32; 3],
    /// The bodies of edge and triangle.
    bodies: [String; 2],
    point: [f64; 3],
    #[serde(skip)]
    text: String,
}

/// Runs the scene and counts.
pub fn run(
    scene: &Scene,
    path: &Path,
    gpu: &GpuArgs,
    requirements: Requirements,
    json: bool,
) -> Result<ExitCode, Failure> {
    if scene.model.triangles().is_empty() {
        let message =
            "no body of the scene has triangles, and only those can cross; ropes and nets have none";
        return Err(Failure::input(format!("--crossings {}", path.display()), message));
    }
    let gpu = gpu.open(requirements)?;
    let mut simulation = Simulation::new(&gpu, &scene.model, &scene.settings)?;
    interrupt::watch()?;
    let report = simulate(scene, &mut simulation, &Checker::new(&scene.model))?;
    print(&match json {
        // Plain fields and string keys cannot fail.
        true => serde_json::to_string_pretty(&report).unwrap_or_default() + "\n",
        false => report.text(scene),
    })?;
    if !report.complete {
        note(&format!("interrupted at {:.3} s of {:.3} s\n", report.time, report.seconds));
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    match (&report.first, &report.worst) {
        (Some(first), Some(worst)) => {
            let how = crosses(worst.count);
            Err(Failure::Run(format!("{} {how} at worst, first at {:.4} s", report.scene, first.time)))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Runs to the end, or to Ctrl-C.
fn simulate(scene: &Scene, simulation: &mut Simulation, checker: &Checker) -> Result<Report, Failure> {
    let frames = frame_count(scene.seconds, scene.settings.step.frame_time.into());
    let mut progress = Progress::start(frames, scene.seconds);
    let mut report = Report {
        scene: scene.name.clone(),
        adapter: simulation.gpu().description(),
        solver: simulation.settings().solver,
        complete: false,
        frames: 0,
        time: 0.0,
        seconds: scene.seconds,
        crossed: 0,
        first: None,
        worst: None,
        last: 0,
    };
    for frame in 0..=frames {
        let asked = simulation.ask_state().zip(simulation.ask_outcomes());
        let is_last = frame == frames || interrupt::requested();
        if !is_last {
            // The GPU computes the next frame while this one is counted.
            simulation.step()?;
        }
        let (state, outcomes) = asked.wait()?;
        let stretch = simulation.verdict(&outcomes)?;
        report.add(&scene.model, frame, state.time, &checker.count(&state.position));
        if progress.is_due() {
            progress.show(frame, state.time, simulation.substeps_done(), stretch);
        }
        if is_last {
            break;
        }
    }
    report.complete = report.frames == frames;
    Ok(report)
}

impl Report {
    /// Counts one more state.
    fn add(&mut self, model: &Model, frame: u64, time: f64, found: &Crossings) {
        (self.frames, self.time, self.last) = (frame, time, found.count);
        if found.count == 0 {
            return;
        }
        self.crossed += 1;
        if self.worst.as_ref().is_none_or(|worst| found.count > worst.count) {
            self.worst = Some(Frame::new(model, frame, time, found));
        }
        if self.first.is_none() {
            self.first = self.worst.clone();
        }
    }

    /// Lines for people.
    fn text(&self, scene: &Scene) -> String {
        let (n, solver, adapter) = (self.frames, self.solver, &self.adapter);
        let mut text = format!(
            "{}\n{}crossings at the start and after each of {n} frames of {solver}, on {adapter}\n\n",
            scene.name, scene.summary
        );
        let (Some(first), Some(worst)) = (&self.first, &self.worst) else {
            return text + "no crossings\n";
        };
        let mut line = |name: &str, value: String| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name:<10}{value}");
        };
        let when = |frame: u64, time: f64, count: usize| match frame {
            0 => format!("at the start, in {}", places(count)),
            n => format!("frame {n}, at {time:.4} s, in {}", places(count)),
        };
        line("first", when(first.frame, first.time, first.count));
        line("worst", when(worst.frame, worst.time, worst.count));
        line("last", when(n, self.time, self.last));
        line("states", format!("{} of {} have crossings", self.crossed, n + 1));
        text += "\nAt worst:\n";
        for Pair { bodies: [a, b], count } in &worst.bodies {
            let _ = match a == b {
                true => writeln!(text, "  '{a}' {}", crosses(*count)),
                false => writeln!(text, "  '{a}' and '{b}' cross in {}", places(*count)),
            };
        }
        text += "\nFor example:\n";
        worst.examples.iter().for_each(|example| {
            let _ = writeln!(text, "  {}", example.text);
        });
        text
    }
}

impl Frame {
    fn new(model: &Model, frame: u64, time: f64, found: &Crossings) -> Self {
        let name = |body: usize| model.bodies()[body].name.clone();
        let bodies = found.meetings.iter();
        let bodies = bodies.map(|m| Pair { bodies: m.bodies.map(name), count: m.count }).collect();
        let example = |crossing: &Crossing| Example {
            edge: crossing.edge,
            triangle: crossing.triangle,
            bodies: [crossing.edge[0], crossing.triangle[0]].map(|node| model.body_of(node).name.clone()),
            point: crossing.point.to_array(),
            text: crossing.text(model),
        };
        let examples = found.examples.iter().map(example).collect();
        Self { frame, time, count: found.count, bodies, examples }
    }
}
