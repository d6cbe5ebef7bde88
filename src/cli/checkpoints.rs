//! Checkpoints of a run: requested ones, a good state of a run that failed, and the one to resume from.

use std::path::{Path, PathBuf};

use taffeta::checkpoint::{Checkpoint, Difference};
use taffeta::simulation::Simulation;
use taffeta::{Error, io};

use super::failure::Failure;
use super::{note, parse};

/// Frames between two copies of the state in GPU memory; fewer at the beginning, when runs most often fail. Each copy
/// waits for the GPU, which costs a small part of one frame.
const KEEP_EVERY: u64 = 32;

/// Options for checkpoints.
#[derive(clap::Args)]
#[command(next_help_heading = "Checkpoints (docs/checkpoints.md)")]
pub struct CheckpointArgs {
    /// Write a checkpoint after every N frames, at the end and on Ctrl-C: one file, always the latest
    #[arg(long, value_name = "N", value_parser = parse::frames, allow_negative_numbers = true)]
    checkpoint_every: Option<u64>,

    /// File for checkpoints (.taffeta); without --checkpoint-every it is written at the end and on Ctrl-C only. A run
    /// that fails leaves a good earlier state there in any case [default: beside the first output, sheet.taffeta for
    /// sheet.obj; without outputs named after the scene, with --checkpoint-every only]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on from a checkpoint of this scene, with the same bits as without the stop if the options are the same; all
    /// options but the solver may differ
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// Checkpoints of one run.
pub struct Checkpoints {
    file: Option<PathBuf>,
    every: Option<u64>,
    /// Whether an option asks for checkpoints; otherwise only a failed run leaves one.
    asked: bool,
    resume: Option<(PathBuf, Checkpoint)>,
    /// The frame that the run began after.
    first: u64,
    /// The frame after which the file was last written.
    written: Option<u64>,
}

impl CheckpointArgs {
    /// The option that asks for a checkpoint or names one, if any.
    pub fn wanted(&self) -> Option<&'static str> {
        let files = [("--checkpoint", &self.checkpoint), ("--resume", &self.resume)];
        let file = files.into_iter().find(|(_, file)| file.is_some()).map(|(option, _)| option);
        self.checkpoint_every.map(|_| "--checkpoint-every").or(file)
    }

    /// Reads the checkpoint to resume from, and checks that new ones can be written. `output` is the first file or
    /// folder that the run of `scene` writes.
    pub fn plan(&self, scene: &Path, output: Option<&Path>) -> Result<Checkpoints, Failure> {
        let read = |path: &PathBuf| -> Result<(PathBuf, Checkpoint), Failure> {
            let checkpoint = io::read_checkpoint(path).map_err(|error| blame("--resume", path, error))?;
            Ok((path.clone(), checkpoint))
        };
        let beside = |path: &Path| path.with_extension(io::CHECKPOINT_EXTENSION);
        let here = || scene.file_name().map(|name| beside(Path::new(name)));
        let file = match (&self.checkpoint, self.checkpoint_every) {
            (Some(path), _) => {
                io::check_checkpoint(path).map_err(|error| blame("--checkpoint", path, error))?;
                Some(path.clone())
            }
            (None, Some(every)) => {
                let path = output.map(beside).or_else(here).unwrap_or_default();
                io::check_checkpoint(&path).map_err(|error| {
                    let place = format!("--checkpoint-every {every}");
                    Failure::input(place, format!("{error}; --checkpoint names another file"))
                })?;
                Some(path)
            }
            // No option asks for checkpoints: if none can be written, none is.
            (None, None) => output.map(beside).filter(|path| io::check_checkpoint(path).is_ok()),
        };
        Ok(Checkpoints {
            file,
            every: self.checkpoint_every,
            asked: self.checkpoint.is_some() || self.checkpoint_every.is_some(),
            resume: self.resume.as_ref().map(read).transpose()?,
            first: 0,
            written: None,
        })
    }
}

impl Checkpoints {
    /// Whether the run resumes from a checkpoint.
    pub fn resumes(&self) -> bool {
        self.resume.is_some()
    }

