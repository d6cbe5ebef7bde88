//! The results of a run, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use taffeta::glam::DVec3;
use taffeta::measure::stretch::{Strain, Stretch};
use taffeta::method::contact::Touching;
use taffeta::method::{Advice, Convergence, Softening};
use taffeta::scene::Scene;
use taffeta::settings::{SWEEPS, TOLERANCE};
use taffeta::simulation::{Simulation, Taken};
use taffeta::warning::{self, Warning};
use taffeta::{Error, Model, State};

use super::bodies::{self, Body};
use super::convergence;
use super::crossings;
use super::form::Form;
use super::method::Method;
use super::warnings;

/// How far a run got.
#[derive(Clone, Copy)]
pub struct Run {
    /// Whether it reached its end.
    pub complete: bool,
    /// Frames done when it began: above 0 if it was resumed.
    pub first: u64,
    /// Frames done at its end.
    pub frames: u64,
    /// Substeps from its beginning to its end.
    pub substeps: u64,
    /// Wall time [s] of the run, including the time to write files during it.
    pub wall: f64,
}

/// The numbers of a run. Field names are the keys of the JSON object.
#[derive(Serialize)]
pub struct Summary {
    scene: String,
    /// Whether the run reached its end.
    complete: bool,
    nodes: usize,
    bodies: Vec<Body>,
    springs: usize,
    /// Number of springs whose tension newton-multigrid finds as a multiplier.
    #[serde(skip_serializing_if = "is_zero")]
    multipliers: usize,
    /// Whether any spring has one because it is inextensible or has a limit of stretch.
    #[serde(skip)]
    is_kept: bool,
    triangles: usize,
    #[serde(flatten)]
    method: Method,
    #[serde(flatten)]
    form: Form,
    adapter: String,
    frames: u64,
    /// Frames done before the run was resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed_after: Option<u64>,
    /// Substeps a frame, and the length of one [s]; of the last frame where they follow contact.
    substeps: u32,
    step: f64,
    /// Where they follow contact: how many frames took.
    #[serde(skip_serializing_if = "Option::is_none")]
    substeps_taken: Option<Taken>,
    /// Simulated time, and the time asked for [s].
    time: f64,
    seconds: f64,
    /// Strain l / r - 1 of the springs [1].
    stretch: Quantiles,
    /// The largest |l/r - 1| at the end of any frame.
    peak_strain: PeakStrain,
    /// Index and position [m] of the lowest node.
    lowest: Lowest,
    /// Places in which surfaces cross at the end; none without triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    crossings: Option<usize>,
    /// Wall time [s] and substeps per second of wall time.
    wall: f64,
    steps_per_second: f64,
    /// Substeps in which an accelerated iteration fell back to plain sweeps; local-global only.
    #[serde(skip_serializing_if = "Option::is_none")]
    chebyshev_falls: Option<u32>,
    /// Iterations that started from a higher objective than the one before, by the guard; newton-multigrid only.
    #[serde(skip_serializing_if = "Option::is_none")]
    guarded: Option<u32>,
    /// Iterations that the tolerance required, for solvers with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<Iterations>,
    /// Whether contact is switched off.
    #[serde(skip)]
    is_off: bool,
    /// What the guard against crossings did; where contact is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<taffeta::contact::Report>,
    /// What touches at the end; where contact is on and the solver knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    touching: Option<Pairs>,
    /// How far substeps ended from their minimum; newton-multigrid only.
    #[serde(skip_serializing_if = "Option::is_none")]
    convergence: Option<Convergence>,
    /// Substeps that keep the stretch below the one asked for; xpbd only.
    #[serde(skip_serializing_if = "Option::is_none")]
    stretch_asked: Option<Asked>,
    /// Probable mistakes in the scene, and what the run has come to.
    warnings: Vec<Warning>,
    written: Vec<String>,
}

/// The stretch asked for \[1\], the stretch that the forces at the end cause in springs at their full stiffness, and
/// the fewest substeps a frame that keep the stretch below the one asked for; null if none do.
#[derive(Serialize)]
struct Asked {
    asked: f64,
    own: f64,
    substeps: Option<u32>,
}

/// Pairs of a node and a triangle in touch, the least distance of one as a part of its thickness \[1\], and the force of contact on
/// each body that has any \[N\], by name.
#[derive(Serialize)]
struct Pairs {
    pairs: u64,
    least: f64,
    forces: BTreeMap<String, [f64; 3]>,
}

impl Pairs {
    fn of(model: &Model, touching: &Touching) -> Self {
        let forces = model.bodies().iter().zip(&touching.forces).filter(|(_, force)| **force != DVec3::ZERO);
        let forces = forces.map(|(body, force)| (body.name.clone(), force.to_array())).collect();
        Self { pairs: touching.pairs, least: touching.least, forces }
    }

    fn text(&self) -> String {
        match self.pairs {
            0 => "nothing touches at the end".to_owned(),
            n => format!("{n} pairs at the end, the nearest at {:.2} of their thickness", self.least),
        }
    }
}

