//! Composes a picture.

use glam::Vec3;

#[cfg(feature = "captions")]
use super::legend::Legend;
use super::lines::Lines;
use super::nodes::{Nodes, WORDS};
use super::pipelines::{Draw, Layouts, SAMPLES, depth, pipeline};
use super::shadow::Shadow;
use super::sky::{Inputs, Sky};
use super::solids::{Count, SOLID_VERTICES, Solids};
use super::targets::{OffScreen, Targets};
use super::view::{Body, View};
use super::{Camera, Image, Look, Mode, Scene};
use crate::Error;
use crate::gpu::{Gpu, GpuError, Reading, Requirements};
use crate::model::Model;

/// Extent and strain of the drawn bodies, read back from the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Smallest coordinates \[m\].
    pub low: Vec3,
    /// Largest coordinates \[m\].
    pub high: Vec3,
    /// Largest stretch |l / r - 1|.
    pub largest_stretch: f32,
}

/// Draws a model into targets of one format.
pub struct Renderer {
    format: wgpu::TextureFormat,
    layouts: Layouts,
    nodes: Nodes,
    solids: Solids,
    shadow: Shadow,
    sky: Sky,
    pipelines: Pipelines,
    cords: Lines,
    /// Made when springs are first shown, because there are many.
    springs: Option<Lines>,
    #[cfg(feature = "captions")]
    legend: Option<Legend>,
    targets: Option<Targets>,
}

/// Number of look-ups of the soft shadow for a pixel.
const STILL_TAPS: u32 = 32;

struct Pipelines {
    backdrop: wgpu::RenderPipeline,
    ground: wgpu::RenderPipeline,
    cloth: wgpu::RenderPipeline,
    lines: wgpu::RenderPipeline,
    solids: wgpu::RenderPipeline,
    /// Blended over the background.
    faint_solids: wgpu::RenderPipeline,
    sheets: wgpu::RenderPipeline,
}

impl Renderer {
    /// The format of off-screen pictures.
    pub const IMAGE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// Prepares pictures of `model` in targets of `format` (8 bits a component, sRGB-encoding or not).
    pub fn new(gpu: &Gpu, model: &Model, format: wgpu::TextureFormat) -> Result<Self, Error> {
        let layouts = Layouts::new(gpu);
        let mut renderer = Self {
            format,
            nodes: Nodes::new(gpu, model)?,
            solids: Solids::new(gpu, model)?,
            shadow: Shadow::new(gpu, &layouts)?,
            sky: Sky::new(gpu, &layouts)?,
            pipelines: Pipelines::new(gpu, &layouts, format)?,
            cords: Lines::cords(gpu, model)?,
            springs: None,
            #[cfg(feature = "captions")]
            legend: None,
            targets: None,
            layouts,
        };
        if model.triangles().is_empty() && renderer.cords.is_empty() {
            // There are neither triangles nor springs along the body, so all springs are shown.
            renderer.cords = Lines::all(gpu, model)?;
        }
        Ok(renderer)
    }

    /// Requirements on the GPU for pictures of `model`, without those of the simulation.
    pub fn requirements(model: &Model) -> Requirements {
        let points = super::nodes::points(model);
        let largest = (4 * WORDS * points).max(16 * points).max(8 * model.springs().len());
        Requirements::buffer(largest as u64)
    }

    /// Default height of the ground \[m\], if [`Look::ground_height`] is `None`: the height of the highest level plane
    /// among the colliders at `time`, otherwise below the reach of the bodies.
    pub fn default_ground(&self, time: f64) -> f32 {
        self.solids.ground(time).unwrap_or(self.nodes.body.ground)
    }

    /// Whether the ground can be drawn under bodies that reach down to `low` \[m\]. A collider always can, even if
    /// bodies sink into it a little. A ground that is only drawn would hide bodies that have fallen through it.
    pub fn has_ground(&self, time: f64, low: f32) -> bool {
        self.solids.ground(time).is_some() || low >= self.nodes.body.ground
    }

