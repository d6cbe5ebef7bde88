//! The window and one turn of its event loop: simulate, draw, report.

use std::sync::Arc;

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::clock::Clock;
use super::controls::Controls;
use super::drag::Drag;
use super::framing::Framing;
use super::input::Mouse;
use super::pacing::Pacing;
use super::panel::{self, Report};
use super::player::Player;
use super::reach::Reach;
use super::stage::Stage;
use super::{Contender, Options};
use glam::Vec3;

use crate::Error;
use crate::checkpoint::Checkpoint;
use crate::gpu::GpuError;
use crate::model::Model;
use crate::render::Camera;
use crate::settings::Settings;
use crate::simulation::Simulation;

mod hand;
mod lost;
mod news;
#[cfg(all(test, target_os = "linux"))]
mod tests;

/// Pictures that are still drawn after the last change while paused, until the sky's light has settled.
const SETTLE: u32 = 10;

pub(super) struct App {
    model: Model,
    contenders: Vec<Contender>,
    options: Options,
    controls: Controls,
    window: Option<Arc<Window>>,
    stage: Option<Stage>,
    mouse: Mouse,
    /// What the mouse holds, and the index of its player.
    drag: Option<(usize, Drag)>,
    /// What the mouse is reaching for.
    reach: Option<Reach>,
    /// The bounding boxes measured so far, until all are known and the camera is turned to them.
    framing: Option<Framing>,
    pacing: Pacing,
    report: Report,
    clock: Clock,
    /// Times of events on the clock \[s\].
    last_turn: f64,
    last_report: f64,
    /// Pictures drawn and time simulated since the last report.
    since_report: (u32, f64),
    /// A checkpoint of every player, once all have been read back.
    kept: Vec<Checkpoint>,
    last_kept: f64,
    /// Number of lost devices since the last checkpoint.
    losses: u32,
    settle: u32,
    /// Whether a result has arrived that is not shown yet.
    has_news: bool,
    /// Whether the next report is due, as soon as all earlier requests have been answered.
    is_report_due: bool,
    /// Whether the camera has been turned to several bodies side by side.
    is_framed: bool,
    outcome: Result<(), Error>,
}

impl App {
    pub fn new(model: Model, contenders: Vec<Contender>, options: Options) -> Result<Self, Error> {
        let none = || Error::Argument("a window needs at least one simulation".into());
        let settings = &contenders.first().ok_or_else(none)?.settings;
        let positions = &model.initial_state().position;
        let low = positions.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = positions.iter().copied().reduce(Vec3::max).unwrap_or_default();
        let view = if settings.step.planar { Camera::facing } else { Camera::framing };
        let camera = options.camera.unwrap_or_else(|| view(low, high));
        let controls = Controls::new(&model, settings, camera, options.look.clone(), options.paused);
        Ok(Self {
            pacing: Pacing::new(settings.step.frame_time),
            model,
            contenders,
            options,
            controls,
            window: None,
            stage: None,
            mouse: Mouse::default(),
            drag: None,
            reach: None,
            framing: None,
            report: Report::default(),
            clock: Clock::start(),
            last_turn: 0.0,
            last_report: 0.0,
            since_report: (0, 0.0),
            kept: Vec::new(),
            last_kept: 0.0,
            losses: 0,
            settle: SETTLE,
            has_news: false,
            is_report_due: false,
            is_framed: false,
            outcome: Ok(()),
        })
    }

    /// Settings that all simulations share, such as those of the world.
    fn settings(&self) -> &Settings {
        &self.contenders[0].settings
    }

    /// The result of the run.
    pub fn outcome(self) -> Result<(), Error> {
        self.outcome
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), Error> {
        if self.window.is_none() {
            let attributes = Window::default_attributes()
                .with_title(format!("taffeta: {}", self.options.name))
                .with_inner_size(LogicalSize::new(1280.0, 800.0));
            let window = event_loop.create_window(attributes);
            let window = window.map_err(|e| Error::Argument(format!("no window can be opened here: {e}")))?;
            self.window = Some(Arc::new(window));
        }
        let Some(window) = &self.window else { return Ok(()) };
        let mut stage = Stage::open(event_loop, window, &self.options.gpu, &self.model, &self.contenders)?;
        let solvers: Vec<&str> = self.contenders.iter().map(|c| c.settings.solver.name()).collect();
        self.report = Report {
            solvers: solvers.join("\n"),
            nodes: self.model.node_count(),
            springs: self.model.springs().len(),
            substeps: stage.substeps(),
            adapter: stage.gpu.info().name.clone(),
            has_air: self.settings().has_air(),
            planar: self.settings().step.planar,
            ..Report::default()
        };
        if stage.players.len() > 1 && !std::mem::replace(&mut self.is_framed, true) {
            let ground = stage.players[0].default_ground();
            self.framing = Some(Framing::ask(&mut stage, ground)?);
        }
        self.stage = Some(stage);
        Ok(())
    }

