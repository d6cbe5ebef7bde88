//! Checkpoints: reads everything that lasts from one frame to the next from the GPU, and writes it back.
//!
//! This includes positions with inverse masses (zero for pinned nodes), velocities as the solver stores them, the
//! watch, the frame counter, and the buffers that the solver lists in [`crate::method::Solver::lasting`]. Pins and
//! handles of the model follow from the time. Tested by `tests/quick/checkpoints.rs`.

mod kept;
mod marks;

pub use kept::Kept;

use glam::Vec3;

use super::Simulation;
use super::pace::Pace;
use super::watch;
use super::world::World;
use crate::Error;
use crate::checkpoint::{Checkpoint, Difference, Mark, Part, differences};
use crate::contact::Guard;
use crate::gpu::{Gpu, Reading, Words};
use crate::method::contact::{FORCES_OF_CONTACT, Memory, Soft};
use crate::settings::Settings;

/// Most frames: beyond it an f64 cannot distinguish the times of frames.
const MOST_FRAMES: u64 = 1 << 53;

/// Parts of four words a node.
const PER_NODE: [&str; 3] = ["position", "velocity", "applied"];

/// The time of a state, and how it was simulated.
#[derive(Clone)]
struct Moment {
    frames: u64,
    start_time: f64,
    settings: Settings,
}

/// The parts of a checkpoint, as read from the GPU.
pub struct Parts {
    moment: Moment,
    parts: Vec<Part>,
}

impl Simulation {
    /// Waits; returns everything that [`Simulation::resume`] needs to go on from here with the same bits. Fails if the
    /// run has broken down. Handles that a user holds ([`Simulation::grab`]) are not part of it.
    pub fn checkpoint(&self) -> Result<Checkpoint, Error> {
        self.largest_stretch()?;
        self.checkpoint_from(self.ask_checkpoint().wait()?)
    }

    /// [`Simulation::checkpoint`] without waiting: [`Simulation::checkpoint_from`] makes a checkpoint from the parts.
    /// Use [`Simulation::ask_outcomes`] to check whether the run has broken down.
    pub fn ask_checkpoint(&self) -> Reading<Parts> {
        ask_parts(&self.gpu, self.moment(), self.lasting())
    }

    /// Makes a checkpoint from the parts that [`Simulation::ask_checkpoint`] of this simulation asked for.
    pub fn checkpoint_from(&self, parts: Parts) -> Result<Checkpoint, Error> {
        self.checkpoint_of(&parts.moment, parts.parts)
    }

