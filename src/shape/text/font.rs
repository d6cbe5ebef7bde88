//! A font file: the glyphs of a line of text, their positions and their outlines.

use std::borrow::Cow;

use glam::DVec2;
use harfrust::{Feature, ShapeOptions, ShaperData, Tag, UnicodeBuffer};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::prelude::{LocationRef, Size};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use super::outline::Path;
use crate::foreign::excerpt;
use crate::panics;
use crate::shape::ShapeError;

/// Allowed numbers of units per em.
const EM: std::ops::RangeInclusive<f64> = 16.0..=16384.0;
/// Largest distance of a glyph's points from its origin, in ems.
const FURTHEST: f64 = 20.0;

/// A TrueType or OpenType font; the first font of a collection, the default instance of a variable font.
#[derive(Clone, PartialEq)]
pub struct Font {
    name: String,
    bytes: Cow<'static, [u8]>,
}

impl std::fmt::Debug for Font {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Font({}, {} bytes)", self.name, self.bytes.len())
    }
}

/// A glyph on its line; lengths are fractions of the em.
pub(super) struct Placed {
    /// Index of its character in the line, from zero.
    pub character: usize,
    pub glyph: GlyphId,
    /// Position of its origin.
    pub origin: DVec2,
}

/// A line of text, its glyphs in the order in which they are drawn.
pub(super) struct Line {
    pub glyphs: Vec<Placed>,
    /// Position of the next glyph, in fractions of the em.
    pub width: f64,
}

impl Font {
    /// The bundled font: Noto Serif SemiBold with Basic Latin and Latin-1.
    pub fn bundled() -> Self {
        let bytes = include_bytes!("../../../fonts/NotoSerif-SemiBold-Latin1.ttf");
        Self { name: "the bundled Noto Serif".into(), bytes: Cow::Borrowed(bytes) }
    }

    /// A font from the bytes of a .ttf, .otf or .ttc file; `name` is for messages.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, ShapeError> {
        let font = Self { name: name.into(), bytes: Cow::Owned(bytes) };
        font.read(|| font.open().map(|_| ()))?;
        Ok(font)
    }

    /// Runs `work`, in which a library may panic if the font is damaged.
    fn read<T>(&self, work: impl FnOnce() -> Result<T, ShapeError>) -> Result<T, ShapeError> {
        panics::catch(&["read-fonts", "skrifa", "harfrust"], work)
            .unwrap_or_else(|said| Err(self.wrong(format!("it is damaged ({})", excerpt(&said)))))
    }

    fn wrong(&self, what: impl std::fmt::Display) -> ShapeError {
        let allowed = format!("{what}; it must be a sound TrueType or OpenType font (.ttf, .otf, .ttc)");
        ShapeError::new("font", &self.name, allowed)
    }

    fn open(&self) -> Result<FontRef<'_>, ShapeError> {
        let font = FontRef::from_index(&self.bytes, 0).map_err(|e| self.wrong(e))?;
        let em = self.em(&font);
        if !EM.contains(&em) {
            return Err(self.wrong(format!("its em has {em} units")));
        }
        if font.outline_glyphs().format().is_none() {
            return Err(self.wrong("it has no outlines"));
        }
        Ok(font)
    }

    /// Units of the font per em.
    fn em(&self, font: &FontRef) -> f64 {
        f64::from(font.metrics(Size::unscaled(), LocationRef::default()).units_per_em)
    }

    /// Distance of two baselines, in fractions of the em.
    pub(super) fn line_height(&self) -> Result<f64, ShapeError> {
        self.read(|| self.read_line_height())
    }

    fn read_line_height(&self) -> Result<f64, ShapeError> {
        let font = self.open()?;
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        let height = f64::from(metrics.ascent - metrics.descent + metrics.leading) / self.em(&font);
        // Fonts without sound metrics get the usual distance.
        Ok(if (0.5..4.0).contains(&height) { height } else { 1.2 })
    }

    /// The glyphs of a line, with kerning and marks but without ligatures, so that each character has its own glyph.
    /// `first` is the index of the line's first character in the text.
    pub(super) fn line(&self, line: &str, first: usize) -> Result<Line, ShapeError> {
        self.read(|| self.read_line(line, first))
    }

    fn read_line(&self, line: &str, first: usize) -> Result<Line, ShapeError> {
        let font = self.open()?;
        let em = self.em(&font);
        let known = font.charmap();
        let mut buffer = UnicodeBuffer::new();
        for (i, c) in line.chars().enumerate() {
            if known.map(c).is_none_or(|glyph| glyph == GlyphId::NOTDEF) {
                let what = format!("character {} is '{c}' (U+{:04X})", first + i, u32::from(c));
                let allowed =
                    format!("{} has no glyph for it; choose another font, or leave it out", self.name);
                return Err(ShapeError::new("text", what, allowed));
            }
            buffer.add(c, i as u32);
        }
        buffer.guess_segment_properties();
        let features = [b"liga", b"clig", b"dlig", b"calt"].map(|tag| Feature::new(Tag::new(tag), 0, ..));
        let data = ShaperData::new(&font);
        let shaped = data.shaper(&font).build().shape(buffer, ShapeOptions::new().features(&features));
        let mut pen = DVec2::ZERO;
        let mut glyphs = Vec::new();
        for (info, step) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            let of = |x: i32, y: i32| DVec2::new(x.into(), y.into()) / em;
            let origin = pen + of(step.x_offset, step.y_offset);
            glyphs.push(Placed {
                character: info.cluster as usize,
                glyph: GlyphId::new(info.glyph_id),
                origin,
            });
            pen += of(step.x_advance, step.y_advance);
        }
        Ok(Line { glyphs, width: pen.x })
    }

    /// The curves of a glyph, in fractions of the em; empty for a space.
    pub(super) fn path(&self, glyph: GlyphId) -> Result<Path, ShapeError> {
        self.read(|| self.read_path(glyph))
    }

    fn read_path(&self, glyph: GlyphId) -> Result<Path, ShapeError> {
        let font = self.open()?;
        let mut pen = Pen { path: Path::default(), em: self.em(&font) };
        if let Some(outline) = font.outline_glyphs().get(glyph) {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            outline.draw(settings, &mut pen).map_err(|e| self.wrong(format!("glyph {glyph}: {e}")))?;
        }
        if !pen.path.is_within(FURTHEST) {
            return Err(
                self.wrong(format!("glyph {glyph} has points more than {FURTHEST} em from its origin"))
            );
        }
        Ok(pen.path)
    }
}

/// Collects the curves that skrifa draws.
struct Pen {
    path: Path,
    em: f64,
}

impl Pen {
    fn point(&self, x: f32, y: f32) -> DVec2 {
        DVec2::new(x.into(), y.into()) / self.em
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.path.start(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.path.curve([to, to, to], 1);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (by, to) = (self.point(cx, cy), self.point(x, y));
        self.path.curve([by, to, to], 2);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let points = [self.point(ax, ay), self.point(bx, by), self.point(x, y)];
        self.path.curve(points, 3);
    }

    fn close(&mut self) {}
}
