//! The window's events, and one turn of the loop: simulate, draw, report.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::Options;
use super::controls::Controls;
use super::drag::Drag;
use super::input::{self, Motion, Mouse};
use super::pacing::Pacing;
use super::panel::{self, Report};
use super::stage::Stage;
use crate::Error;
use crate::gpu::GpuError;
use crate::model::Model;
use crate::render::{Camera, Ray, Scene, nice_scale};
use crate::settings::Settings;
use crate::state::State;

/// How often title and stretch are brought up to date: reading back waits for the GPU.
const REPORT: Duration = Duration::from_millis(500);
/// How often the state is read back, to go on from after a lost device.
const KEEP: Duration = Duration::from_secs(10);
/// Pictures still drawn after the last change while paused, for the sky's light to settle.
const SETTLE: u32 = 10;

pub(super) struct App {
    model: Model,
    settings: Settings,
    options: Options,
    controls: Controls,
    window: Option<Arc<Window>>,
    stage: Option<Stage>,
    mouse: Mouse,
    drag: Option<Drag>,
    pacing: Pacing,
    report: Report,
    last_turn: Instant,
    last_report: Instant,
    /// Pictures drawn and time simulated since the last report.
    since_report: (u32, f64),
    kept: Option<State>,
    last_kept: Instant,
    settle: u32,
    outcome: Result<(), Error>,
}

impl App {
    pub fn new(model: Model, settings: Settings, options: Options) -> Self {
        let positions = &model.initial_state().position;
        let low = positions.iter().copied().reduce(glam::Vec3::min).unwrap_or_default();
        let high = positions.iter().copied().reduce(glam::Vec3::max).unwrap_or_default();
        let view = if settings.planar { Camera::facing } else { Camera::framing };
        let camera = options.camera.unwrap_or_else(|| view(low, high));
        let controls = Controls::new(&model, &settings, camera, options.look.clone(), options.paused);
        let now = Instant::now();
        Self {
            pacing: Pacing::new(settings.frame_time),
            model,
            settings,
            options,
            controls,
            window: None,
            stage: None,
            mouse: Mouse::default(),
            drag: None,
            report: Report::default(),
            last_turn: now,
            last_report: now,
            since_report: (0, 0.0),
            kept: None,
            last_kept: now,
            settle: SETTLE,
            outcome: Ok(()),
        }
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
        let stage = Stage::open(event_loop, window, &self.options.gpu, &self.model, &self.settings)?;
        self.report = Report {
            solver: self.settings.solver.name(),
            nodes: self.model.node_count(),
            springs: self.model.springs().len(),
            substeps: stage.simulation.substeps(),
            adapter: stage.gpu().adapter.get_info().name,
            has_air: self.settings.has_air(),
            planar: self.settings.planar,
            ..Report::default()
        };
        self.stage = Some(stage);
        Ok(())
    }

    /// One turn of the loop.
    fn turn(&mut self) -> Result<(), Error> {
        let now = Instant::now();
        let elapsed = (now - self.last_turn).as_secs_f64();
        self.last_turn = now;
        self.obey()?;
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let mut frames = self.pacing.frames(elapsed);
        if self.controls.paused {
            frames = u32::from(std::mem::take(&mut self.controls.step));
        }
        for _ in 0..frames {
            stage.simulation.step()?;
        }
        self.since_report.1 += f64::from(frames) * f64::from(self.settings.frame_time);
        let gpu = stage.gpu().clone();
        let Some(frame) = stage.screen.frame(&gpu)? else { return Ok(()) };
        let scene = Scene::from(&stage.simulation);
        let Controls { camera, look, .. } = &self.controls;
        stage.renderer.draw(&gpu, &scene, camera, look, &frame.view, frame.size)?;
        self.report.time = stage.simulation.time();
        let scale = stage.screen.scale();
        self.report.pulling = self.drag.map(|_| self.mouse.at.map(|x| x / scale));
        let (report, controls) = (&self.report, &mut self.controls);
        stage.screen.finish(&gpu, frame, |context| panel::show(context, report, controls));
        gpu.check()?;
        self.since_report.0 += 1;
        self.settle = if frames > 0 { SETTLE } else { self.settle.saturating_sub(1) };
        self.tell()
    }

