//! A window on a running simulation, or on several side by side: look around, pause, step, drag the cloth with the
//! mouse.

mod app;
mod clock;
mod controls;
mod drag;
mod framing;
mod input;
mod pacing;
mod panel;
mod player;
mod reach;
mod screen;
mod stage;

use winit::event_loop::EventLoop;

use crate::Error;
use crate::foreign::excerpt;
use crate::gpu::GpuOptions;
use crate::model::Model;
use crate::panics;
use crate::render::{Camera, Look};
use crate::settings::Settings;

/// A simulation that the window shows. All of one window differ in how they are stepped only.
#[derive(Clone, Debug)]
pub struct Contender {
    /// How the model is simulated.
    pub settings: Settings,
    /// The color of its body, sRGB, where it has one of its own.
    pub color: Option<[u8; 3]>,
}

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

/// Opens a window and simulates `model` in it, by each of the contenders, until the window is closed.
pub fn run(model: Model, contenders: Vec<Contender>, options: Options) -> Result<(), Error> {
    let no_window = |e: String| {
        Error::Argument(format!(
            "no window can be opened here: {e}; use `taffeta run --image FILE.png` instead"
        ))
    };
    let event_loop = EventLoop::new().map_err(|e| no_window(e.to_string()))?;
    let mut app = app::App::new(model, contenders, options)?;
    match panics::catch(&["winit"], || event_loop.run_app(&mut app)) {
        Ok(ran) => ran.map_err(|e| no_window(e.to_string()))?,
        Err(said) => {
            // Closing the window would panic again.
            std::mem::forget(app);
            let said = excerpt(&said);
            return Err(Error::Argument(format!(
                "the window system is gone, and the window with it ({said})"
            )));
        }
    }
    app.outcome()
}
