//! Dot charts: for each row a floor and a measurement on one logarithmic axis.

use super::svg::Svg;
use super::{Axis, Style};

/// A row.
#[derive(Clone, Debug)]
pub struct Dot {
    /// Its name.
    pub name: String,
    /// The least value there could be, where it is known.
    pub floor: Option<f64>,
    /// The value measured.
    pub value: f64,
    /// What the pointer shows.
    pub title: String,
    /// How it looks.
    pub style: Style,
}

/// A chart of rows.
#[derive(Clone, Debug)]
pub struct DotChart {
    /// What it shows, for screen readers.
    pub title: String,
    /// The axis.
    pub x: Axis,
    /// The rows, from top to bottom.
    pub rows: Vec<Dot>,
}

const WIDTH: f64 = 960.0;
const LEFT: f64 = 330.0;
const RIGHT: f64 = 70.0;
const TOP: f64 = 8.0;
const ROW: f64 = 22.0;

impl DotChart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let bottom = TOP + ROW * self.rows.len() as f64;
        let height = bottom + 56.0;
        let mut svg = Svg::new(WIDTH, height, &self.title);
        for value in self.x.grid() {
            svg.line("grid", [self.across(value), TOP], [self.across(value), bottom]);
        }
        for (value, label) in self.x.ticks() {
            svg.line("axis", [self.across(value), bottom], [self.across(value), bottom + 5.0]);
            svg.text("tick", [self.across(value), bottom + 20.0], "middle", &label);
        }
        svg.line("axis", [LEFT, bottom], [WIDTH - RIGHT, bottom]);
        svg.text("label", [(LEFT + WIDTH - RIGHT) / 2.0, height - 12.0], "middle", &self.x.label);
        for (row, dot) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (row as f64 + 0.5);
            let at = self.across(dot.value);
            svg.text("name", [LEFT - 14.0, y + 4.0], "end", &dot.name);
            if let Some(floor) = dot.floor {
                let from = self.across(floor);
                svg.line(&format!("reach {}", dot.style.classes()), [from, y], [at, y]);
                svg.line("floor", [from, y - 7.0], [from, y + 7.0]);
                let beside = at.max(from) + 10.0;
                svg.text("note", [beside, y + 4.0], "start", &format!("{:.0} %", 100.0 * floor / dot.value));
            }
            svg.marker(dot.style, [at, y], &dot.title);
        }
        svg.finish()
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }
}
