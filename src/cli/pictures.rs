//! Pictures of a run: one of the end, numbered ones during the run.

use std::ops::Range;
use std::path::{Path, PathBuf};

use taffeta::gpu::Requirements;
use taffeta::model::Model;
use taffeta::render::{Camera, Look, Measure, Mode, Projection, Renderer, Scene, nice_scale};
use taffeta::scene::{CameraSpec, ProjectionSpec};
use taffeta::settings::Settings;
use taffeta::simulation::Simulation;

use super::failure::Failure;
use super::folder::Folder;
use super::{outputs, parse};

/// Options for pictures.
#[derive(clap::Args)]
#[command(next_help_heading = "Pictures", group = clap::ArgGroup::new("drawn").multiple(true))]
pub struct PictureArgs {
    /// File for a picture of the end (.png)
    #[arg(long, value_name = "FILE", group = "drawn")]
    image: Option<PathBuf>,

    /// Directory for numbered pictures 000000.png, 000001.png, ...: the start, then --fps a simulated second
    #[arg(long, value_name = "DIR", groups = ["drawn", "folders"])]
    frames: Option<PathBuf>,

    /// Size of pictures [pixels], each side from 16 to 16384
    #[arg(long, value_name = "WxH", value_parser = parse::size, default_value = "1280x720", requires = "drawn")]
    size: [u32; 2],

    /// What pictures show
    #[arg(long, value_name = "WHAT", value_parser = parse::mode(), default_value = "surface", requires = "drawn")]
    show: Mode,
}

/// The pictures of one run.
pub struct Pictures {
    image: Option<PathBuf>,
    frames: Option<Folder>,
    size: [u32; 2],
    mode: Mode,
    renderer: Option<Renderer>,
    camera: Option<Camera>,
}

impl PictureArgs {
    /// The option that asks for pictures, if any.
    pub fn wanted(&self) -> Option<&'static str> {
        self.image.as_ref().map(|_| "--image").or(self.frames.as_ref().map(|_| "--frames"))
    }

    /// The first file or folder of pictures, if any.
    pub fn first(&self) -> Option<&Path> {
        self.frames.as_deref().or(self.image.as_deref())
    }

    /// Checks that the pictures can be written. `None` if no option asks for pictures.
    pub fn plan(&self, rate: Option<f64>, settings: &Settings) -> Result<Option<Pictures>, Failure> {
        parse::check_mode(self.show, settings)?;
        let frame_time = settings.step.frame_time.into();
        if let Some(path) = &self.image {
            check_file("--image", path, "png")?;
        }
        let folder = |path: &PathBuf| Folder::plan("--frames", path, "png", rate, frame_time);
        let frames = self.frames.as_ref().map(folder).transpose()?;
        let wanted = self.image.is_some() || frames.is_some();
        Ok(wanted.then(|| Pictures {
            image: self.image.clone(),
            frames,
            size: self.size,
            mode: self.show,
            renderer: None,
            camera: None,
        }))
    }
}

