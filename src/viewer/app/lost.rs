//! A lost device: the window opens it again, and the run goes on from the kept checkpoints.

use winit::event_loop::ActiveEventLoop;

use super::{App, SETTLE, set_forces};
use crate::Error;
use crate::foreign::excerpt;
use crate::gpu::GpuError;
use crate::viewer::input::Mouse;

/// Devices that may be lost without a checkpoint in between, so that a repeatable loss does not loop forever.
pub(super) const MOST_LOSSES: u32 = 3;

impl App {
    /// Opens the device again after it was lost.
    pub(super) fn reopen(&mut self, event_loop: &ActiveEventLoop, why: String) -> Result<(), Error> {
        self.losses += 1;
        if self.losses > MOST_LOSSES {
            return Err(GpuError::Lost(why).into());
        }
        (self.drag, self.reach, self.framing) = (None, None, None);
        self.mouse = Mouse::default();
        self.stage = None;
        self.open(event_loop)?;
        let Some(stage) = &mut self.stage else { return Ok(()) };
        for (player, kept) in stage.players.iter_mut().zip(&self.kept) {
            set_forces(&mut player.simulation, &self.controls)?;
            player.simulation.resume(kept)?;
        }
        let from = match (self.kept.is_empty(), stage.players.first()) {
            (false, Some(player)) => format!("went on from {:.2} s", player.simulation.time()),
            _ => "began again from the start".to_owned(),
        };
        let told = format!("The GPU device was lost and opened again; the run {from}.");
        log::warn!("{told} The driver says: {}", excerpt(&why));
        self.controls.message = Some(told);
        self.settle = SETTLE;
        Ok(())
    }
}
