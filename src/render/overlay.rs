//! Draws egui's shapes over a picture: the legend, and the viewer's panel.

use crate::gpu::Gpu;

/// egui's textures and pipeline for one target format.
pub(crate) struct Overlay {
    renderer: egui_wgpu::Renderer,
}

impl Overlay {
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        Self { renderer: egui_wgpu::Renderer::new(&gpu.device, format, Default::default()) }
    }

    /// Registers a picture for egui. Its texture has sRGB values in a format that does not decode them.
    #[cfg(feature = "viewer")]
    pub fn add_picture(&mut self, gpu: &Gpu, picture: &wgpu::TextureView) -> egui::TextureId {
        self.renderer.register_native_texture(&gpu.device, picture, wgpu::FilterMode::Nearest)
    }

    /// Releases a picture.
    #[cfg(feature = "viewer")]
    pub fn remove_picture(&mut self, id: egui::TextureId) {
        self.renderer.free_texture(&id);
    }

    /// Records the `output` of a pass of `context` over the picture in `target`.
    pub fn record(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        context: &egui::Context,
        mut output: egui::FullOutput,
    ) {
        let pixels_per_point = output.pixels_per_point;
        let meshes = context.tessellate(output.shapes, pixels_per_point);
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point };
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.renderer.update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
        self.renderer.update_buffers(&gpu.device, &gpu.queue, encoder, &meshes, &screen);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("overlay"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        self.renderer.render(&mut pass.forget_lifetime(), &meshes, &screen);
        for id in &output.textures_delta.free {
            self.renderer.free_texture(id);
        }
        // egui requires that the deltas are cleared after they were applied.
        output.textures_delta.clear();
    }
}
