//! A picture of charts that stands alone: an SVG file with its own style, on white.

use std::fmt::Write;

use super::lines::{HEIGHT, WIDTH};
use super::svg::Svg;
use super::{LineChart, PALETTE, hex};

/// Charts below each other under one heading.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The heading.
    pub title: String,
    /// Lines below it: what was measured, on what.
    pub notes: Vec<String>,
    /// The charts.
    pub charts: Vec<LineChart>,
}

/// Distance of a figure's content from its border.
const MARGIN: f64 = 16.0;
const TITLE: f64 = 30.0;
const NOTE: f64 = 18.0;

const STYLE: &str = "\
svg { font: 12px system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif; background: #ffffff; }
text { fill: #16191d; }
.title { font-size: 19px; font-weight: 600; }
.tick, .note { fill: #5a6370; }
.note { stroke: #ffffff; stroke-width: 4; paint-order: stroke; }
.label { font-size: 14px; }
.name { font-size: 13px; }
.point { font-size: 11px; stroke-width: 3; paint-order: stroke; }
.grid { stroke: #e9ecf0; }
.axis { stroke: #5a6370; }
.level { stroke: #16191d; stroke-dasharray: 2 3; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.leader { fill: none; stroke-width: 1; opacity: 0.45; }
.mark { stroke: #ffffff; stroke-width: 1; }
.line.v1, .line.v3 { stroke-dasharray: 7 3; }
.line.v2, .line.v4 { stroke-dasharray: 2 3; }
";

impl Figure {
    /// The figure as an SVG file.
    pub fn svg(&self) -> String {
        let head = MARGIN + TITLE + NOTE * self.notes.len() as f64 + 8.0;
        let (width, height) = (WIDTH + 2.0 * MARGIN, head + HEIGHT * self.charts.len() as f64 + MARGIN);
        let mut svg = Svg::new(width, height, &self.title);
        let mut style = STYLE.to_owned();
        for k in 0..PALETTE.len() {
            let color = hex(k);
            // Writing to a String cannot fail.
            let _ = writeln!(style, ".c{k} {{ stroke: {color}; fill: {color}; }}");
        }
        // After the colors: lines and leaders are not filled, text at points stands on white.
        style += ".line, .leader { fill: none; }\n.mark, .point { stroke: #ffffff; }\n";
        svg.element(&format!("<style>\n{style}</style>"));
        svg.element(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
        svg.text("title", [MARGIN + 8.0, MARGIN + 16.0], "start", &self.title);
        for (k, note) in self.notes.iter().enumerate() {
            let y = MARGIN + TITLE + NOTE * (k as f64 + 0.4);
            svg.text("note", [MARGIN + 8.0, y], "start", note);
        }
        for (k, chart) in self.charts.iter().enumerate() {
            svg.moved([MARGIN, head + HEIGHT * k as f64], |svg| chart.draw(svg));
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Series, Style};

    #[test]
    fn a_figure_stands_alone() {
        let series = Series {
            name: "a".into(),
            style: Style { color: 3, variant: 0 },
            points: vec![(0.0, 1.0, "x".into()), (1.0, 2.0, "y".into())],
            ..Series::default()
        };
        let (x, y) = (Axis::linear("t [s]", 0.0, 1.0), Axis::around("d [mm]", [1.0, 2.0]));
        let chart = LineChart { title: "t".into(), x, y, series: vec![series], levels: Vec::new() };
        let figure =
            Figure { title: "a < b".into(), notes: vec!["n".into()], charts: vec![chart.clone(), chart] };
        let svg = figure.svg();
        assert_eq!(svg.matches("<path class=\"line c3 v0\"").count(), 2);
        assert!(svg.contains(".c3 { stroke: #c1440e;") && svg.contains(">a &lt; b</text>"));
        assert_eq!(svg.matches("<svg").count(), 1);
    }
}
