//! One frame: how many substeps it takes, and what each of them records.

use super::pins::Pins;
use super::{FRAMES_IN_FLIGHT, Simulation, copies};
use crate::Error;
use crate::gpu::{Pass, Timer};
use crate::method::Substep;

impl Simulation {
    /// Advances by one frame: records all substeps and submits them.
    ///
    /// It does not wait for this frame. If two earlier frames have not finished yet, it waits for the first of them, so that
    /// a fast program does not queue frames without end; in a browser it never waits.
    pub fn step(&mut self) -> Result<(), Error> {
        self.step_timed(None)
    }

    /// [`Simulation::step`], timed on the GPU.
    pub fn step_timed(&mut self, timer: Option<&Timer>) -> Result<(), Error> {
        let time = self.time();
        let frame = f64::from(self.settings.step.frame_time);
        if let Some(pins) = &mut self.pins {
            pins.prepare(&self.gpu, time, frame);
        }
        self.moments.prepare(&self.gpu, time, frame, self.steps());
        self.choose_substeps()?;
        self.prepare_handles(time, frame)?;
        self.frames += 1;
        self.substeps_done += u64::from(self.substeps);
        self.upload_world();

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = Pass::begin(&mut encoder, "frame", timer);
        if let Some(pins) = &self.pins {
            pins.record(&mut pass);
        }
        for substep in 0..self.substeps {
            self.moments.record(&mut pass);
            self.handles.record(&mut pass, substep);
            self.record_substep(&mut pass, substep);
        }
        let swapped = self.solver.result(self.substeps) == 1;
        if !swapped {
            self.watch.record(&mut pass);
        }
        self.dispatches = pass.dispatches();
        drop(pass);
        if swapped {
            self.copy_back(&mut encoder);
            let mut pass = Pass::begin(&mut encoder, "watch", None);
            self.watch.record(&mut pass);
            self.dispatches += pass.dispatches();
        }
        if let Some(timer) = timer {
            timer.resolve(&mut encoder);
        }
        let submission = self.gpu.queue.submit([encoder.finish()]);
        self.in_flight.push_back(submission);
        self.pace.iter_mut().for_each(|pace| pace.ask(&self.gpu));
        self.gpu.check()?;
        self.limit_frames_in_flight()
    }

    /// Records a single substep, for measurements. Do not use the state afterward.
    pub fn record_substep(&self, pass: &mut Pass<'_>, substep: u32) {
        let pair = self.solver.result(substep);
        let pace = self.pace.as_ref().filter(|_| substep == 0);
        if let Some(guard) = &self.guard {
            guard.record_start(pass, pair);
            if self.soft.is_some() || pace.is_some() {
                guard.record_tree(pass);
            }
            pace.iter().for_each(|pace| pace.record(pass));
            self.soft.iter().for_each(|soft| soft.record(pass));
            self.memory.iter().for_each(|memory| memory.record_start(pass));
        }
        if let Some(touch) = &self.touch {
            touch.record(pass, pair);
        }
        self.solver.record(pass, Substep { index: substep, is_last: substep + 1 == self.substeps });
        if let Some(guard) = &self.guard {
            let pair = self.solver.result(substep + 1);
            guard.record_end(pass, pair);
            self.memory.iter().for_each(|memory| memory.record_end(pass, pair));
        }
    }

    pub(super) fn prepare_handles(&mut self, time: f64, frame: f64) -> Result<(), Error> {
        if self.handles.is_stale() {
            // Only grabbed nodes are written, so the pulls of a released handle are cleared.
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(self.fields.applied.raw(), 0, Some(self.fields.position[0].bytes()));
            self.gpu.queue.submit([encoder.finish()]);
        }
        let has_pulls = u32::from(self.handles.prepare(&self.gpu, time, frame, self.substeps)?);
        self.world_is_stale |= has_pulls != self.world.has_pulls;
        self.world.has_pulls = has_pulls;
        Ok(())
    }

    /// Substeps done since the last [`Simulation::set_state`], saturating at 32 bits, as if all frames had the least number.
    pub(super) fn steps(&self) -> u32 {
        (self.frames * u64::from(self.least_substeps)).min(u64::from(u32::MAX / 2)) as u32
    }

    /// Gives the coming frame its number of substeps, where that is free. Pins and what depends on time are prepared.
    fn choose_substeps(&mut self) -> Result<(), Error> {
        self.upload_world();
        let (Some(pace), Some(guard)) = (&mut self.pace, &self.guard) else { return Ok(()) };
        let pins = self.pins.as_ref();
        let is_driven = pins.is_some_and(Pins::is_moving);
        let substeps = pace.begin(&self.gpu, self.frames, is_driven, |pass| {
            pins.iter().for_each(|pins| pins.record(pass));
            guard.record_start(pass, 0);
            guard.record_tree(pass);
        })?;
        self.set_substeps(substeps)
    }

    /// Gives the kernels the number of substeps and their length.
    pub(super) fn set_substeps(&mut self, substeps: u32) -> Result<(), Error> {
        if substeps != std::mem::replace(&mut self.substeps, substeps) {
            self.write_step()?;
        }
        Ok(())
    }

    /// Writes the length of a substep, and what depends on it.
    pub(super) fn write_step(&mut self) -> Result<(), Error> {
        let frame = f64::from(self.settings.step.frame_time);
        let [longest, step] = [self.least_substeps, self.substeps].map(|n| (frame / f64::from(n)) as f32);
        self.world = self.world.with_step(&self.settings, step, longest);
        self.world_is_stale = true;
        self.write_surroundings()
    }

    /// Writes what copies have of their own, which depends on the step.
    fn write_surroundings(&self) -> Result<(), Error> {
        if self.model.copies() > 1 {
            let all = copies::surroundings(&self.model, &self.settings, self.step_length())?;
            self.fields.applied.write(&self.gpu, self.fields.applied.len() - all.len(), &all);
        }
        Ok(())
    }

    /// Updates the uniform if the world has changed.
    pub(super) fn upload_world(&mut self) {
        if std::mem::take(&mut self.world_is_stale) {
            self.world_buffer.write(&self.gpu, 0, &[self.world]);
        }
    }

    fn copy_back(&self, encoder: &mut wgpu::CommandEncoder) {
        for [to, from] in [&self.fields.position, &self.fields.velocity] {
            encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, to.bytes());
        }
    }

    fn limit_frames_in_flight(&mut self) -> Result<(), Error> {
        if self.in_flight.len() >= FRAMES_IN_FLIGHT
            && let Some(submission) = self.in_flight.pop_front()
        {
            self.gpu.wait_for(submission)?;
        }
        Ok(self.gpu.check()?)
    }
}
