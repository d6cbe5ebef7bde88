//! A window on a running simulation: look around, pause, step, drag the cloth with the mouse.

mod app;
mod controls;
mod drag;
mod input;
mod pacing;
mod panel;
mod screen;
mod stage;

use winit::event_loop::EventLoop;

use crate::Error;
use crate::gpu::GpuOptions;
use crate::model::Model;
use crate::render::{Camera, Look};
use crate::settings::Settings;

/// What the viewer shows and how it starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// The scene's name, for the title.
    pub name: String,
    /// How the GPU is opened; the limits that the model needs are added.
    pub gpu: GpuOptions,
    /// The view at the start; one that holds the whole body where `None`.
    pub camera: Option<Camera>,
    /// How the picture looks at the start.
    pub look: Look,
    /// Whether the simulation waits for the space bar.
    pub paused: bool,
}

/// Opens a window and simulates `model` in it until the window is closed.
pub fn run(model: Model, settings: Settings, options: Options) -> Result<(), Error> {
    let no_window = |e: String| {
        Error::Argument(format!(
            "no window can be opened here: {e}; use `taffeta run --image FILE.png` instead"
        ))
    };
    let event_loop = EventLoop::new().map_err(|e| no_window(e.to_string()))?;
    let mut app = app::App::new(model, settings, options);
    event_loop.run_app(&mut app).map_err(|e| no_window(e.to_string()))?;
    app.outcome()
}
