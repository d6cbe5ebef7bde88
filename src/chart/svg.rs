//! Writing SVG elements.

use std::fmt::{Display, Write};

use super::{COLORS, Style};

/// Kinds of markers.
pub const SHAPES: usize = 5;

/// Text with what XML reserves replaced.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Control characters are not XML at all.
            c if c.is_control() && c != '\n' && c != '\t' => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// An SVG picture being written.
pub struct Svg(String);

impl Svg {
    /// A picture of a size in pixels; `title` is what screen readers say.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let title = escape(title);
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{title}\">\n"
        ))
    }

    /// Adds elements that are written already.
    pub fn element(&mut self, element: &str) {
        self.raw(element);
    }

    /// What `draw` adds, moved right and down.
    pub fn moved(&mut self, [right, down]: [f64; 2], draw: impl FnOnce(&mut Self)) {
        self.raw(format_args!("<g transform=\"translate({right:.1} {down:.1})\">"));
        draw(self);
        self.raw("</g>");
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.raw(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// A line through points.
    pub fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let mut data = String::new();
        for (i, [x, y]) in points.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = write!(data, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
        }
        self.raw(format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
    }

    /// Text at a point; `anchor` is start, middle or end.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: &str, text: &str) {
        let text = escape(text);
        self.raw(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Text read from bottom to top, centered at a point.
    pub fn upward_text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let text = escape(text);
        self.raw(format_args!(
            "<text class=\"{class}\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
             text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// The marker of a series around a point, with a title.
    pub fn marker(&mut self, style: Style, [x, y]: [f64; 2], title: &str) {
        let polygon = |corners: &[[f64; 2]]| {
            let corners = corners.iter().map(|[dx, dy]| format!("{:.1},{:.1}", x + dx, y + dy));
            format!("<polygon points=\"{}\"", corners.collect::<Vec<_>>().join(" "))
        };
        let shape = match style.variant % SHAPES {
            0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
            1 => polygon(&[[-3.6, -3.6], [3.6, -3.6], [3.6, 3.6], [-3.6, 3.6]]),
            2 => polygon(&[[0.0, -4.8], [4.6, 3.4], [-4.6, 3.4]]),
            3 => polygon(&[[0.0, -5.2], [5.2, 0.0], [0.0, 5.2], [-5.2, 0.0]]),
            _ => polygon(&[[0.0, 4.8], [4.6, -3.4], [-4.6, -3.4]]),
        };
        let (color, title) = (style.color % COLORS, escape(title));
        self.raw(format_args!("{shape} class=\"mark c{color}\"><title>{title}</title></{}>", name(&shape)));
    }

    /// The finished picture.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn raw(&mut self, element: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{element}");
    }
}

/// The name of the element that `start` begins.
fn name(start: &str) -> &str {
    start.trim_start_matches('<').split(' ').next().unwrap_or_default()
}
