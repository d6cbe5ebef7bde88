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

/// A simulation that the window shows. The simulations of a window differ only in how they are stepped.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The settings of the simulation.
    pub settings: Settings,
    /// The color of its body, sRGB, if it has one of its own.
    pub color: Option<[u8; 3]>,
}

/// Options of the viewer.
#[derive(Clone, Debug)]
pub struct Options {
    /// The scene's name, for the title.
    pub name: String,
    /// Options for opening the GPU; the viewer adds the limits that the model needs.
    pub gpu: GpuOptions,
    /// The view at the start; `None` for one that shows the whole body.
    pub camera: Option<Camera>,
    /// How the picture looks at the start.
    pub look: Look,
    /// Whether the simulation waits for the space bar.
    pub paused: bool,
}

/// Opens a window and simulates `model` in it with each of the contenders, until the window is closed.
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
