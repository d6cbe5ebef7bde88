//! The window's events, and one turn of the loop: simulate, draw, report.

use std::sync::Arc;

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::clock::Clock;
use super::controls::Controls;
use super::drag::Drag;
use super::input::{self, Motion, Mouse};
use super::pacing::Pacing;
use super::panel::{self, Report};
use super::player::{Player, Told};
use super::reach::{Reach, Reached};
use super::stage::Stage;
use super::{Contender, Options};
use glam::Vec3;

use crate::Error;
use crate::checkpoint::Checkpoint;
use crate::foreign::excerpt;
use crate::gpu::GpuError;
use crate::model::Model;
use crate::render::{Camera, Cells, Ray, nice_scale};
use crate::settings::Settings;
use crate::simulation::Simulation;

#[cfg(all(test, target_os = "linux"))]
mod tests;

/// How often title and stretch are brought up to date \[s\].
const REPORT: f64 = 0.5;
/// How often the state is read back, to go on from after a lost device \[s\].
const KEEP: f64 = 10.0;
/// Devices that may be lost with nothing kept between: what ends a device each time is not tried for ever.
const MOST_LOSSES: u32 = 3;
/// Pictures still drawn after the last change while paused, for the sky's light to settle.
const SETTLE: u32 = 10;

pub(super) struct App {
    model: Model,
    contenders: Vec<Contender>,
    options: Options,
    controls: Controls,
    window: Option<Arc<Window>>,
    stage: Option<Stage>,
    mouse: Mouse,
    /// What the mouse holds, and of which player.
    drag: Option<(usize, Drag)>,
    /// What it is about to hold.
    reach: Option<Reach>,
    /// Boxes of the players that have been measured, until all have and the camera is turned to them.
    framing: Option<Framing>,
    pacing: Pacing,
    report: Report,
    clock: Clock,
    /// Times of the clock.
    last_turn: f64,
    last_report: f64,
    /// Pictures drawn and time simulated since the last report.
    since_report: (u32, f64),
    /// A checkpoint of every player, once they have been read back.
    kept: Vec<Checkpoint>,
    last_kept: f64,
    /// Devices lost since.
    losses: u32,
    settle: u32,
    /// Whether something came that is not yet shown.
    has_news: bool,
    /// Whether it is time to ask how things are, as soon as what was asked before has come.
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

    /// What the simulations have in common: all but how they are stepped.
    fn settings(&self) -> &Settings {
        &self.contenders[0].settings
    }

    /// How the run ended.
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
            substeps: match &stage.players[..] {
                [only] => Some(only.simulation.substeps()),
                _ => None,
            },
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
        self.go_on_reaching()?;
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

    /// Does what was asked for with keys or the panel.
    fn obey(&mut self) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let controls = &mut self.controls;
        if std::mem::take(&mut controls.reset) {
            if let Some((player, drag)) = self.drag.take() {
                drag.end(&mut stage.players[player].simulation);
            }
            self.reach = None;
            stage.players.iter_mut().try_for_each(Player::reset)?;
            self.kept.clear();
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

    /// Takes what has come, and asks for news now and then.
    fn tell(&mut self) -> Result<(), Error> {
        self.hear()?;
        let now = self.clock.seconds();
        let elapsed = now - self.last_report;
        let Some(stage) = &mut self.stage else { return Ok(()) };
        // With one picture left to draw while paused it is the last chance to ask how things are.
        self.is_report_due |= elapsed >= REPORT || self.settle == 1;
        if !self.is_report_due || stage.players.iter().any(Player::is_asked) {
            return Ok(());
        }
        self.is_report_due = false;
        let (pictures, seconds) = std::mem::take(&mut self.since_report);
        self.last_report = now;
        self.report.fps = f64::from(pictures) as f32 / elapsed as f32;
        self.report.speed = (seconds / elapsed) as f32;
        let paused = if self.controls.paused { ", paused" } else { "" };
        stage.screen.window.set_title(&format!(
            "taffeta: {} – {:.0} fps, {:.1} ms{paused}",
            self.options.name,
            self.report.fps,
            1e3 * elapsed / f64::from(pictures.max(1)),
        ));
        let is_sound = stage.players.iter().all(|player| !player.is_broken);
        let keeps = is_sound && !self.controls.paused && now - self.last_kept > KEEP;
        stage.players.iter_mut().filter(|player| !player.is_broken).for_each(|player| player.ask(keeps));
        Ok(())
    }

    /// Shows what players tell of what they were asked, and keeps their states once all have come.
    fn hear(&mut self) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let mut any = false;
        for player in &mut stage.players {
            match player.hear()? {
                Told::Nothing => continue,
                Told::Sound(error) => player.error = error,
                Told::Broken(why) => self.controls.message = Some(why.to_string()),
            }
            any = true;
        }
        if !any || stage.players.iter().any(Player::is_asked) {
            return Ok(());
        }
        self.has_news = true;
        let sound = || stage.players.iter().filter(|player| !player.is_broken);
        self.report.error = sound().filter_map(|player| player.error).reduce(f64::max);
        if sound().next().is_none() {
            self.controls.paused = true;
        } else {
            let stretches = stage.players.iter().map(|player| player.largest_stretch);
            self.report.largest_stretch = stretches.fold(0.0, f32::max);
        }
        if self.controls.follow_stretch {
            self.controls.look.stretch_scale = nice_scale(self.report.largest_stretch);
        }
        let kept: Option<Vec<Checkpoint>> =
            stage.players.iter_mut().map(|player| player.checkpoint.take()).collect();
        if let Some(kept) = kept {
            self.kept = kept;
            self.last_kept = self.clock.seconds();
            self.losses = 0;
        }
        Ok(())
    }