impl Pictures {
    /// Requirements on the GPU for drawing `model` and reading a picture back.
    pub fn requirements(&self, model: &Model) -> Requirements {
        let [width, height] = self.size.map(u64::from);
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT.into());
        let picture = Requirements { largest_binding: 0, largest_buffer: row * height };
        Renderer::requirements(model).max(picture)
    }

    /// Prepares the renderer, so that only a full disk can fail later.
    pub fn prepare(&mut self, simulation: &Simulation, view: Option<CameraSpec>) -> Result<(), Failure> {
        let gpu = simulation.gpu();
        let most = gpu.device.limits().max_texture_dimension_2d;
        if self.size.into_iter().max() > Some(most) {
            let [width, height] = self.size;
            let message = format!("this adapter draws at most {most} pixels a side");
            return Err(Failure::input(format!("--size {width}x{height}"), message));
        }
        self.renderer = Some(Renderer::new(gpu, simulation.model(), Renderer::IMAGE_FORMAT)?);
        self.camera = view.map(camera);
        Ok(())
    }

    /// Takes the view of numbered pictures from the present state: the start of a run that is about to be resumed.
    pub fn aim(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if self.frames.is_some()
            && let Some(renderer) = &mut self.renderer
        {
            let scene = Scene::from(simulation);
            let measure = renderer.measure(simulation.gpu(), &scene)?;
            let is_planar = simulation.settings().step.planar;
            self.camera.get_or_insert_with(|| framing(renderer, scene.time, &measure, is_planar, true));
        }
        Ok(())
    }

    /// The folder of numbered pictures, if there is one.
    pub fn folder(&self) -> Option<&Folder> {
        self.frames.as_ref()
    }

    /// Draws the picture that is due after `frame` frames, if any.
    pub fn draw_due(&mut self, frame: u64, simulation: &Simulation) -> Result<(), Failure> {
        let Some(folder) = self.frames.as_ref().filter(|folder| folder.is_due(frame)) else {
            return Ok(());
        };
        let path = folder.file(frame)?;
        self.draw(&path, simulation)?;
        self.frames.iter_mut().for_each(Folder::wrote);
        Ok(())
    }

    /// Draws the picture of the end, if an option asks for it, and returns its path.
    pub fn draw_final(&mut self, simulation: &Simulation) -> Result<Option<PathBuf>, Failure> {
        let path = self.image.clone();
        path.as_ref().map_or(Ok(()), |path| self.draw(path, simulation))?;
        Ok(path)
    }

    fn draw(&mut self, path: &Path, simulation: &Simulation) -> Result<(), Failure> {
        let Some(renderer) = &mut self.renderer else { return Ok(()) };
        let gpu = simulation.gpu();
        let scene = Scene::from(simulation);
        let measure = renderer.measure(gpu, &scene)?;
        // All pictures of a run have the same view. A planar scene has no ground to fill the room below; if there is
        // only one picture, it shows the present state only.
        let is_planar = simulation.settings().step.planar;
        let hangs = !is_planar || self.frames.is_some();
        let camera =
            *self.camera.get_or_insert_with(|| framing(renderer, scene.time, &measure, is_planar, hangs));
        let look = Look {
            mode: self.mode,
            stretch_scale: nice_scale(measure.largest_stretch),
            ground: renderer.has_ground(scene.time, measure.low.y) || !falls(scene.model),
            ..Look::default()
        };
        let [width, height] = self.size;
        let image = renderer.render_to_image(gpu, &scene, &camera, &look, width, height)?;
        image.save_png(path).map_err(Failure::while_running)
    }
}

/// A view of the measured box, with room for cloth to hang down.
fn framing(renderer: &Renderer, time: f64, measure: &Measure, is_planar: bool, hangs: bool) -> Camera {
    let mut low = measure.low;
    if hangs {
        low.y = low.y.min(renderer.default_ground(time));
    }
    let view = if is_planar { Camera::facing } else { Camera::framing };
    view(low, measure.high)
}

/// Whether a body has no pins: it can fall below any ground.
fn falls(model: &Model) -> bool {
    let pinned = |nodes: Range<u32>| nodes.into_iter().any(|i| model.pinned()[i as usize]);
    !model.bodies().iter().all(|body| pinned(body.nodes.clone()))
}

/// The camera that a scene describes.
pub fn camera(view: CameraSpec) -> Camera {
    let projection = match view.projection {
        ProjectionSpec::Perspective(fov) => Projection::Perspective { fov: fov.to_radians() },
        ProjectionSpec::Orthographic(height) => Projection::Orthographic { height },
    };
    Camera::look_at(view.eye, view.target, view.up, projection)
}

/// Checks that a file of `option` has its extension and can be written.
pub fn check_file(option: &str, path: &Path, extension: &str) -> Result<(), Failure> {
    let place = format!("{option} {}", path.display());
    if path.extension().is_none_or(|found| !found.eq_ignore_ascii_case(extension)) {
        let what = if extension == "svg" { "plot" } else { "picture" };
        return Err(Failure::input(place, format!("a {what} is written as .{extension}")));
    }
    if path.is_dir() {
        return Err(Failure::input(place, "it is a directory; name a file in it"));
    }
    // The check does not depend on the format of the file.
    outputs::check(option, path, &path.with_extension("ply"))
}
