//! Everything that belongs to one opened device: GPU, simulation, renderer, surface.

use std::sync::Arc;

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::screen::Screen;
use crate::Error;
use crate::gpu::{Gpu, GpuOptions};
use crate::model::Model;
use crate::render::Renderer;
use crate::settings::Settings;
use crate::simulation::Simulation;

pub(super) struct Stage {
    pub simulation: Simulation,
    pub renderer: Renderer,
    pub screen: Screen,
}

impl Stage {
    pub fn open(
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        options: &GpuOptions,
        model: &Model,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let needs = Simulation::requirements(model, settings)?.max(Renderer::requirements(model));
        let options = GpuOptions { requirements: options.requirements.max(needs), ..options.clone() };
        let gpu = Gpu::open_with(&options, || {
            let display = Box::new(event_loop.owned_display_handle());
            wgpu::InstanceDescriptor::new_with_display_handle(display)
        })?;
        let screen = Screen::new(&gpu, Arc::clone(window))?;
        let simulation = Simulation::new(&gpu, model, settings)?;
        let renderer = Renderer::new(&gpu, model, screen.format())?;
        Ok(Self { simulation, renderer, screen })
    }

    pub fn gpu(&self) -> &Gpu {
        self.simulation.gpu()
    }

    /// Follows the window's size [pixels].
    pub fn resize(&mut self, size: [u32; 2]) {
        self.screen.resize(self.simulation.gpu(), size);
    }
}
