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
    pub simulation: Simulation<'static>,
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
        let display = Box::new(event_loop.owned_display_handle());
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(display);
        let needs = Simulation::requirements(model, settings)?.max(Renderer::requirements(model));
        let options = GpuOptions { requirements: options.requirements.max(needs), ..options.clone() };
        let gpu = Gpu::open_in(wgpu::Instance::new(descriptor), &options)?;
        // The simulation borrows its GPU and both live in one struct. A viewer opens one device, and
        // another each time one is lost: what leaks is a handle each.
        let gpu: &'static Gpu = Box::leak(Box::new(gpu));
        let screen = Screen::new(gpu, Arc::clone(window))?;
        let simulation = Simulation::new(gpu, model, settings)?;
        let renderer = Renderer::new(gpu, model, screen.format())?;
        Ok(Self { simulation, renderer, screen })
    }

    pub fn gpu(&self) -> &'static Gpu {
        self.simulation.gpu()
    }
}
