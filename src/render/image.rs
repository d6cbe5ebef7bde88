//! A picture in memory, and its PNG file.

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

    /// A picture of one color.
    pub fn plain(width: u32, height: u32, [red, green, blue]: [u8; 3]) -> Self {
        let pixels = [red, green, blue, 255].repeat(width as usize * height as usize);
        Self { width, height, pixels }
    }

    /// Copies another picture into this one, with its corner at column `x` and row `y`; pixels outside are clipped.
    pub fn paste(&mut self, other: &Image, x: u32, y: u32) {
        let x = x.min(self.width);
        let width = other.width.min(self.width - x) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let from = 4 * row as usize * other.width as usize;
            let to = 4 * ((y + row) as usize * self.width as usize + x as usize);
            self.pixels[to..to + 4 * width].copy_from_slice(&other.pixels[from..from + 4 * width]);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_picture_lies_where_it_was_put_and_ends_at_the_border() {
        let mut whole = Image::plain(4, 3, [255, 255, 255]);
        whole.paste(&Image::plain(3, 3, [1, 2, 3]), 2, 1);
        for (x, y) in (0..4).flat_map(|x| (0..3).map(move |y| (x, y))) {
            let expected = if x >= 2 && y >= 1 { [1, 2, 3] } else { [255; 3] };
            assert_eq!(whole.at(x, y), expected, "{x}, {y}");
        }
        let before = whole.clone();
        whole.paste(&Image::plain(3, 3, [9; 3]), 4, 3);
        whole.paste(&Image::plain(3, 3, [9; 3]), 9, 0);
        assert_eq!(whole, before);
    }
}