/// Iterations of substeps, and how many substeps missed the tolerance, because all iterations were used or because f32
/// holds no smaller error.
#[derive(Serialize)]
struct Iterations {
    tolerance: f32,
    largest: u32,
    mean: f64,
    unfinished: u32,
    rounded: u32,
    /// Whether the tolerance comes from the scene or the command line, not from the default.
    #[serde(skip)]
    is_asked_for: bool,
}

impl Iterations {
    /// In how many substeps the tolerance was missed, and why. The limit of f32 is reported only for a tolerance that
    /// was asked for; the default tolerance goes as far as f32 does.
    fn missed(&self) -> String {
        let rounded = if self.is_asked_for { self.rounded } else { 0 };
        match (self.unfinished, rounded) {
            (0, 0) => String::new(),
            (n, 0) => format!("; not reached in {n} of them (all iterations used)"),
            (0, m) => format!("; not reached in {m} of them (f32 holds no less)"),
            (n, m) => {
                let of = n + m;
                format!(
                    "; not reached in {of} of them (in {n} all iterations were used, in {m} f32 holds no less)"
                )
            }
        }
    }
}

#[derive(Serialize)]
struct Quantiles {
    largest: f64,
    p999: f64,
    p99: f64,
}

/// Strain \[1\] and its time \[s\].
#[derive(Serialize)]
struct PeakStrain {
    largest: f32,
    time: f64,
}

#[derive(Serialize)]
struct Lowest {
    node: usize,
    position: [f32; 3],
}

