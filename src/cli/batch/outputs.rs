//! Files of a batch: final arrays of all copies, numbered arrays during the run, a table.

use std::path::PathBuf;

use glam::Vec3;
use taffeta::scene::Sweep;
use taffeta::simulation::{Outcome, Simulation};
use taffeta::{Error, io};

use super::super::failure::Failure;
use super::super::folder::Folder;
use super::super::outputs::{OutputArgs, check, check_given_once};
use super::{BatchArgs, table};

/// Files of a batch, all checked before the run begins.
pub struct Outputs {
    positions: Vec<PathBuf>,
    velocities: Option<PathBuf>,
    table: Option<PathBuf>,
    sequence: Option<Folder>,
    written: Vec<String>,
}

impl Outputs {
    /// Checks that every output can be written, before a long run.
    pub fn plan(args: &OutputArgs, batch: &BatchArgs, frame_time: f64) -> Result<Self, Failure> {
        if let Some(option) = args.pictures.wanted() {
            return Err(Failure::input(option, "a batch draws no pictures; --copy N runs one copy that can"));
        }
        args.check_states()?;
        let states = args.output.iter().map(|path| ("--output", path));
        for (option, path) in states.chain(batch.velocities.iter().map(|path| ("--velocities", path))) {
            if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("npy")) {
                let message = "a batch is written as .npy of shape (copies, nodes, 3); --copy N runs one copy \
                               that can be written in any format";
                return Err(Failure::input(format!("{option} {}", path.display()), message));
            }
            check(option, path, path)?;
        }
        if let Some(path) = &batch.velocities {
            check_given_once("--velocities", path, &args.output)?;
        }
        if let Some(path) = &batch.table {
            let place = format!("--table {}", path.display());
            table::Format::of(path)
                .ok_or_else(|| Failure::input(place, "a table is written as .csv or .json"))?;
            // The check does not depend on the format of the file.
            check("--table", path, &path.with_extension("npy"))?;
        }
        if let Some(format) = args.sequence_format.as_ref().filter(|format| *format != "npy") {
            let place = format!("--sequence-format {format}");
            return Err(Failure::input(place, "the states of a batch are written as npy"));
        }
        let folder = |path: &PathBuf| Folder::plan("--sequence", path, "npy", args.fps, frame_time);
        Ok(Self {
            positions: args.output.clone(),
            velocities: batch.velocities.clone(),
            table: batch.table.clone(),
            sequence: args.sequence.as_ref().map(folder).transpose()?,
            written: Vec::new(),
        })
    }

    /// Writes the outputs that are due after `frame` frames; the start is frame 0.
    pub fn write_due(&mut self, frame: u64, simulation: &Simulation) -> Result<(), Failure> {
        let Some(folder) = self.sequence.as_mut().filter(|folder| folder.is_due(frame)) else {
            return Ok(());
        };
        let positions = sound(simulation.state()?.position, &simulation.outcomes()?);
        let copies = simulation.model().copies();
        io::write_copies(&folder.file(frame)?, copies, &positions).map_err(Failure::while_running)?;
        folder.wrote();
        Ok(())
    }

    /// Writes the final outputs.
    pub fn write_final(
        &mut self,
        sweep: &Sweep,
        simulation: &Simulation,
        outcomes: &[Outcome],
    ) -> Result<(), Failure> {
        if !self.positions.is_empty() || self.velocities.is_some() {
            let state = simulation.state()?;
            let (positions, velocities) = (sound(state.position, outcomes), sound(state.velocity, outcomes));
            let files = self.positions.iter().map(|path| (path, &positions));
            for (path, points) in files.chain(self.velocities.iter().map(|path| (path, &velocities))) {
                let copies = simulation.model().copies();
                io::write_copies(path, copies, points).map_err(Failure::while_running)?;
                self.written.push(path.display().to_string());
            }
        }
        if let Some(path) = &self.table {
            let write = |error: Error| Failure::while_running(error);
            table::write(path, sweep, simulation, outcomes).map_err(write)?;
            self.written.push(path.display().to_string());
        }
        self.written.extend(self.sequence.as_ref().map(Folder::summary));
        Ok(())
    }

    /// The files written, for reports.
    pub fn written(&self) -> &[String] {
        &self.written
    }
}

/// The points, with NaN for copies that have broken down, whose values mean nothing.
pub fn sound(mut points: Vec<Vec3>, outcomes: &[Outcome]) -> Vec<Vec3> {
    let nodes = points.len() / outcomes.len();
    for (copy, outcome) in points.chunks_mut(nodes).zip(outcomes) {
        if outcome.failure.is_some() {
            copy.fill(Vec3::NAN);
        }
    }
    points
}