    /// Resumes from the given checkpoint and prints whether the bits stay the same.
    pub fn resume(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let Some((path, checkpoint)) = self.resume.take() else { return Ok(()) };
        let changed = simulation.resume(&checkpoint).map_err(|error| blame("--resume", &path, error))?;
        self.first = simulation.frames();
        let exact = match changed.is_empty() {
            true => String::new(),
            false => {
                let changed: Vec<String> = changed.iter().map(Difference::to_string).collect();
                format!("; not to the same bits as without the stop: {}", changed.join(", "))
            }
        };
        note(&format!("resumed after {} frames, at {:.4} s{exact}\n", self.first, simulation.time()));
        Ok(())
    }

    /// Whether a state must be kept or written after `frame` frames.
    pub fn are_due(&self, frame: u64) -> bool {
        self.is_file_due(frame) || self.is_copy_due(frame)
    }

    /// Keeps and writes the states that are due after `frame` frames, of a run that is known to be sound.
    pub fn take_due(&mut self, frame: u64, simulation: &mut Simulation) -> Result<(), Failure> {
        if self.is_copy_due(frame) {
            simulation.keep_unchecked()?;
        }
        match self.is_file_due(frame) {
            true => {
                let parts = simulation.ask_checkpoint().wait()?;
                self.write(&simulation.checkpoint_from(parts)?)
            }
            false => Ok(()),
        }
    }

    /// Writes the final checkpoint if an option asks for checkpoints. Returns the file.
    pub fn finish(&mut self, simulation: &Simulation) -> Result<Option<String>, Failure> {
        if !self.asked {
            return Ok(None);
        }
        if self.written != Some(simulation.frames()) {
            self.write(&simulation.checkpoint()?)?;
        }
        Ok(self.file.as_ref().map(|file| file.display().to_string()))
    }

    /// Writes a good state of a run that failed, unless an option asked for a later one, and adds to the message how to
    /// resume from it. Does not replace an existing file unless an option asked for checkpoints.
    pub fn rescue(&mut self, simulation: &Simulation, failure: Failure) -> Failure {
        if !self.asked {
            self.file = self.file.take().map(|file| match file.exists() {
                true => file.with_extension("rescue.taffeta"),
                false => file,
            });
        }
        let (Failure::Run(message), Some(file)) = (&failure, self.file.clone()) else { return failure };
        let mut lost = String::new();
        match simulation.kept() {
            Ok(Some(kept)) if self.written.is_none_or(|frame| frame < kept.frames) => {
                if let Err(error) = self.write(&kept) {
                    lost = format!("; no state from before could be written: {error}");
                }
            }
            Ok(_) => {}
            // Nothing can be read from a lost device.
            Err(error) => lost = format!("; no state from before could be read: {error}"),
        }
        let Some(frame) = self.written else { return Failure::Run(format!("{message}{lost}")) };
        let time = simulation.start_time() + frame as f64 * f64::from(simulation.settings().step.frame_time);
        Failure::Run(format!(
            "{message}{lost}. A state from before, of {time:.4} s, is in {0}: with --resume {0} the same command goes on \
             from there, also with other --substeps or --iterations, or more damping in the scene",
            file.display()
        ))
    }

    fn is_copy_due(&self, frame: u64) -> bool {
        let done = frame - self.first;
        let early = done < KEEP_EVERY && (done == 0 || done.is_power_of_two());
        self.file.is_some() && (early || done.is_multiple_of(KEEP_EVERY))
    }

    fn is_file_due(&self, frame: u64) -> bool {
        frame > self.first && self.every.is_some_and(|every| frame.is_multiple_of(every))
    }

    fn write(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        if let Some(file) = &self.file {
            io::write_checkpoint(file, checkpoint).map_err(Failure::while_running)?;
            self.written = Some(checkpoint.frames);
        }
        Ok(())
    }
}

/// Wrong input: the option, then the error about its file.
fn blame(option: &str, path: &Path, error: Error) -> Failure {
    let place = format!("{option} {}", path.display());
    match error {
        Error::File { message, .. } | Error::Argument(message) => Failure::input(place, message),
        error => error.into(),
    }
}