    /// Draws into `target`, which has this renderer's format and `size` pixels, and submits. Light from the
    /// sky is updated over several calls.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        scene: &Scene<'_>,
        camera: &Camera,
        look: &Look,
        target: &wgpu::TextureView,
        size: [u32; 2],
    ) -> Result<(), Error> {
        self.picture(gpu, scene, camera, look, target, size, false)
    }

    /// Draws a picture of `width` times `height` pixels and reads it back.
    pub fn render_to_image(
        &mut self,
        gpu: &Gpu,
        scene: &Scene<'_>,
        camera: &Camera,
        look: &Look,
        width: u32,
        height: u32,
    ) -> Result<Image, Error> {
        Ok(self.ask_image(gpu, scene, camera, look, width, height)?.wait()?)
    }

    /// [`Renderer::render_to_image`] without waiting.
    pub fn ask_image(
        &mut self,
        gpu: &Gpu,
        scene: &Scene<'_>,
        camera: &Camera,
        look: &Look,
        width: u32,
        height: u32,
    ) -> Result<Reading<Image>, Error> {
        let picture = OffScreen::new(gpu, self.format, [width, height])?;
        self.picture(gpu, scene, camera, look, &picture.view(), [width, height], true)?;
        Ok(picture.ask(gpu))
    }

    /// Extent and largest stretch of the present positions. Waits for the GPU.
    pub fn measure(&self, gpu: &Gpu, scene: &Scene<'_>) -> Result<Measure, Error> {
        Ok(self.ask_measure(gpu, scene)?.wait()?)
    }

    /// [`Renderer::measure`] without waiting.
    pub fn ask_measure(&self, gpu: &Gpu, scene: &Scene<'_>) -> Result<Reading<Measure>, Error> {
        let view = View::new(
            &Camera::framing(-Vec3::ONE, Vec3::ONE),
            &Look::default(),
            &self.nodes.body,
            [1, 1],
            false,
            1,
        );
        self.nodes.view.write(gpu, 0, &[view]);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.nodes.record(gpu, &mut encoder, scene)?;
        gpu.queue.submit([encoder.finish()]);
        Ok(self.nodes.bounds.ask(gpu).map(|bounds| {
            let [x, y, z, _, high_x, high_y, high_z, largest_stretch] = bounds[0];
            Measure { low: Vec3::new(x, y, z), high: Vec3::new(high_x, high_y, high_z), largest_stretch }
        }))
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of draw and one more")]
    fn picture(
        &mut self,
        gpu: &Gpu,
        scene: &Scene<'_>,
        camera: &Camera,
        look: &Look,
        target: &wgpu::TextureView,
        size: [u32; 2],
        still: bool,
    ) -> Result<(), Error> {
        let (scene, look) = &shown(scene, look);
        if self.targets.as_ref().is_none_or(|t| t.size != size) {
            self.targets = Some(Targets::new(gpu, self.format, size));
        }
        if look.mode == Mode::Springs && self.springs.is_none() {
            self.springs = Some(Lines::all(gpu, scene.model)?);
        }
        // On a software driver, a window shows grain instead of stuttering.
        let taps = if still || !gpu.is_software() { STILL_TAPS } else { STILL_TAPS / 4 };
        let body = Body { ground: self.default_ground(scene.time), ..self.nodes.body };
        let view = View::new(camera, look, &body, size, !self.format.is_srgb(), taps);
        self.nodes.view.write(gpu, 0, &[view]);

        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.nodes.record(gpu, &mut encoder, scene)?;
        let count = self.solids.write(gpu, scene.time);
        let groups = self.nodes.bind(gpu, &self.layouts, scene, &self.solids);
        let (layouts, nodes, solids) = (&self.layouts, &self.nodes, &self.solids);
        let inputs = Inputs { gpu, layouts, scene, nodes, solids, groups: &groups };
        self.sky.record(&mut encoder, &inputs, still);
        let cord = look.mode == Mode::Surface;
        let cords = (!self.cords.is_empty()).then(|| self.cords.bind(gpu, &self.layouts, cord, size[1]));
        self.shadow.record(&mut encoder, scene, &groups, cords.as_ref().map(|g| (&self.cords, g)));
        let lines = match (&self.springs, cords) {
            (Some(springs), _) if look.mode == Mode::Springs => {
                Some((springs, springs.bind(gpu, &self.layouts, false, size[1])))
            }
            (_, Some(group)) => Some((&self.cords, group)),
            _ => None,
        };
        self.record_picture(gpu, &mut encoder, scene, look, target, &groups, lines, count);
        #[cfg(feature = "captions")]
        if Legend::is_wanted(look) {
            let legend = self.legend.get_or_insert_with(|| Legend::new(gpu, self.format));
            legend.record(gpu, &mut encoder, target, size, look);
        }
        gpu.queue.submit([encoder.finish()]);
        Ok(gpu.check()?)
    }

    #[expect(clippy::too_many_arguments, reason = "one call site above")]
    fn record_picture(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene<'_>,
        look: &Look,
        target: &wgpu::TextureView,
        groups: &[wgpu::BindGroup; 2],
        lines: Option<(&Lines, wgpu::BindGroup)>,
        count: Count,
    ) {
        let Some(targets) = &self.targets else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &groups[0], &[]);
        pass.set_bind_group(1, &groups[1], &[]);
        pass.set_bind_group(2, &self.shadow.bind(gpu, &self.layouts), &[]);
        let triangles = scene.surface.triangles();
        if look.mode != Mode::Springs && !triangles.is_empty() {
            pass.set_pipeline(&self.pipelines.cloth);
            pass.set_index_buffer(triangles.raw().slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..triangles.len() as u32, 0, 0..1);
        }
        if let Some((lines, group)) = &lines {
            pass.set_pipeline(&self.pipelines.lines);
            pass.set_bind_group(3, group, &[]);
            pass.draw(0..lines.vertices(), 0..1);
        }
        let is_faint = look.mode == Mode::Springs;
        if !is_faint && count.solids > 0 {
            pass.set_pipeline(&self.pipelines.solids);
            pass.draw(0..SOLID_VERTICES, 0..count.solids);
        }
        // The background comes last, so that the depth test saves its costly lighting.
        if look.ground {
            pass.set_pipeline(&self.pipelines.ground);
            pass.draw(0..6, 0..1);
        }
        pass.set_pipeline(&self.pipelines.backdrop);
        pass.draw(0..3, 0..1);
        // Transparent sheets are drawn over it.
        if look.ground && count.sheets > 0 {
            pass.set_pipeline(&self.pipelines.sheets);
            pass.draw(0..6, 0..count.sheets);
        }
        if is_faint && count.solids > 0 {
            pass.set_pipeline(&self.pipelines.faint_solids);
            pass.draw(0..SOLID_VERTICES, 0..count.solids);
        }
    }
}

