//! Good states kept in GPU memory: a copy is almost free, and only a run that fails reads one back.

use super::{Moment, Parts, ask_parts};
use crate::Error;
use crate::checkpoint::Checkpoint;
use crate::gpu::{Buffer, Reading, Usage};
use crate::simulation::Simulation;

/// A copy of the lasting buffers, and their moment.
pub struct Kept {
    moment: Moment,
    buffers: Vec<Buffer<u32>>,
}

impl Simulation {
    /// Returns [`Simulation::largest_stretch`]. If the run has not broken down, also keeps a copy of its state in GPU
    /// memory, in addition to the previous one. Each copy takes 32 bytes a node and what contact keeps, and is known to be
    /// good before it replaces another.
    pub fn keep(&mut self) -> Result<f32, Error> {
        let stretch = self.largest_stretch()?;
        self.keep_unchecked()?;
        Ok(stretch)
    }

    /// [`Simulation::keep`] without waiting, of a run that [`Simulation::ask_outcomes`] has found sound.
    pub fn keep_unchecked(&mut self) -> Result<(), Error> {
        let [last, before] = std::mem::take(&mut self.kept);
        let mut unused = before.map(|kept| kept.buffers).unwrap_or_default().into_iter();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut buffers = Vec::new();
        for words in self.lasting() {
            let fits = |b: &Buffer<u32>| b.label() == words.label() && b.len() == words.len();
            let buffer = match unused.next().filter(fits) {
                Some(buffer) => buffer,
                None => Buffer::zeroed(&self.gpu, words.label(), words.len(), Usage::empty())?,
            };
            words.copy_to(&mut encoder, &buffer);
            buffers.push(buffer);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.kept = [Some(Kept { moment: self.moment(), buffers }), last];
        Ok(self.gpu.check()?)
    }

    /// Waits; returns the earlier one of the two states that [`Simulation::keep`] kept last, however the run went on. A
    /// run blows up gradually: a state just before a limit is passed is seldom worth continuing.
    pub fn kept(&self) -> Result<Option<Checkpoint>, Error> {
        self.ask_kept().map(|kept| self.checkpoint_from(kept.wait()?)).transpose()
    }

    /// [`Simulation::kept`] without waiting: [`Simulation::checkpoint_from`] makes a checkpoint of what comes. `None` where
    /// nothing was kept.
    pub fn ask_kept(&self) -> Option<Reading<Parts>> {
        let [last, before] = &self.kept;
        let kept = before.as_ref().or(last.as_ref())?;
        Some(ask_parts(&self.gpu, kept.moment.clone(), kept.buffers.iter().map(Buffer::words)))
    }
}