/// Length of a substep [s], and how many a frame took.
pub fn step_text(step: f64, substeps: u32, taken: Option<Taken>) -> String {
    match taken {
        None => format!("{step:.4e} s, substeps a frame: {substeps}"),
        Some(taken) => format!("{step:.4e} s at the end, substeps a frame: {}", taken.text()),
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Summary {
    /// Gathers the numbers of a run that has ended in `state`.
    pub fn new(
        scene: &Scene,
        simulation: &Simulation,
        state: &State,
        run: Run,
        written: &[String],
    ) -> Result<Self, Error> {
        let (model, settings) = (simulation.model(), simulation.settings());
        let x: Vec<_> = state.position.iter().map(|x| x.as_dvec3()).collect();
        let Strain { max, p999, p99, .. } = Stretch::of(model, &x).all;
        let lowest = (0..x.len()).min_by(|&a, &b| x[a].y.total_cmp(&x[b].y)).unwrap_or(0);
        let sweeping = settings.solver.usage(SWEEPS.spec.name).is_some();
        let guarding = settings.solver.estimates_error();
        let contact = simulation.ask_contact().wait()?;
        let touching = simulation.ask_touching().wait()?;
        let touches = touching.as_ref().is_some_and(|touching| touching.pairs > 0);
        // A run is one copy.
        let (outcomes, convergence) = (simulation.outcomes()?, simulation.convergence()?);
        let peak = outcomes[0].peak;
        let of_run = warnings::of_run(simulation, contact, touches, &outcomes, &convergence);
        let at_end = warning::rubbery(settings, p999);
        Ok(Self {
            scene: scene.name.clone(),
            complete: run.complete,
            nodes: model.node_count(),
            bodies: bodies::of(model, settings.has_contact()),
            springs: model.springs().len(),
            multipliers: simulation.multipliers(),
            is_kept: model.has_inextensible() || model.has_strain_limit(),
            triangles: model.triangles().len(),
            method: Method::of(simulation),
            form: Form::of(simulation),
            adapter: simulation.gpu().description(),
            frames: run.frames,
            resumed_after: (run.first > 0).then_some(run.first),
            substeps: simulation.substeps(),
            step: simulation.step_length().into(),
            substeps_taken: simulation.substeps_taken(),
            time: state.time,
            seconds: scene.seconds,
            stretch: Quantiles { largest: max, p999, p99 },
            peak_strain: PeakStrain { largest: peak.stretch, time: simulation.time_of(&peak) },
            lowest: Lowest { node: lowest, position: state.position[lowest].to_array() },
            crossings: crossings::at_end(model, &state.position),
            wall: run.wall,
            steps_per_second: run.substeps as f64 / run.wall,
            chebyshev_falls: sweeping.then(|| simulation.falls()).transpose()?,
            guarded: guarding.then(|| simulation.falls()).transpose()?,
            is_off: !settings.step.contact,
            contact,
            touching: touching.map(|touching| Pairs::of(model, &touching)),
            effort: settings.get(TOLERANCE).zip(simulation.effort()?).map(|(tolerance, effort)| Iterations {
                tolerance,
                largest: effort.most,
                mean: effort.mean(),
                unfinished: effort.unfinished,
                rounded: effort.rounded,
                is_asked_for: scene.settings.get(TOLERANCE).is_some(),
            }),
            convergence: convergence.first().filter(|c| c.looks > 0).copied(),
            stretch_asked: None,
            warnings: scene.warnings.iter().cloned().chain(at_end).chain(of_run).collect(),
            written: written.to_vec(),
        })
    }

    /// Adds the substeps that keep springs of xpbd below a stretch \[1\], judged by the end of the run.
    pub fn advise(&mut self, simulation: &Simulation, state: &State, asked: f64) {
        let softening = Softening::new(simulation.model(), simulation.settings());
        let Advice { own, substeps } = softening.advise(&state.position, simulation.substeps(), asked);
        // Bending may need more.
        let settings = simulation.settings();
        let largest = settings.solver.largest_step(simulation.stability());
        let least = (f64::from(settings.step.frame_time) / largest).ceil().max(1.0) as u32;
        let substeps = substeps.map(|n| n.max(least));
        self.stretch_asked = Some(Asked { asked, own, substeps });
    }

    /// The warnings of the run itself; those before are the scene's.
    pub fn warnings_of_run(&self, scene: &Scene) -> &[Warning] {
        &self.warnings[scene.warnings.len()..]
    }

    /// One JSON object and a line feed.
    pub fn json(&self) -> String {
        // Plain fields and string keys cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name:<14}{value}");
        };
        line("scene", self.scene.clone());
        line("network", format!("{} nodes, {} springs, {}", self.nodes, self.springs, self.form));
        self.bodies.iter().for_each(|body| line("size", body.to_string()));
        line("solver", self.method.to_string());
        if self.multipliers > 0 {
            let all = self.springs;
            let share =
                if self.multipliers == all { String::new() } else { format!("{} of ", self.multipliers) };
            let why = match self.is_kept {
                true => "inextensible, limited or stiff for steps of this length",
                false => "stiff for steps of this length",
            };
            line("multipliers", format!("on {share}{all} springs: {why}"));
        }
        line("step", step_text(self.step, self.substeps, self.substeps_taken));
        let part = if self.complete { String::new() } else { format!(" of {} s: cut short", self.seconds) };
        let resumed = self.resumed_after.map_or(String::new(), |n| format!(", resumed after {n}"));
        line("simulated", format!("{:.4} s{part}, {} frames{resumed}", self.time, self.frames));
        let Quantiles { largest, p999, p99 } = self.stretch;
        // Rounded first, so that zero has no sign.
        let percent = |x: f64| format!("{:.2} %", (1e4 * x).round() / 1e2 + 0.0);
        line(
            "stretch",
            format!("l/r - 1 at most {}, p99.9 {}, p99 {}", percent(largest), percent(p999), percent(p99)),
        );
        let PeakStrain { largest, time } = self.peak_strain;
        line(
            "peak strain",
            format!("|l/r - 1| at most {}, in the frame to {time:.4} s", percent(largest.into())),
        );
        if let Some(Asked { asked, own, substeps }) = &self.stretch_asked {
            let (asked, own) = (percent(*asked), percent(*own));
            line(
                "asked for",
                match substeps {
                    Some(n) => {
                        format!("at most {asked}: {n} substeps a frame (the springs' own stretch is {own})")
                    }
                    None => format!("at most {asked}: no substeps do, the springs' own stretch is {own}"),
                },
            );
        }
        let [x, y, z] = self.lowest.position;
        line("lowest node", format!("{} at ({x:.4}, {y:.4}, {z:.4}) m", self.lowest.node));
        if let Some(count) = self.crossings.filter(|&n| n > 0) {
            let mend = if self.is_off { "; with contact it would not" } else { "" };
            line("crossings", format!("{}{mend}", crossings::crosses(count)));
        }
        line("wall time", format!("{:.3} s, {:.0} steps/s", self.wall, self.steps_per_second));
        line("adapter", self.adapter.clone());
        if let Some(found) = &self.convergence {
            line("error", convergence::text(found));
        }
        if let Some(rises) = self.guarded.filter(|&n| n > 0) {
            line(
                "guard",
                format!("{rises} iterations began higher than the one before; the next ones took more care"),
            );
        }
        if let Some(falls) = self.chebyshev_falls.filter(|&n| n > 0) {
            line("acceleration", format!("fell back to plain sweeps in {falls} substeps"));
        }
        if let Some(contact) = &self.contact {
            line("contact", contact.text());
        }
        if let Some(touching) = &self.touching {
            line("touching", touching.text());
        }
        if let Some(effort) = &self.effort {
            let Iterations { tolerance, largest, mean, .. } = effort;
            let missed = effort.missed();
            // Local-global solves a system in each of its iterations.
            let (what, each) = match self.method.solves_in_iterations() {
                true => ("steps", "global step"),
                false => ("iterations", "substep"),
            };
            line("tolerance", format!("{tolerance}: {mean:.2} {what} a {each}, at most {largest}{missed}"));
        }
        self.written.iter().for_each(|path| line("written", path.clone()));
        text
    }
}
