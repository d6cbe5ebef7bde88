//! The window's surface, and egui on it.

use std::sync::Arc;

use winit::event::WindowEvent;
use winit::window::Window;

use crate::Error;
use crate::gpu::{Gpu, GpuError};
use crate::render::Overlay;

pub(super) struct Screen {
    pub window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    context: egui::Context,
    input: egui_winit::State,
    /// Where the mouse is, in points.
    mouse: egui::Pos2,
    pub overlay: Overlay,
}

/// The picture of the surface that is being drawn.
pub(super) struct Frame {
    texture: wgpu::SurfaceTexture,
    pub view: wgpu::TextureView,
    pub size: [u32; 2],
}

impl Screen {
    pub fn new(gpu: &Gpu, window: Arc<Window>) -> Result<Self, Error> {
        let failed = |e: String| GpuError::Device { adapter: gpu.info().name.clone(), message: e };
        let Some(home) = gpu.home().cloned() else {
            return Err(failed("a window needs a device that was opened here".to_owned()).into());
        };
        let surface = home.instance.create_surface(Arc::clone(&window)).map_err(|e| failed(e.to_string()))?;
        let capabilities = surface.get_capabilities(&home.adapter);
        let encodes = |f: &&wgpu::TextureFormat| {
            matches!(f, wgpu::TextureFormat::Bgra8UnormSrgb | wgpu::TextureFormat::Rgba8UnormSrgb)
        };
        let formats = &capabilities.formats;
        let Some(&format) = formats.iter().find(encodes).or(formats.first()) else {
            return Err(failed("it cannot draw into this window; choose another adapter".to_owned()).into());
        };
        let size = window.inner_size();
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width: size.width.max(1),
            height: size.height.max(1),
            // Waits for the screen: every picture is shown, without tearing.
            present_mode: wgpu::PresentMode::Fifo,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        };
        surface.configure(&gpu.device, &config);
        gpu.check()?;
        let context = egui::Context::default();
        let input = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            &*window,
            Some(window.scale_factor() as f32),
            None,
            Some(gpu.device.limits().max_texture_dimension_2d as usize),
        );
        let (overlay, instance) = (Overlay::new(gpu, format), home.instance);
        Ok(Self { overlay, window, instance, surface, config, context, input, mouse: egui::Pos2::ZERO })
    }

    /// Size in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Pixels per point.
    pub fn scale(&self) -> f32 {
        self.window.scale_factor() as f32
    }

    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) {
        // A minimized window has no size; the old size stays until it has one again.
        if size[0] > 0 && size[1] > 0 {
            [self.config.width, self.config.height] = size;
            self.surface.configure(&gpu.device, &self.config);
        }
    }

    /// Passes an event to egui. Returns whether egui alone handles it.
    pub fn take_event(&mut self, event: &WindowEvent) -> bool {
        let is_consumed = self.input.on_window_event(&self.window, event).consumed;
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let [x, y] = [position.x, position.y].map(|x| x as f32 / self.scale());
                self.mouse = egui::pos2(x, y);
                is_consumed
            }
            // egui knows where the mouse was in the last picture; it may have come or gone since.
            WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. } => {
                self.is_on_panel() || self.context.egui_is_using_pointer()
            }
            _ => is_consumed,
        }
    }

    fn is_on_panel(&self) -> bool {
        let layer = self.context.layer_id_at(self.mouse);
        layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Whether a text field has the keyboard.
    pub fn types(&self) -> bool {
        self.context.text_edit_focused()
    }

    /// The next picture to draw; `None` if none is available now.
    pub fn frame(&mut self, gpu: &Gpu) -> Result<Option<Frame>, Error> {
        use wgpu::CurrentSurfaceTexture as Current;
        let texture = match self.surface.get_current_texture() {
            Current::Success(texture) => texture,
            Current::Suboptimal(texture) => texture,
            Current::Timeout | Current::Occluded => return Ok(None),
            Current::Outdated => {
                self.surface.configure(&gpu.device, &self.config);
                return Ok(None);
            }
            Current::Lost => {
                alive(gpu)?;
                let surface = self.instance.create_surface(Arc::clone(&self.window));
                self.surface = surface.map_err(|e| GpuError::Lost(e.to_string()))?;
                self.surface.configure(&gpu.device, &self.config);
                return Ok(None);
            }
            Current::Validation => {
                alive(gpu)?;
                return Ok(None);
            }
        };
        let view = texture.texture.create_view(&Default::default());
        Ok(Some(Frame { size: self.size(), texture, view }))
    }

    /// Lays out the pictures, each with its upper left corner and its size in pixels, and the panel over them, and
    /// presents the result.
    pub fn finish(
        &mut self,
        gpu: &Gpu,
        frame: Frame,
        pictures: &[(egui::TextureId, [u32; 2], [u32; 2])],
        mut panel: impl FnMut(&egui::Context),
    ) {
        let input = self.input.take_egui_input(&self.window);
        let mut output = self.context.run_pass(input, |context| {
            let painter = context.layer_painter(egui::LayerId::background());
            let points = |pixels: [u32; 2]| {
                egui::vec2(pixels[0] as f32, pixels[1] as f32) / context.pixels_per_point()
            };
            let rect = |corner, size| egui::Rect::from_min_size(points(corner).to_pos2(), points(size));
            painter.rect_filled(rect([0, 0], frame.size), 0.0, egui::Color32::WHITE);
            let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            for &(id, corner, size) in pictures {
                painter.image(id, rect(corner, size), whole, egui::Color32::WHITE);
            }
            panel(context);
        });
        let platform = std::mem::take(&mut output.platform_output);
        self.input.handle_platform_output(&self.window, platform);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.overlay.record(gpu, &mut encoder, &frame.view, frame.size, &self.context, output);
        gpu.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        gpu.queue.present(frame.texture);
    }
}

/// Fails if the device is lost; wgpu may report this only when it is polled.
fn alive(gpu: &Gpu) -> Result<(), GpuError> {
    gpu.device.poll(wgpu::PollType::Poll).map_err(|e| GpuError::Lost(e.to_string()))?;
    gpu.check()
}