    /// Does what was asked for with keys or the panel.
    fn obey(&mut self) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let (simulation, controls) = (&mut stage.simulation, &mut self.controls);
        if std::mem::take(&mut controls.reset) {
            if let Some(drag) = self.drag.take() {
                drag.end(simulation);
            }
            simulation.reset()?;
            self.kept = None;
            controls.message = None;
        }
        if std::mem::take(&mut controls.frame) {
            let measure = stage.renderer.measure(simulation.gpu(), &Scene::from(&*simulation))?;
            controls.camera.frame(measure.low, measure.high);
        }
        if controls.gravity != simulation.settings().gravity {
            simulation.set_gravity(controls.gravity)?;
        }
        if controls.wind != simulation.settings().wind {
            simulation.set_wind(controls.wind)?;
        }
        Ok(())
    }

    /// Brings title, stretch and the kept state up to date, now and then.
    fn tell(&mut self) -> Result<(), Error> {
        let now = Instant::now();
        let elapsed = (now - self.last_report).as_secs_f32();
        let Some(stage) = &self.stage else { return Ok(()) };
        if elapsed < REPORT.as_secs_f32() {
            return Ok(());
        }
        let (pictures, seconds) = std::mem::take(&mut self.since_report);
        self.last_report = now;
        self.report.fps = pictures as f32 / elapsed;
        self.report.speed = seconds as f32 / elapsed;
        let mut is_sound = true;
        match stage.simulation.check() {
            Ok(stretch) => self.report.largest_stretch = stretch,
            Err(Error::Diverged(why)) => {
                is_sound = false;
                self.controls.paused = true;
                self.controls.message = Some(why);
            }
            Err(other) => return Err(other),
        }
        if self.controls.follow_stretch {
            self.controls.look.stretch_scale = nice_scale(self.report.largest_stretch);
        }
        let paused = if self.controls.paused { ", paused" } else { "" };
        stage.screen.window.set_title(&format!(
            "taffeta: {} – {:.0} fps, {:.1} ms{paused}",
            self.options.name,
            self.report.fps,
            1e3 * elapsed / pictures.max(1) as f32,
        ));
        if is_sound && !self.controls.paused && now - self.last_kept > KEEP {
            self.kept = Some(stage.simulation.state()?);
            self.last_kept = now;
        }
        Ok(())
    }

    /// Opens the device again after it was lost.
    fn reopen(&mut self, event_loop: &ActiveEventLoop, why: &str) -> Result<(), Error> {
        log::warn!("{why}; opening it again");
        self.drag = None;
        self.mouse = Mouse::default();
        self.stage = None;
        self.open(event_loop)?;
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let from = match &self.kept {
            Some(state) => {
                stage.simulation.set_state(state)?;
                format!("went on from {:.2} s", state.time)
            }
            None => "began again from the start".to_owned(),
        };
        self.controls.message = Some(format!("The GPU device was lost and opened again; the run {from}."));
        self.settle = SETTLE;
        Ok(())
    }

    /// Ends the run, or opens a lost device again.
    fn handle(&mut self, event_loop: &ActiveEventLoop, result: Result<(), Error>) {
        let result = match result {
            Err(Error::Gpu(GpuError::Lost(why))) if self.stage.is_some() => self.reopen(event_loop, &why),
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

    /// The ray under the mouse.
    fn ray(&self, size: [u32; 2]) -> Ray {
        let [width, height] = size.map(|s| s as f32);
        self.controls.camera.ray(self.mouse.at[0] / width, self.mouse.at[1] / height, width / height)
    }

    fn event(&mut self, event: WindowEvent) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let taken = stage.screen.take_event(&event);
        let size = stage.screen.size();
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
                self.mouse.travel(to, size[1] as f32, &mut self.controls);
                let ray = self.ray(size);
                if let (Some(drag), Some(stage)) = (&self.drag, &mut self.stage) {
                    drag.pull(&mut stage.simulation, ray)?;
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                if taken && state == ElementState::Pressed {
                    return Ok(());
                }
                match self.mouse.press(button, state) {
                    Some(Motion::Pull) => self.take_hold(size)?,
                    Some(Motion::None) => {
                        if let (Some(drag), Some(stage)) = (self.drag.take(), &mut self.stage) {
                            drag.end(&mut stage.simulation);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Grabs the cloth under the mouse, or turns the camera where there is none.
    fn take_hold(&mut self, size: [u32; 2]) -> Result<(), Error> {
        let ray = self.ray(size);
        let Controls { camera, stiffness, radius, .. } = &self.controls;
        let Some(stage) = &mut self.stage else { return Ok(()) };
        self.drag = Drag::begin(&mut stage.simulation, camera, ray, *stiffness, *radius)?;
        if self.drag.is_none() {
            self.mouse.motion = Motion::Orbit;
        }
        Ok(())
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
        event_loop.set_control_flow(if busy { ControlFlow::Poll } else { ControlFlow::Wait });
        if let (true, Some(window)) = (busy, &self.window) {
            window.request_redraw();
        }
    }
}
