//! Textures of one picture: multisampled color and depth, and reading a picture back.

use super::Image;
use super::pipelines::{DEPTH, SAMPLES, texture};
use crate::Error;
use crate::gpu::{Gpu, Reading};

/// Multisampled color and depth of one size.
pub(super) struct Targets {
    pub size: [u32; 2],
    pub color: wgpu::TextureView,
    pub depth: wgpu::TextureView,
}

impl Targets {
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> Self {
        let color = texture(gpu, "color", format, size, SAMPLES);
        Self { size, color, depth: texture(gpu, "depth", DEPTH, size, SAMPLES) }
    }
}

/// An off-screen picture.
pub(super) struct OffScreen {
    texture: wgpu::Texture,
    staging: wgpu::Buffer,
    row: u32,
}

impl OffScreen {
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> Result<Self, Error> {
        let most = gpu.device.limits().max_texture_dimension_2d;
        if size.iter().any(|&s| s == 0 || s > most) {
            let [width, height] = size;
            let message =
                format!("a picture of {width} x {height} pixels: each side must be from 1 to {most}");
            return Err(Error::Argument(message));
        }
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let row = (4 * size[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row) * u64::from(size[1]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        gpu.check()?;
        Ok(Self { texture, staging, row })
    }

    pub fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&Default::default())
    }

    /// Asks for the picture.
    pub fn ask(self, gpu: &Gpu) -> Reading<Image> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(self.row), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &self.staging, layout },
            self.texture.size(),
        );
        let submission = gpu.queue.submit([encoder.finish()]);
        let (texture, row) = (self.texture, self.row as usize);
        Reading::of(gpu, self.staging, submission, "picture")
            .map(move |rows: Vec<u8>| image(&texture, &rows, row))
    }
}

/// The picture from rows that are `row` bytes apart.
fn image(texture: &wgpu::Texture, rows: &[u8], row: usize) -> Image {
    let (width, height) = (texture.width(), texture.height());
    let mut pixels = Vec::with_capacity(4 * width as usize * height as usize);
    for row in rows.chunks_exact(row) {
        pixels.extend_from_slice(&row[..4 * width as usize]);
    }
    let blue_first = matches!(texture.format().remove_srgb_suffix(), wgpu::TextureFormat::Bgra8Unorm);
    for pixel in pixels.chunks_exact_mut(4) {
        if blue_first {
            pixel.swap(0, 2);
        }
        pixel[3] = 255;
    }
    Image { width, height, pixels }
}