impl Pipelines {
    fn new(gpu: &Gpu, layouts: &Layouts, format: wgpu::TextureFormat) -> Result<Self, GpuError> {
        let groups = [Some(&layouts.frame), Some(&layouts.nodes), Some(&layouts.light), Some(&layouts.lines)];
        let draw = |shader, name, groups, compare, cull, cover| Draw {
            shader,
            name,
            groups,
            target: Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL }),
            depth: Some(depth(compare, 0.0)),
            samples: SAMPLES,
            cull,
            alpha_to_coverage: cover,
        };
        let make = |draw: Draw<'_>| pipeline(gpu, &draw);
        let blended = |draw: Draw<'_>| {
            let target = draw.target.map(|target| wgpu::ColorTargetState {
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                ..target
            });
            let depth =
                draw.depth.map(|depth| wgpu::DepthStencilState { depth_write_enabled: Some(false), ..depth });
            pipeline(gpu, &Draw { target, depth, ..draw })
        };
        let (nearer, back) = (wgpu::CompareFunction::Greater, Some(wgpu::Face::Back));
        let behind = wgpu::CompareFunction::GreaterEqual;
        let (three, all) = (&groups[..3], &groups[..]);
        let solid = || draw("render/solid.wgsl", "solid", three, nearer, back, false);
        Ok(Self {
            cloth: make(draw("render/cloth.wgsl", "cloth", three, nearer, None, false))?,
            lines: make(draw("render/lines.wgsl", "line", all, nearer, None, true))?,
            solids: make(solid())?,
            faint_solids: blended(solid())?,
            sheets: blended(draw("render/sheet.wgsl", "sheet", three, nearer, None, false))?,
            ground: make(draw("render/ground.wgsl", "ground", three, nearer, back, false))?,
            backdrop: make(draw("render/backdrop.wgsl", "backdrop", three, behind, None, false))?,
        })
    }
}

/// The scene with what its nodes are colored by, and the look. Where nothing is known of contact, the surface is shown.
fn shown<'a>(scene: &Scene<'a>, look: &Look) -> (Scene<'a>, Look) {
    match (look.mode, scene.nearness) {
        (Mode::Contact, Some(nearness)) => (Scene { stretch: nearness, ..*scene }, look.clone()),
        (Mode::Contact, None) => (*scene, Look { mode: Mode::Surface, ..look.clone() }),
        _ => (*scene, look.clone()),
    }
}