    /// Goes on from a checkpoint of the same model, solver and length of a frame. Fails for other checkpoints and for
    /// invalid numbers; then nothing changes.
    ///
    /// Returns the settings that differ from those of the checkpoint. If there are none, the run goes on with the same
    /// bits as if it had never stopped. Otherwise the solver starts anew from the same positions and velocities.
    /// Released pins stay released, and time goes on; gravity and wind are those of this simulation.
    pub fn resume(&mut self, checkpoint: &Checkpoint) -> Result<Vec<Difference>, Error> {
        let changed = self.compare(checkpoint)?;
        let nodes = self.model.node_count();
        let position = part_of(checkpoint, "position", 4 * nodes)?;
        let velocity = part_of(checkpoint, "velocity", 4 * nodes)?;
        let mut watch = match part_of(checkpoint, "watch", self.watch.words().len()) {
            Ok(watch) => watch.to_vec(),
            // Another version of the program may have watched for other things.
            Err(_) if !changed.is_empty() && checkpoint.part("watch").is_some() => {
                self.watch.begun_after(checkpoint.frames)
            }
            Err(error) => return Err(error),
        };
        self.refuse_broken(position, velocity)?;
        let pulls = checkpoint.part("applied");
        let pulls = pulls.map(|_| part_of(checkpoint, "applied", 4 * nodes)).transpose()?;
        let solver: Vec<_> = self.solver.lasting().into_iter().chain(self.of_contact()).collect();
        let solver = solver.iter().map(|w| Ok((*w, part_of(checkpoint, w.label(), w.len())?)));
        let solver = if changed.is_empty() { solver.collect::<Result<Vec<_>, Error>>()? } else { Vec::new() };

        let order = self.model.order();
        let write = |to: Words<'_>, words: &[u32]| {
            let rows: &[[u32; 4]] = words.as_chunks().0;
            to.write(&self.gpu, order.by_place(rows).as_flattened());
        };
        write(self.fields.position[0].words(), position);
        write(self.fields.velocity[0].words(), velocity);
        crate::gpu::submit(&self.gpu, "measure", |pass| self.watch.measure(pass));
        self.watch.clear(&self.gpu);
        watch::rename(&mut watch, |node| order.place(node));
        self.watch.words().write(&self.gpu, &watch);
        self.solver.forget(&self.gpu);
        if let Some(guard) = self.guard.as_ref().filter(|_| solver.is_empty()) {
            let rows: &[[u32; 4]] = position.as_chunks().0;
            let places = order.by_place(rows);
            let at = |row: &[u32; 4]| Vec3::from_array([row[0], row[1], row[2]].map(f32::from_bits));
            guard.begin_at(&self.gpu, &places.iter().map(at).collect::<Vec<_>>());
        }
        self.forget_contact();
        solver.iter().for_each(|(words, part)| words.write(&self.gpu, part));
        if !changed.is_empty() && self.settings.solver.is_staggered() {
            // Velocities are half a step behind them, as behind pulls.
            self.write_forces(checkpoint);
        }
        match &mut self.pace {
            Some(pace) if changed.is_empty() => pace.go_on(&self.gpu, checkpoint.frames),
            Some(pace) => pace.forget(&self.gpu),
            None => {}
        }
        if let Some(pulls) = pulls {
            write(self.fields.applied.words_of(0..nodes), pulls);
        }
        self.world.has_pulls = u32::from(pulls.is_some());
        self.set_substeps(self.least_substeps)?;
        self.world_is_stale = true;
        self.handles.expire();
        self.frames = checkpoint.frames;
        self.start_time = checkpoint.start_time;
        self.substeps_done = 0;
        if self.settings.solver.is_staggered() && checkpoint.substeps != self.least_substeps {
            self.stagger_anew(checkpoint.substeps)?;
        }
        self.upload_world();
        Ok(changed)
    }

    /// All buffers that last from one frame to the next, each under its own name.
    fn lasting(&self) -> Vec<Words<'_>> {
        let mut all =
            vec![self.fields.position[0].words(), self.fields.velocity[0].words(), self.watch.words()];
        if self.settings.solver.is_staggered() && self.world.has_pulls == 1 {
            // Synchronizing its velocities with the positions uses the pulls of the last substep.
            all.push(self.fields.applied.words_of(0..self.model.node_count()));
        }
        all.extend(self.solver.lasting());
        all.extend(self.of_contact());
        all
    }

    /// Those of contact.
    fn of_contact(&self) -> impl Iterator<Item = Words<'_>> {
        self.guard
            .iter()
            .flat_map(Guard::lasting)
            .chain(self.soft.iter().map(Soft::lasting))
            .chain(self.memory.iter().flat_map(Memory::lasting))
            .chain(self.pace.iter().map(Pace::lasting))
            .chain(Some(self.fields.friction_history.words()).filter(|words| !words.is_empty()))
    }

    fn moment(&self) -> Moment {
        Moment { frames: self.frames, start_time: self.start_time, settings: self.settings.clone() }
    }

    /// A checkpoint of the buffers' content. Files have the nodes in the model's order.
    fn checkpoint_of(&self, moment: &Moment, mut parts: Vec<Part>) -> Result<Checkpoint, Error> {
        let order = self.model.order();
        for part in parts.iter_mut().filter(|_| !order.is_given()) {
            match &part.name[..] {
                "watch" => watch::rename(&mut part.words, |place| order.node(place)),
                name if PER_NODE.contains(&name) => {
                    let rows: &[[u32; 4]] = part.words.as_chunks().0;
                    part.words = order.by_node(rows).as_flattened().to_vec();
                }
                _ => {}
            }
        }
        let checkpoint = Checkpoint {
            frames: moment.frames,
            start_time: moment.start_time,
            frame_time: moment.settings.step.frame_time,
            substeps: self.least_substeps,
            model: marks::of_model(&self.model),
            settings: self.marks(&moment.settings),
            parts,
        };
        let nodes = self.model.node_count();
        let part = |name| part_of(&checkpoint, name, 4 * nodes);
        self.refuse_broken(part("position")?, part("velocity")?)?;
        Ok(checkpoint)
    }

    fn marks(&self, settings: &Settings) -> Vec<Mark> {
        marks::of_settings(settings, self.form, &self.model, &self.gpu)
    }

    /// The settings that differ; an error if the checkpoint does not belong to this simulation.
    fn compare(&self, checkpoint: &Checkpoint) -> Result<Vec<Difference>, Error> {
        let refuse = |message: String| Err(Error::Argument(message));
        let model = differences(&checkpoint.model, &marks::of_model(&self.model));
        if let Some(Difference { key, then, now }) = model.first() {
            // Counts come first, because hashes mean nothing to a reader.
            let what = match marks::is_hash(key) {
                true => format!("{key} are others"),
                false => format!("{now} {key} here, {then} in the file"),
            };
            let mend = "continue with the scene, and the files that it names, that it was made with";
            return refuse(format!("this checkpoint is of another scene: {what}; {mend}"));
        }
        let settings = differences(&checkpoint.settings, &self.marks(&self.settings));
        if let Some(Difference { then, now, .. }) = settings.iter().find(|d| d.key == "solver") {
            return refuse(format!(
                "this checkpoint is of another solver: {now} here, {then} in the file; continue with {then}"
            ));
        }
        let (then, now) = (checkpoint.frame_time, self.settings.step.frame_time);
        if then.to_bits() != now.to_bits() {
            let message = "continue with the frame-time that it was made with; substeps may differ";
            return refuse(format!(
                "this checkpoint is of frames of another length: {now} s here, {then} s in the file; {message}"
            ));
        }
        if checkpoint.frames > MOST_FRAMES || !checkpoint.start_time.is_finite() || checkpoint.substeps == 0 {
            let Checkpoint { frames, start_time, substeps, .. } = checkpoint;
            return refuse(format!(
                "no run comes to frame {frames} from {start_time} s on in {substeps} substeps a frame"
            ));
        }
        let (then, now) = (checkpoint.substeps.to_string(), self.least_substeps.to_string());
        let substeps = (then != now).then(|| Difference { key: "substeps".into(), then, now });
        Ok(substeps.into_iter().chain(settings).collect())
    }

    /// Writes the forces of contact of the last substep, where they are in the checkpoint.
    fn write_forces(&self, checkpoint: &Checkpoint) {
        let Some(forces) = self.of_contact().find(|words| words.label() == FORCES_OF_CONTACT) else { return };
        if let Some(part) = checkpoint.part(FORCES_OF_CONTACT).filter(|part| part.len() == forces.len()) {
            forces.write(&self.gpu, part);
        }
    }

    /// Refuses positions and velocities that are not finite, and inverse masses that are neither zero nor the node's.
    fn refuse_broken(&self, position: &[u32], velocity: &[u32]) -> Result<(), Error> {
        let values = |words: &[u32; 4]| words.map(f32::from_bits);
        for (what, all) in [("position", position), ("velocity", velocity)] {
            let broken = |words: &[u32; 4]| values(words)[..3].iter().any(|x| !x.is_finite());
            let rows = all.as_chunks().0;
            if let Some(node) = rows.iter().position(broken) {
                let [x, y, z, _] = values(&rows[node]);
                let message = format!("the {what} of node {node} in this checkpoint is [{x}, {y}, {z}]");
                return Err(Error::Argument(message));
            }
        }
        let wrong = |(words, mass): (&[u32; 4], &f32)| {
            let inverse = f32::from_bits(words[3]);
            inverse != 0.0 && inverse != 1.0 / mass
        };
        match position.as_chunks().0.iter().zip(self.model.mass()).position(wrong) {
            None => Ok(()),
            Some(node) => Err(Error::Argument(format!(
                "node {node} in this checkpoint is neither pinned nor has the mass of the scene"
            ))),
        }
    }

    /// Converts the stored velocities of a staggered solver from another step length to its own.
    fn stagger_anew(&mut self, substeps: u32) -> Result<(), Error> {
        let step = (f64::from(self.settings.step.frame_time) / f64::from(substeps)) as f32;
        let own = self.world;
        self.world = World::new(&self.settings, substeps, own.places(), step, own.reach());
        self.world.has_pulls = own.has_pulls;
        self.world_is_stale = true;
        self.upload_world();
        self.synchronize();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let [to, from] = &self.fields.velocity;
        encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, to.bytes());
        self.gpu.queue.submit([encoder.finish()]);
        self.world = own;
        self.world_is_stale = true;
        self.stagger()
    }
}

/// Asks for what buffers hold, each part under the buffer's name.
fn ask_parts<'a>(gpu: &Gpu, moment: Moment, lasting: impl IntoIterator<Item = Words<'a>>) -> Reading<Parts> {
    let none = Reading::ready(Parts { moment, parts: Vec::new() });
    lasting.into_iter().fold(none, |all, words| {
        let name = words.label().to_owned();
        all.zip(words.ask(gpu)).map(|(mut all, words)| {
            all.parts.push(Part { name, words });
            all
        })
    })
}

/// The words of a buffer, which must have this length.
fn part_of<'a>(checkpoint: &'a Checkpoint, name: &str, len: usize) -> Result<&'a [u32], Error> {
    let found = checkpoint.part(name);
    found.filter(|words| words.len() == len).ok_or_else(|| {
        let found = found.map_or("none".to_owned(), |words| words.len().to_string());
        Error::Argument(format!("this checkpoint holds {found} of the {len} words of '{name}'"))
    })
}
