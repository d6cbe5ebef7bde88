//! The results of a batch, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;
use taffeta::Error;
use taffeta::scene::Scene;
use taffeta::simulation::{Outcome, Simulation, Taken, largest_stretch};
use taffeta::warning::Warning;

use super::outputs::sound;
use crate::cli::bodies::{self, Body};
use crate::cli::convergence::Worst;
use crate::cli::crossings;
use crate::cli::form::Form;
use crate::cli::method::Method;
use crate::cli::summary::{Run, step_text};
use crate::cli::warnings;

/// The numbers of a batch. Field names are the keys of the JSON object.
#[derive(Serialize)]
pub struct Summary {
    scene: String,
    /// Whether the run reached its end.
    complete: bool,
    copies: u32,
    nodes_per_copy: usize,
    nodes: usize,
    /// The bodies of copy 0.
    bodies: Vec<Body>,
    springs: usize,
    #[serde(flatten)]
    method: Method,
    #[serde(flatten)]
    form: Form,
    adapter: String,
    frames: u64,
    /// Substeps a frame, and the length of one [s].
    substeps: u32,
    step: f64,
    /// Where they follow contact: how many frames took.
    #[serde(skip_serializing_if = "Option::is_none")]
    substeps_taken: Option<Taken>,
    /// Simulated time, and the time asked for [s].
    time: f64,
    seconds: f64,
    /// Largest |l / r - 1| of any copy that did not break down; `None` if all did.
    largest_stretch: Option<f32>,
    /// Places in which surfaces cross at the end, in all copies that did not break down; none without triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    crossings: Option<usize>,
    /// What the guard against crossings did; where contact is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<taffeta::contact::Report>,
    /// How far substeps ended from their minimum, in the copy where this is worst; newton-multigrid only.
    #[serde(skip_serializing_if = "Option::is_none")]
    convergence: Option<Worst>,
    /// The copies that broke down, with step and message.
    failed: Vec<Failed>,
    /// Wall time [s], and copies times substeps per second of wall time.
    wall: f64,
    copy_steps_per_second: f64,
    /// Probable mistakes in the scene, and what the run has come to.
    warnings: Vec<Warning>,
    written: Vec<String>,
}

#[derive(Serialize)]
struct Failed {
    copy: usize,
    step: u32,
    message: String,
}

impl Summary {
    /// Gathers the numbers of a batch that has ended.
    pub fn new(
        scene: &Scene,
        simulation: &Simulation,
        run: Run,
        outcomes: &[Outcome],
        written: &[String],
    ) -> Result<Self, Error> {
        let model = simulation.model();
        let steps = run.substeps * u64::from(model.copies());
        let failed = outcomes.iter().enumerate().filter_map(|(copy, outcome)| {
            let failure = outcome.failure.as_ref()?;
            Some(Failed { copy, step: failure.step, message: simulation.breakdown(failure).to_string() })
        });
        let contact = simulation.ask_contact().wait()?;
        let touches = simulation.ask_touches().wait()?;
        let convergence = simulation.convergence()?;
        let of_run = warnings::of_run(simulation, contact, touches, outcomes, &convergence);
        Ok(Self {
            scene: scene.name.clone(),
            complete: run.complete,
            copies: model.copies(),
            nodes_per_copy: model.nodes_per_copy(),
            nodes: model.node_count(),
            bodies: bodies::of(model, simulation.settings().has_contact()),
            springs: model.springs().len(),
            method: Method::of(simulation),
            form: Form::of(simulation),
            adapter: simulation.gpu().description(),
            frames: run.frames,
            substeps: simulation.substeps(),
            step: simulation.step_length().into(),
            substeps_taken: simulation.substeps_taken(),
            time: simulation.time(),
            seconds: scene.seconds,
            largest_stretch: largest_stretch(outcomes),
            crossings: crossings::at_end(model, &sound(simulation.state()?.position, outcomes)),
            failed: failed.collect(),
            wall: run.wall,
            copy_steps_per_second: steps as f64 / run.wall,
            contact,
            convergence: Worst::of(&convergence, outcomes),
            warnings: scene.warnings.iter().cloned().chain(of_run).collect(),
            written: written.to_vec(),
        })
    }

    /// A message about the copies that broke down, if any did.
    pub fn failure(&self) -> Option<String> {
        let first = self.failed.first()?;
        let numbers: Vec<String> = self.failed.iter().take(10).map(|f| f.copy.to_string()).collect();
        let more = if self.failed.len() > 10 { ", ..." } else { "" };
        let others = if self.failed.len() < self.copies as usize { ", the others are sound" } else { "" };
        Some(format!(
            "{} of {} copies broke down ({}{more}){others}; {}",
            self.failed.len(),
            self.copies,
            numbers.join(", "),
            first.message
        ))
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
        line("batch", format!("{} copies of {} nodes, {}", self.copies, self.nodes_per_copy, self.form));
        self.bodies.iter().for_each(|body| line("size", body.to_string()));
        line("solver", self.method.to_string());
        line("step", step_text(self.step, self.substeps, self.substeps_taken));
        let part = if self.complete { String::new() } else { format!(" of {} s: cut short", self.seconds) };
        line("simulated", format!("{:.4} s{part}, {} frames", self.time, self.frames));
        if let Some(stretch) = self.largest_stretch {
            line("stretch", format!("|l/r - 1| at most {:.2} %", 100.0 * stretch));
        }
        if let Some(count) = self.crossings.filter(|&n| n > 0) {
            line("crossings", format!("{}, all copies together", crossings::crosses(count)));
        }
        if let Some(worst) = &self.convergence {
            line("error", worst.text());
        }
        if let Some(contact) = &self.contact {
            line("contact", contact.text());
        }
        line("broken down", format!("{} copies", self.failed.len()));
        line("wall time", format!("{:.3} s, {:.0} copies x steps/s", self.wall, self.copy_steps_per_second));
        line("adapter", self.adapter.clone());
        self.written.iter().for_each(|path| line("written", path.clone()));
        text
    }
}
