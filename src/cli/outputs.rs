//! Files of a run: the final state, numbered states during the run, pictures.

use std::path::{Path, PathBuf};

use taffeta::gpu::Requirements;
use taffeta::scene::Scene;
use taffeta::simulation::Simulation;
use taffeta::{Error, Settings, State, io};

use super::failure::Failure;
use super::folder::Folder;
use super::pictures::{PictureArgs, Pictures};

/// The files of a run, all checked before it begins.
pub struct Outputs {
    states: Vec<PathBuf>,
    sequence: Option<Folder>,
    pictures: Option<Pictures>,
    written: Vec<String>,
}

/// Options for output files.
#[derive(clap::Args)]
#[command(next_help_heading = "Output", group = clap::ArgGroup::new("folders").multiple(true))]
pub struct OutputArgs {
    /// File for the final state: .obj (positions [m], faces), .ply (also velocities [m/s]) or .npy
    /// (positions, float32 of shape (nodes, 3), of a batch (copies, nodes, 3)); may be given several times
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Directory for numbered states 000000, 000001, ...: the start, then --fps a simulated second
    #[arg(long, value_name = "DIR", group = "folders")]
    pub sequence: Option<PathBuf>,

    /// Format of the sequence; of a batch always npy [default: obj]
    #[arg(long, value_name = "FORMAT", value_parser = io::STATE_EXTENSIONS, requires = "sequence")]
    pub sequence_format: Option<String>,

    /// Files a simulated second in --sequence and --frames [default: one for each frame]
    #[arg(long, value_name = "N", value_parser = super::parse::rate, allow_negative_numbers = true, requires = "folders")]
    pub fps: Option<f64>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

impl OutputArgs {
    /// Checks that every output can be written, before a long run.
    pub fn plan(&self, settings: &Settings) -> Result<Outputs, Failure> {
        self.check_states()?;
        let frame_time = settings.step.frame_time.into();
        let format = self.sequence_format.as_deref();
        let extension = io::STATE_EXTENSIONS.into_iter().find(|e| Some(*e) == format).unwrap_or("obj");
        let folder = |path: &PathBuf| Folder::plan("--sequence", path, extension, self.fps, frame_time);
        let sequence = self.sequence.as_ref().map(folder).transpose()?;
        let pictures = self.pictures.plan(self.fps, settings)?;
        Ok(Outputs { states: self.output.clone(), sequence, pictures, written: Vec::new() })
    }

    /// The first file or folder of the options, if any.
    pub fn first(&self) -> Option<&Path> {
        let states = self.output.first().or(self.sequence.as_ref());
        states.map(PathBuf::as_path).or_else(|| self.pictures.first())
    }

    /// Checks the files for the final state.
    pub fn check_states(&self) -> Result<(), Failure> {
        for (i, path) in self.output.iter().enumerate() {
            check_given_once("--output", path, &self.output[..i])?;
            check("--output", path, path)?;
        }
        Ok(())
    }
}

impl Outputs {
    /// Requirements on the GPU for writing, beyond those of the simulation.
    pub fn requirements(&self, scene: &Scene) -> Requirements {
        self.pictures.as_ref().map_or(Requirements::default(), |pictures| pictures.requirements(&scene.model))
    }

    /// Prepares the pictures before the run begins.
    pub fn prepare(&mut self, scene: &Scene, simulation: &Simulation) -> Result<(), Failure> {
        self.pictures.as_mut().map_or(Ok(()), |pictures| pictures.prepare(simulation, scene.camera))
    }

    /// Keeps the view of the run's start for a run that is about to be resumed.
    pub fn aim(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        self.pictures.as_mut().map_or(Ok(()), |pictures| pictures.aim(simulation))
    }

    /// Whether an output is due after `frame` frames; the start is frame 0.
    pub fn are_due(&self, frame: u64) -> bool {
        self.folders().any(|folder| folder.is_due(frame))
    }

    /// Writes the outputs that are due after `frame` frames.
    pub fn write_due(&mut self, frame: u64, simulation: &Simulation) -> Result<(), Failure> {
        if let Some(folder) = self.sequence.as_mut().filter(|folder| folder.is_due(frame)) {
            let state = simulation.state()?;
            io::write_state(&folder.file(frame)?, simulation.model(), &state)
                .map_err(Failure::while_running)?;
            folder.wrote();
        }
        self.pictures.as_mut().map_or(Ok(()), |pictures| pictures.draw_due(frame, simulation))
    }

    /// Writes the final outputs.
    pub fn write_final(&mut self, simulation: &Simulation, state: &State) -> Result<(), Failure> {
        for path in &self.states {
            io::write_state(path, simulation.model(), state).map_err(Failure::while_running)?;
            self.written.push(path.display().to_string());
        }
        if let Some(pictures) = &mut self.pictures {
            self.written.extend(pictures.draw_final(simulation)?.map(|path| path.display().to_string()));
        }
        let folders: Vec<String> = self.folders().map(Folder::summary).collect();
        self.written.extend(folders);
        Ok(())
    }

    /// Warns that a run that failed has left files.
    pub fn warn_of_incomplete(&self) {
        for folder in self.folders().filter(|folder| !folder.is_empty()) {
            log::warn!("{}: only from before the run failed", folder.summary());
        }
    }

    /// The files written, for reports.
    pub fn written(&self) -> &[String] {
        &self.written
    }

    fn folders(&self) -> impl Iterator<Item = &Folder> {
        self.sequence.iter().chain(self.pictures.as_ref().and_then(Pictures::folder))
    }
}

/// Checks that no other output goes to the file `path`, however the path is written.
pub fn check_given_once(option: &str, path: &Path, others: &[PathBuf]) -> Result<(), Failure> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match others.iter().any(|other| whole(other) == whole(path)) {
        true => Err(Failure::input(format!("{option} {}", path.display()), "it is given twice")),
        false => Ok(()),
    }
}

/// Checks that `probe`, the file `path` or one beside it, can be written.
pub fn check(option: &str, path: &Path, probe: &Path) -> Result<(), Failure> {
    io::check_output(probe).map_err(|error| match error {
        Error::File { message, .. } => Failure::input(format!("{option} {}", path.display()), message),
        error => error.into(),
    })
}
