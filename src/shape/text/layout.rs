//! Positions of the glyphs of a text: lines, alignment, spaces between letters.

use glam::DVec2;
use skrifa::GlyphId;

use super::font::Font;
use crate::shape::ShapeError;

/// Horizontal alignment of the lines of a text to its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Align {
    /// Lines begin at the origin.
    #[default]
    Left,
    /// The middle of each line is at the origin.
    Center,
    /// Lines end at the origin.
    Right,
}

/// A glyph of a text; lengths are fractions of the em.
pub(super) struct Placed {
    /// Index of its character in the text, from zero; spaces and line breaks count.
    pub character: usize,
    pub glyph: GlyphId,
    pub origin: DVec2,
}

/// Settings of the layout; lengths are fractions of the em.
pub(super) struct Layout {
    pub align: Align,
    /// Extra space after each glyph.
    pub letter_spacing: f64,
    /// Distance of baselines as a multiple of the font's own.
    pub line_spacing: f64,
}

impl Layout {
    /// Places the glyphs; the baseline of the first line goes through the origin.
    pub fn place(&self, font: &Font, text: &str) -> Result<Vec<Placed>, ShapeError> {
        let down = self.line_spacing * font.line_height()?;
        let mut placed = Vec::new();
        let mut first = 0;
        for (line, words) in text.split('\n').enumerate() {
            let found = font.line(words, first)?;
            let glyphs = found.glyphs.len();
            let width = found.width + self.letter_spacing * glyphs.saturating_sub(1) as f64;
            let start = match self.align {
                Align::Left => 0.0,
                Align::Center => -width / 2.0,
                Align::Right => -width,
            };
            placed.extend(found.glyphs.into_iter().enumerate().map(|(i, glyph)| Placed {
                character: first + glyph.character,
                glyph: glyph.glyph,
                origin: glyph.origin
                    + DVec2::new(start + i as f64 * self.letter_spacing, -(line as f64) * down),
            }));
            first += words.chars().count() + 1;
        }
        Ok(placed)
    }
}
