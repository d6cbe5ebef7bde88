//! Everything that belongs to one opened device: GPU, simulations with their pictures, surface.

use std::sync::Arc;

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::Contender;
use super::player::Player;
use super::screen::Screen;
use crate::Error;
use crate::gpu::{Gpu, GpuOptions};
use crate::model::Model;
use crate::render::{Cells, Renderer};
use crate::simulation::Simulation;

pub(super) struct Stage {
    pub gpu: Gpu,
    pub players: Vec<Player>,
    pub screen: Screen,
}

impl Stage {
    pub fn open(
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        options: &GpuOptions,
        model: &Model,
        contenders: &[Contender],
    ) -> Result<Self, Error> {
        let mut needs = options.requirements.max(Renderer::requirements(model));
        for contender in contenders {
            needs = needs.max(Simulation::requirements(model, &contender.settings)?);
        }
        let options = GpuOptions { requirements: needs, ..options.clone() };
        let gpu = Gpu::open_with(&options, || {
            let display = Box::new(event_loop.owned_display_handle());
            wgpu::InstanceDescriptor::new_with_display_handle(display)
        })?;
        let screen = Screen::new(&gpu, Arc::clone(window))?;
        let players = contenders.iter().map(|contender| Player::new(&gpu, model, contender));
        Ok(Self { players: players.collect::<Result<_, _>>()?, gpu, screen })
    }

    /// Where the pictures lie in the window.
    pub fn cells(&self) -> Cells {
        Cells::new(self.screen.size(), self.players.len() as u32)
    }

    /// Substeps a frame, of a simulation alone.
    pub fn substeps(&self) -> Option<u32> {
        match &self.players[..] {
            [only] => Some(only.simulation.substeps()),
            _ => None,
        }
    }

    /// Adapts to the window's size [pixels].
    pub fn resize(&mut self, size: [u32; 2]) {
        self.screen.resize(&self.gpu, size);
    }
}