    /// One turn of the loop.
    fn turn(&mut self) -> Result<(), Error> {
        let now = self.clock.seconds();
        let elapsed = now - self.last_turn;
        self.last_turn = now;
        self.has_news = false;
        self.obey()?;
        match self.go_on_reaching() {
            // Such as all handles in use.
            Err(Error::Argument(why)) => {
                self.reach = None;
                self.controls.message = Some(why);
            }
            other => other?,
        }
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let mut frames = self.pacing.frames(elapsed);
        if self.controls.paused {
            frames = u32::from(std::mem::take(&mut self.controls.step));
        }
        let seconds = f64::from(frames) * f64::from(self.contenders[0].settings.step.frame_time);
        for player in stage.players.iter_mut().filter(|player| !player.is_broken) {
            for _ in 0..frames {
                player.simulation.step()?;
            }
            self.report.time = player.simulation.time();
        }
        self.since_report.1 += seconds;
        // It may follow what surfaces do.
        self.report.substeps = stage.substeps();
        let gpu = stage.gpu.clone();
        let Some(frame) = stage.screen.frame(&gpu)? else { return Ok(()) };
        let cells = stage.cells();
        let Controls { camera, look, .. } = &self.controls;
        let mut pictures = Vec::new();
        for (index, player) in stage.players.iter_mut().enumerate() {
            let id = player.draw(&mut stage.screen, camera, look, cells.size)?;
            pictures.push((id, cells.corner(index as u32), cells.size));
        }
        let scale = stage.screen.scale();
        self.report.pulling = self.drag.map(|_| self.mouse.at.map(|x| x / scale));
        let (report, controls) = (&self.report, &mut self.controls);
        stage.screen.finish(&gpu, frame, &pictures, |context| panel::show(context, report, controls));
        gpu.check()?;
        self.since_report.0 += 1;
        self.settle = if frames > 0 { SETTLE } else { self.settle.saturating_sub(1) };
        self.tell()
    }

    /// Applies the requests of keys and panel.
    fn obey(&mut self) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let controls = &mut self.controls;
        if std::mem::take(&mut controls.reset) {
            if let Some((player, drag)) = self.drag.take() {
                drag.end(&mut stage.players[player].simulation);
            }
            self.reach = None;
            stage.players.iter_mut().try_for_each(Player::reset)?;
            self.framing = self.framing.take().map(|framing| framing.again(stage)).transpose()?;
            self.kept.clear();
            self.report.warnings.clear();
            controls.message = None;
        }
        if std::mem::take(&mut controls.frame) {
            self.framing = Some(Framing::ask(stage, f32::INFINITY)?);
        }
        if let Some(framing) = &mut self.framing
            && framing.is_done(stage, controls)?
        {
            self.framing = None;
            self.has_news = true;
        }
        for Player { simulation, .. } in &mut stage.players {
            set_forces(simulation, controls)?;
        }
        Ok(())
    }

    /// Ends the run, or opens a lost device again.
    fn handle(&mut self, event_loop: &ActiveEventLoop, result: Result<(), Error>) {
        let result = match result {
            Err(Error::Gpu(GpuError::Lost(why))) if self.stage.is_some() => self.reopen(event_loop, why),
            other => other,
        };
        if result.is_err() {
            self.outcome = result;
        }
        if self.outcome.is_err() || self.controls.quit {
            self.stage = None;
            event_loop.exit();
        }
    }

    /// Whether a request has not been answered yet.
    fn waits(&self) -> bool {
        let is_asked = |stage: &Stage| stage.players.iter().any(Player::is_asked);
        self.reach.is_some()
            || self.framing.is_some()
            || self.is_report_due
            || self.stage.as_ref().is_some_and(is_asked)
    }
}

/// Gives a simulation the forces that the user has set.
fn set_forces(simulation: &mut Simulation, controls: &Controls) -> Result<(), Error> {
    if controls.gravity != simulation.settings().world.gravity {
        simulation.set_gravity(controls.gravity)?;
    }
    if controls.wind != simulation.settings().world.wind {
        simulation.set_wind(controls.wind)?;
    }
    Ok(())
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.stage.is_none() {
            let opened = self.open(event_loop);
            self.handle(event_loop, opened);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let result = match event {
            WindowEvent::RedrawRequested => self.turn(),
            event => self.event(event),
        };
        self.handle(event_loop, result);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let busy = !self.controls.paused || self.controls.step || self.settle > 0;
        let busy = busy || self.has_news || self.waits();
        event_loop.set_control_flow(if busy { ControlFlow::Poll } else { ControlFlow::Wait });
        if let (true, Some(window)) = (busy, &self.window) {
            window.request_redraw();
        }
    }
}
