//! One of the simulations that run in a window: on the GPU, with the picture that the window shows of it.

use super::Contender;
use super::screen::Screen;
use crate::Error;
use crate::gpu::Gpu;
use crate::model::Model;
use crate::render::{Camera, Caption, Look, Measure, Renderer, Scene};
use crate::simulation::Simulation;

/// egui shows pictures whose texture does not decode sRGB.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub(super) struct Player {
    pub simulation: Simulation,
    pub largest_stretch: f32,
    /// Whether it broke down; it then stays as it was.
    pub is_broken: bool,
    color: Option<[u8; 3]>,
    renderer: Renderer,
    picture: Option<Picture>,
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
            is_broken: false,
            color: contender.color,
            renderer: Renderer::new(gpu, model, FORMAT)?,
            picture: None,
        })
    }

    /// Draws it in a size of pixels; `look` without colour and caption of its own. Returns the picture for egui.
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

    /// Extent and stretch of the present positions.
    pub fn measure(&self) -> Result<Measure, Error> {
        self.renderer.measure(self.simulation.gpu(), &Scene::from(&self.simulation))
    }
}

/// The solver's name, and how it fares.
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
