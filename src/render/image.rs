//! A picture in memory, and PNG.

use std::io::Write;
use std::path::Path;

use crate::Error;
use crate::io::atomic;

/// A picture: sRGB, 8 bits, four components a pixel, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue, opacity of each pixel.
    pub pixels: Vec<u8>,
}

impl Image {
    /// Red, green and blue of a pixel.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let i = 4 * (y as usize * self.width as usize + x as usize);
        [self.pixels[i], self.pixels[i + 1], self.pixels[i + 2]]
    }

    /// Writes a PNG file. The file appears whole or not at all.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        atomic::write(path.as_ref(), |file| self.write_png(file).map_err(std::io::Error::other))
    }

    /// Writes the bytes of a PNG file.
    pub fn write_png(&self, file: impl Write) -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        let rgb: Vec<u8> = self.pixels.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&rgb)?;
        writer.finish()
    }
}