    /// Opens the device again after it was lost.
    fn reopen(&mut self, event_loop: &ActiveEventLoop, why: String) -> Result<(), Error> {
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

    /// The ray under the mouse in a picture.
    fn ray(&self, cells: Cells, picture: usize) -> Ray {
        let [x, y] = cells.place(picture as u32, self.mouse.at);
        self.controls.camera.ray(x, y, cells.aspect())
    }

    fn event(&mut self, event: WindowEvent) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let taken = stage.screen.take_event(&event);
        let cells = stage.cells();
        self.settle = SETTLE;
        match event {
            WindowEvent::CloseRequested => self.controls.quit = true,
            WindowEvent::Resized(size) => stage.resize(size.into()),
            WindowEvent::ModifiersChanged(modifiers) => self.mouse.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. }
                if event.state == ElementState::Pressed && !stage.screen.types() =>
            {
                input::key(&event.logical_key, event.repeat, &mut self.controls);
            }
            WindowEvent::MouseWheel { delta, .. } if !taken => input::wheel(delta, &mut self.controls),
            WindowEvent::CursorMoved { position, .. } => {
                let to = [position.x as f32, position.y as f32];
                self.mouse.travel(to, cells.size[1] as f32, &mut self.controls);
                if let Some((player, drag)) = self.drag {
                    let ray = self.ray(cells, player);
                    if let Some(stage) = &mut self.stage {
                        drag.pull(&mut stage.players[player].simulation, ray)?;
                    }
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                if taken && state == ElementState::Pressed {
                    return Ok(());
                }
                match self.mouse.press(button, state) {
                    Some(Motion::Pull) => self.reach_out(cells),
                    Some(Motion::None) => {
                        self.reach = None;
                        if let (Some((player, drag)), Some(stage)) = (self.drag.take(), &mut self.stage) {
                            drag.end(&mut stage.players[player].simulation);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reaches for the cloth under the mouse.
    fn reach_out(&mut self, cells: Cells) {
        let player = cells.at(self.mouse.at).map(|index| index as usize);
        let ray = player.map(|player| self.ray(cells, player));
        self.reach = match (player, ray, &self.stage) {
            (Some(player), Some(ray), Some(stage)) => {
                Some(Reach::begin(player, &stage.players[player].simulation, ray))
            }
            _ => None,
        };
        if self.reach.is_none() {
            self.mouse.motion = Motion::Orbit;
        }
    }

    /// Grabs what was under the mouse, or turns the camera where there is nothing.
    fn go_on_reaching(&mut self) -> Result<(), Error> {
        let (Some(reach), Some(stage)) = (&mut self.reach, &mut self.stage) else { return Ok(()) };
        let Controls { camera, stiffness, radius, .. } = &self.controls;
        let (player, cells) = (reach.player, stage.cells());
        let simulation = &mut stage.players[player].simulation;
        match reach.go_on(simulation, camera, *stiffness, *radius)? {
            Reached::Waits => return Ok(()),
            Reached::Nothing => self.mouse.motion = Motion::Orbit,
            Reached::Holds(drag) => {
                self.drag = Some((player, drag));
                // The mouse may have moved on.
                let ray = self.ray(cells, player);
                if let Some(stage) = &mut self.stage {
                    drag.pull(&mut stage.players[player].simulation, ray)?;
                }
            }
        }
        self.reach = None;
        Ok(())
    }

    /// Whether something was asked for that has not come.
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

/// Turns the camera to all bodies, wherever they are now, with room down to a height \[m\].
struct Framing {
    height: f32,
    /// Lowest and highest coordinates of each player, once they have come.
    boxes: Vec<Option<(Vec3, Vec3)>>,
}

impl Framing {
    fn ask(stage: &mut Stage, height: f32) -> Result<Self, Error> {
        stage.players.iter_mut().try_for_each(Player::ask_measure)?;
        let broken = |player: &Player| player.is_broken.then_some((Vec3::INFINITY, Vec3::NEG_INFINITY));
        Ok(Self { height, boxes: stage.players.iter().map(broken).collect() })
    }

    /// Takes what has come; turns the camera once all has.
    fn is_done(&mut self, stage: &mut Stage, controls: &mut Controls) -> Result<bool, Error> {
        for (player, place) in stage.players.iter_mut().zip(&mut self.boxes) {
            if place.is_none() {
                *place = player.measure()?.map(|measure| (measure.low, measure.high));
            }
        }
        let Some(boxes) = self.boxes.iter().copied().collect::<Option<Vec<_>>>() else { return Ok(false) };
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (lowest, highest) in boxes {
            (low, high) = (low.min(lowest), high.max(highest));
        }
        low.y = low.y.min(self.height);
        match stage.players.len() {
            1 => controls.camera.frame(low, high),
            _ => stage.cells().frame(&mut controls.camera, low, high),
        }
        Ok(true)
    }
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
