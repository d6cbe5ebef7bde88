//! What a run writes: the final state, and numbered states on the way.

use std::path::{Path, PathBuf};

use taffeta::simulation::Simulation;
use taffeta::{Error, io};

use super::failure::Failure;
use super::folder::Folder;

/// Files that a run writes, all checked before it begins.
pub struct Outputs {
    states: Vec<PathBuf>,
    sequence: Option<Folder>,
    written: Vec<String>,
}

/// Options that say what is written.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// File for the final state: .obj (positions [m], faces), .ply (also velocities [m/s]) or .npy
    /// (positions, float32 of shape (nodes, 3)); may be given several times
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Directory for numbered states 000000, 000001, ...: the start, then --fps a simulated second
    #[arg(long, value_name = "DIR")]
    sequence: Option<PathBuf>,

    /// Format of the sequence
    #[arg(long, value_name = "FORMAT", value_parser = ["obj", "ply", "npy"], default_value = "obj", requires = "sequence")]
    sequence_format: String,

    /// Files a simulated second in a sequence [default: one for each frame]
    #[arg(long, value_name = "N", value_parser = super::parse::rate, allow_negative_numbers = true, requires = "sequence")]
    fps: Option<f64>,
}

impl OutputArgs {
    /// Checks every output, so that a long run does not end with nothing.
    pub fn plan(&self, frame_time: f64) -> Result<Outputs, Failure> {
        for (i, path) in self.output.iter().enumerate() {
            if self.output[..i].contains(path) {
                return Err(Failure::input(format!("--output {}", path.display()), "it is given twice"));
            }
            check_state(path)?;
        }
        let extension =
            io::STATE_EXTENSIONS.into_iter().find(|e| *e == self.sequence_format).unwrap_or("obj");
        let folder = |path: &PathBuf| Folder::plan("--sequence", path, extension, self.fps, frame_time);
        let sequence = self.sequence.as_ref().map(folder).transpose()?;
        Ok(Outputs { states: self.output.clone(), sequence, written: Vec::new() })
    }
}

impl Outputs {
    /// Whether something is to be written after `frame` frames; the start is frame 0.
    pub fn are_due(&self, frame: u64) -> bool {
        self.sequence.as_ref().is_some_and(|folder| folder.is_due(frame))
    }

    /// Writes what is due after `frame` frames.
    pub fn write_due(&mut self, frame: u64, simulation: &Simulation<'_>) -> Result<(), Failure> {
        if let Some(folder) = self.sequence.as_mut().filter(|folder| folder.is_due(frame)) {
            let state = simulation.state()?;
            io::write_state(&folder.next()?, simulation.model(), &state).map_err(Failure::while_running)?;
        }
        Ok(())
    }

    /// Writes the final outputs.
    pub fn write_final(
        &mut self,
        simulation: &Simulation<'_>,
        state: &taffeta::State,
    ) -> Result<(), Failure> {
        for path in &self.states {
            io::write_state(path, simulation.model(), state).map_err(Failure::while_running)?;
            self.written.push(path.display().to_string());
        }
        self.written.extend(self.sequence.iter().map(Folder::summary));
        Ok(())
    }

    /// Says which files of a run that failed are there all the same.
    pub fn warn_of_incomplete(&self) {
        for folder in self.sequence.iter().filter(|folder| !folder.is_empty()) {
            log::warn!("{}: only from before the run failed", folder.summary());
        }
    }

    /// What was written, for reports.
    pub fn written(&self) -> &[String] {
        &self.written
    }
}

fn check_state(path: &Path) -> Result<(), Failure> {
    io::check_output(path).map_err(|error| match error {
        Error::File { message, .. } => Failure::input(format!("--output {}", path.display()), message),
        error => error.into(),
    })
}
