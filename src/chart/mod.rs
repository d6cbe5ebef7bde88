//! Charts as SVG text, without any dependency: line charts and dot charts.
//!
//! Colors are classes of the page around them (`c0` to `c11`, `grid`, `axis`, `tick`, ...), so that one
//! picture reads on light and dark ground; a [`Figure`] brings its own, for a file that stands alone. Series differ by marker and dashes as well as by color. Every
//! mark has a title that browsers show under the pointer.

mod axis;
mod dots;
mod figure;
mod lines;
mod svg;

pub use axis::Axis;
pub use dots::{Dot, DotChart};
pub use figure::Figure;
pub use lines::{Level, LineChart, Series};
pub use svg::escape;

/// Colors of series on light ground, sRGB: classes `c0` to `c11`. Neighbors differ in hue and lightness, and
/// all read on white.
pub const PALETTE: [[u8; 3]; COLORS] = [
    [0x00, 0x72, 0xb2],
    [0x8a, 0x6d, 0x00],
    [0x00, 0x90, 0x66],
    [0xc1, 0x44, 0x0e],
    [0x7b, 0x4f, 0xb5],
    [0xc2, 0x18, 0x5b],
    [0x4d, 0x59, 0x66],
    [0x00, 0x83, 0x8f],
    [0x5f, 0x7f, 0x14],
    [0x2a, 0x3a, 0x9e],
    [0x79, 0x55, 0x48],
    [0xd1, 0x7a, 0x00],
];

/// Number of colors; a page or figure defines that many.
const COLORS: usize = 12;

/// The color of a series as in style sheets.
pub fn hex(color: usize) -> String {
    let [r, g, b] = PALETTE[color % COLORS];
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// How a series looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Its color: what belongs together has the same one.
    pub color: usize,
    /// Its marker and dashes, among those of one color.
    pub variant: usize,
}

impl Style {
    fn classes(self) -> String {
        format!("c{} v{}", self.color % COLORS, self.variant % svg::SHAPES)
    }
}
