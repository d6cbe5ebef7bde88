//! A simulation that runs in a window, with the picture that the window shows of it.

use super::Contender;
use super::screen::Screen;
use crate::Error;
use crate::checkpoint::Checkpoint;
use crate::contact::Report;
use crate::gpu::{Gpu, Reading};
use crate::method::Convergence;
use crate::model::Model;
use crate::render::{Camera, Caption, Look, Measure, Renderer, Scene};
use crate::simulation::{Breakdown, Outcome, Parts, Simulation};
use crate::warning::Warning;

/// egui expects textures that do not decode sRGB.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub(super) struct Player {
    pub simulation: Simulation,
    pub largest_stretch: f32,
    /// Error of its steps as a part of the motion, if known.
    pub error: Option<f64>,
    /// Whether it broke down; then it is not stepped any more.
    pub is_broken: bool,
    /// What there is to say of contact since the start.
    pub warnings: Vec<Warning>,
    /// Whether surfaces have been seen to touch since the start.
    has_touched: bool,
    /// The requested checkpoint, once read back, of a moment before any breakdown.
    pub checkpoint: Option<Checkpoint>,
    asked: Option<Reading<News>>,
    framing: Option<Reading<Measure>>,
    color: Option<[u8; 3]>,
    renderer: Renderer,
    picture: Option<Picture>,
}

/// What a simulation is asked for from time to time.
struct News {
    outcomes: Vec<Outcome>,
    convergence: Vec<Convergence>,
    /// What the guard did, where contact is on.
    guard: Option<Report>,
    /// Whether anything touches. Asked for until something does, where that matters.
    touches: bool,
    /// Of a checkpoint, if one was requested.
    parts: Option<Parts>,
}

/// The answer of a player.
pub(super) enum Told {
    /// No new answer.
    Nothing,
    /// It runs; the error of its steps as a part of the motion, if known.
    Sound(Option<f64>),
    /// It has broken down.
    Broken(Box<Breakdown>),
}

/// The texture that it is drawn into.
struct Picture {
    view: wgpu::TextureView,
    size: [u32; 2],
    id: egui::TextureId,
}

impl Player {
    pub fn new(gpu: &Gpu, model: &Model, contender: &Contender) -> Result<Self, Error> {
        Ok(Self {
            simulation: Simulation::new(gpu, model, &contender.settings)?,
            largest_stretch: 0.0,
            error: None,
            is_broken: false,
            warnings: Vec::new(),
            has_touched: false,
            checkpoint: None,
            asked: None,
            framing: None,
            color: contender.color,
            renderer: Renderer::new(gpu, model, FORMAT)?,
            picture: None,
        })
    }

    /// Draws the simulation in this size [pixels], with its own color and caption. Returns the picture for egui.
    pub fn draw(
        &mut self,
        screen: &mut Screen,
        camera: &Camera,
        look: &Look,
        size: [u32; 2],
    ) -> Result<egui::TextureId, Error> {
        let gpu = self.simulation.gpu();
        if let Some(old) = self.picture.take_if(|picture| picture.size != size) {
            screen.overlay.remove_picture(old.id);
        }
        let picture = self.picture.get_or_insert_with(|| {
            let view = texture(gpu, size);
            Picture { id: screen.overlay.add_picture(gpu, &view), view, size }
        });
        let mut look = look.clone();
        if let Some(color) = self.color {
            look = look.in_color(color);
            look.caption = Some(caption(&self.simulation, self.largest_stretch, self.is_broken, color));
        }
        let scene = Scene::from(&self.simulation);
        self.renderer.draw(gpu, &scene, camera, &look, &picture.view, size)?;
        Ok(picture.id)
    }

    /// Height of the ground \[m\].
    pub fn default_ground(&self) -> f32 {
        self.renderer.default_ground(self.simulation.time())
    }

    /// Asks for the outcome, the error of its steps and what there is to say of contact, and for a checkpoint if `keeps`.
    pub fn ask(&mut self, keeps: bool) {
        let simulation = &self.simulation;
        let parts = match keeps {
            true => simulation.ask_checkpoint().map(Some),
            false => Reading::ready(None),
        };
        // What touches is read back only where there would be something to say of it.
        let says = || !simulation.warnings_of_contact(&Report::default(), true).is_empty();
        let touches = match !self.has_touched && says() {
            true => simulation.ask_touches(),
            false => Reading::ready(false),
        };
        self.checkpoint = None;
        let asked = simulation.ask_outcomes().zip(simulation.ask_convergence()).zip(simulation.ask_contact());
        let asked = asked.zip(touches).zip(parts);
        self.asked = Some(asked.map(|((((outcomes, convergence), guard), touches), parts)| News {
            outcomes,
            convergence,
            guard,
            touches,
            parts,
        }));
    }

    /// The answer to [`Player::ask`], which arrives some frames later.
    pub fn hear(&mut self) -> Result<Told, Error> {
        let Some(news) = Reading::arrived(&mut self.asked)? else {
            return Ok(Told::Nothing);
        };
        if let Some(guard) = news.guard {
            self.has_touched |= guard.cut > 0 || news.touches;
            self.warnings = self.simulation.warnings_of_contact(&guard, self.has_touched);
        }
        match self.simulation.verdict(&news.outcomes) {
            Ok(stretch) => {
                self.largest_stretch = stretch;
                let parts = news.parts.map(|parts| self.simulation.checkpoint_from(parts));
                self.checkpoint = parts.transpose()?;
                Ok(Told::Sound(news.convergence.into_iter().map(|c| c.share).reduce(f64::max)))
            }
            Err(Error::Diverged(breakdown)) => {
                self.is_broken = true;
                Ok(Told::Broken(breakdown))
            }
            Err(other) => Err(other),
        }
    }

    /// Whether an answer is still to come.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Goes back to the start and drops earlier requests.
    pub fn reset(&mut self) -> Result<(), Error> {
        (self.asked, self.framing, self.checkpoint) = (None, None, None);
        (self.error, self.is_broken, self.has_touched) = (None, false, false);
        self.warnings.clear();
        self.simulation.reset()
    }

    /// Asks for the extent of the present positions.
    pub fn ask_measure(&mut self) -> Result<(), Error> {
        let scene = Scene::from(&self.simulation);
        self.framing = Some(self.renderer.ask_measure(self.simulation.gpu(), &scene)?);
        Ok(())
    }

    /// The extent, once it has arrived.
    pub fn measure(&mut self) -> Result<Option<Measure>, Error> {
        Ok(Reading::arrived(&mut self.framing)?)
    }
}

/// The solver's name, and the state of its run.
fn caption(simulation: &Simulation, largest_stretch: f32, is_broken: bool, color: [u8; 3]) -> Caption {
    let substeps = simulation.substeps();
    let detail = match is_broken {
        true => format!("broke down at {:.2} s", simulation.time()),
        false => format!(
            "{substeps} substep{}, stretch {:.2} %",
            if substeps == 1 { "" } else { "s" },
            100.0 * largest_stretch
        ),
    };
    Caption { name: simulation.settings().solver.name().into(), detail, color }
}

fn texture(gpu: &Gpu, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}
