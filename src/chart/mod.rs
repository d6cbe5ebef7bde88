//! Charts as SVG text, without any dependency: line charts on logarithmic axes and dot charts.
//!
//! Colours are classes of the page around them (`c0` to `c7`, `grid`, `axis`, `tick`, ...), so that one
//! picture reads on light and dark ground. Series differ by marker and dashes as well as by colour. Every
//! mark has a title that browsers show under the pointer.

mod axis;
mod dots;
mod lines;
mod svg;

pub use axis::Axis;
pub use dots::{Dot, DotChart};
pub use lines::{Level, LineChart, Series};
pub use svg::escape;

/// Colours that a page gives: classes `c0` to `c7`.
const COLORS: usize = 8;

/// How a series looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Its colour: what belongs together has the same one.
    pub color: usize,
    /// Its marker and dashes, among those of one colour.
    pub variant: usize,
}

impl Style {
    fn classes(self) -> String {
        format!("c{} v{}", self.color % COLORS, self.variant % svg::SHAPES)
    }
}
