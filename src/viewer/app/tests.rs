//! The window on a virtual screen when its device is lost.

use std::process::Command;
use std::time::{Duration, Instant};

use super::lost::MOST_LOSSES;
use super::news::KEEP;
use super::*;
use crate::gpu::{Gpu, GpuOptions};
use crate::model::ModelBuilder;
use crate::render::Look;
use crate::shape::{Cloth, ClothMaterial, Fabric};
use winit::event_loop::EventLoop;
use winit::platform::x11::EventLoopBuilderExtX11;

#[path = "../../../tests/common/screen.rs"]
mod screen;

/// The environment variable of the process that opens the window.
const INSIDE: &str = "TAFFETA_TEST_WINDOW";

fn model() -> Model {
    let fabric =
        Fabric { density: 0.2, tensile: 100.0, shear: 20.0, flexion: 0.0, bending: 0.0, damping_time: 0.0 };
    let material = ClothMaterial::Fabric(fabric);
    let mut sheet =
        Cloth { corner: Vec3::Y, u: Vec3::X, v: Vec3::Z, columns: 8, rows: 8, material }.build().unwrap();
    sheet.pinned.extend(0..8);
    let mut builder = ModelBuilder::new();
    builder.add(sheet);
    builder.build().unwrap()
}

fn app() -> App {
    let settings = Settings::default();
    let options = Options {
        name: "lost".into(),
        gpu: GpuOptions::default(),
        camera: None,
        look: Look::default(),
        paused: false,
    };
    App::new(model(), vec![Contender { settings, color: None }], options).unwrap()
}

/// The acts of the test, one after the other.
#[derive(Debug, PartialEq)]
enum Act {
    /// The window runs until it has kept a state, and a little longer.
    Keeps,
    /// The device is destroyed, and the window goes on from that state.
    GoesOn,
    /// The user goes back to the start, the device is destroyed, and the window begins again from the start.
    BeginsAgain,
    /// Devices are destroyed faster than states are kept, until the window gives up.
    GivesUp,
}

/// The window, and how far the test is.
struct Play {
    app: App,
    act: Act,
    begun: Instant,
}

impl Play {
    fn destroy(&self) {
        self.app.stage.as_ref().unwrap().gpu.device.destroy();
    }

    fn message(&mut self) -> Option<String> {
        self.app.controls.message.take()
    }

    fn simulation(&self) -> &Simulation {
        &self.app.stage.as_ref().unwrap().players[0].simulation
    }

    /// After each turn.
    fn next(&mut self) {
        assert!(self.begun.elapsed() < Duration::from_secs(300), "{:?} takes for ever", self.act);
        match self.act {
            Act::Keeps => {
                let Some(kept) = self.app.kept.first() else {
                    // Ten seconds are long for a test.
                    self.app.last_kept = -KEEP;
                    return;
                };
                let then = kept.frames as f64 * f64::from(kept.frame_time);
                if self.simulation().time() > then + 0.1 {
                    self.app.last_kept = self.app.clock.seconds();
                    self.destroy();
                    self.act = Act::GoesOn;
                }
            }
            Act::GoesOn => {
                let Some(told) = self.message() else { return };
                let simulation = self.simulation();
                assert_eq!(
                    told,
                    format!(
                        "The GPU device was lost and opened again; the run went on from {:.2} s.",
                        simulation.time()
                    )
                );
                assert_eq!(Some(&simulation.checkpoint().unwrap()), self.app.kept.first());
                // The run continues as one that never stopped.
                let stage = self.app.stage.as_mut().unwrap();
                let simulation = &mut stage.players[0].simulation;
                simulation.step().unwrap();
                let gpu = Gpu::open(&GpuOptions::default()).unwrap();
                let mut other = Simulation::new(&gpu, &model(), &Settings::default()).unwrap();
                for _ in 0..=self.app.kept[0].frames {
                    other.step().unwrap();
                }
                assert_eq!(simulation.state().unwrap(), other.state().unwrap());
                // A framing under way goes on after a reset.
                self.app.controls.frame = true;
                self.app.obey().unwrap();
                self.app.controls.reset = true;
                self.app.obey().unwrap();
                while self.app.framing.is_some() {
                    assert!(self.begun.elapsed() < Duration::from_secs(300), "the reset lost the framing");
                    self.app.obey().unwrap();
                }
                self.destroy();
                self.act = Act::BeginsAgain;
            }
            Act::BeginsAgain => {
                let Some(told) = self.message() else { return };
                assert_eq!(
                    told,
                    "The GPU device was lost and opened again; the run began again from the start."
                );
                assert_eq!(self.simulation().time(), 0.0);
                self.destroy();
                self.act = Act::GivesUp;
            }
            Act::GivesUp => {
                if self.app.outcome.is_ok() && self.message().is_some() {
                    self.destroy();
                }
            }
        }
    }
}

impl ApplicationHandler for Play {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.app.resumed(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        let is_turn = event == WindowEvent::RedrawRequested;
        self.app.window_event(event_loop, id, event);
        if is_turn {
            self.next();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.app.about_to_wait(event_loop);
    }
}

#[test]
fn a_lost_device_is_opened_again_and_the_run_goes_on() {
    if std::env::var_os(INSIDE).is_some() {
        return play();
    }
    let Some(screen) = screen::Screen::open() else { return };
    // In a separate process: the X display is in the environment, which all tests share.
    let mut inside = Command::new(std::env::current_exe().unwrap());
    inside.args(["--exact", "viewer::app::tests::a_lost_device_is_opened_again_and_the_run_goes_on"]);
    let ended = screen.show(&mut inside).arg("--nocapture").env(INSIDE, "1").output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{told}{}", String::from_utf8_lossy(&ended.stdout));
    // One line in the terminal for each loss.
    let lines: Vec<_> = told.lines().filter(|line| line.contains("device was lost")).collect();
    assert_eq!(lines.len(), MOST_LOSSES as usize, "{told}");
    assert!(lines[0].contains("the run went on from"), "{told}");
}

fn play() {
    env_logger::Builder::new().filter_level(log::LevelFilter::Warn).init();
    let mut play = Play { app: app(), act: Act::Keeps, begun: Instant::now() };
    let mut builder = EventLoop::builder();
    builder.with_x11().with_any_thread(true);
    builder.build().unwrap().run_app(&mut play).unwrap();
    assert_eq!(play.act, Act::GivesUp, "{:?}", play.app.outcome);
    assert!(matches!(play.app.outcome(), Err(Error::Gpu(GpuError::Lost(_)))));
}
