//! Line charts.

use super::svg::Svg;
use super::{Axis, COLORS, Style};

/// A line with markers.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Its name in the legend and beside its end.
    pub name: String,
    /// How it looks.
    pub style: Style,
    /// x, y and what the pointer shows.
    pub points: Vec<(f64, f64, String)>,
    /// Text beside each of the first points; none where empty.
    pub labels: Vec<String>,
    /// Without markers, for lines of many points.
    pub bare: bool,
}

/// A horizontal line for comparison.
#[derive(Clone, Debug)]
pub struct Level {
    /// Where it lies.
    pub y: f64,
    /// What it means.
    pub label: String,
}

/// A chart of lines.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// What it shows, for screen readers.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Lines for comparison.
    pub levels: Vec<Level>,
}

/// Size of a chart in pixels.
pub(super) const WIDTH: f64 = 960.0;
pub(super) const HEIGHT: f64 = 480.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 56.0;
/// Least distance between two labels at the ends of lines.
const LABEL_GAP: f64 = 16.0;

impl LineChart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, HEIGHT, &self.title);
        self.draw(&mut svg);
        svg.finish()
    }

    /// Draws the chart into a picture that is at least as large as it.
    pub(super) fn draw(&self, svg: &mut Svg) {
        self.frame(svg);
        for level in &self.levels {
            let y = self.down(level.y);
            svg.line("level", [LEFT, y], [WIDTH - RIGHT, y]);
        }
        let place = |series: &Series| -> Vec<[f64; 2]> {
            series.points.iter().map(|p| [self.across(p.0), self.down(p.1)]).collect()
        };
        for series in &self.series {
            svg.path(&format!("line {}", series.style.classes()), &place(series));
        }
        // Markers above all lines.
        for series in self.series.iter().filter(|series| !series.bare) {
            for (point, (.., title)) in place(series).into_iter().zip(&series.points) {
                svg.marker(series.style, point, &format!("{}: {title}", series.name));
            }
        }
        for series in &self.series {
            for ([x, y], label) in place(series).into_iter().zip(&series.labels) {
                svg.text(
                    &format!("point c{}", series.style.color % COLORS),
                    [x + 6.0, y - 7.0],
                    "start",
                    label,
                );
            }
        }
        for level in &self.levels {
            svg.text("note", [LEFT + 6.0, self.down(level.y) - 5.0], "start", &level.label);
        }
        self.labels(svg);
    }

    fn frame(&self, svg: &mut Svg) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for value in self.x.grid() {
            svg.line("grid", [self.across(value), TOP], [self.across(value), bottom]);
        }
        for value in self.y.grid() {
            svg.line("grid", [LEFT, self.down(value)], [right, self.down(value)]);
        }
        for (value, label) in self.x.ticks() {
            svg.line("axis", [self.across(value), bottom], [self.across(value), bottom + 5.0]);
            svg.text("tick", [self.across(value), bottom + 20.0], "middle", &label);
        }
        for (value, label) in self.y.ticks() {
            svg.line("axis", [LEFT - 5.0, self.down(value)], [LEFT, self.down(value)]);
            svg.text("tick", [LEFT - 9.0, self.down(value) + 4.0], "end", &label);
        }
        svg.line("axis", [LEFT, bottom], [right, bottom]);
        svg.line("axis", [LEFT, TOP], [LEFT, bottom]);
        svg.text("label", [(LEFT + right) / 2.0, HEIGHT - 12.0], "middle", &self.x.label);
        svg.upward_text("label", [18.0, (TOP + bottom) / 2.0], &self.y.label);
    }

    /// Each line's marker and name beside its end, moved apart where they would overlap: the legend.
    fn labels(&self, svg: &mut Svg) {
        let ended = self.series.iter().filter_map(|series| {
            let &(x, y, _) = series.points.last()?;
            Some((series, [self.across(x), self.down(y)]))
        });
        let mut ended: Vec<_> = ended.collect();
        ended.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
        let heights = spread(&ended.iter().map(|e| e.1[1]).collect::<Vec<_>>());
        for ((series, end), y) in ended.into_iter().zip(heights) {
            let x = WIDTH - RIGHT + 26.0;
            svg.path(&format!("leader {}", series.style.classes()), &[end, [x - 16.0, y], [x - 8.0, y]]);
            svg.marker(series.style, [x, y], &series.name);
            svg.text("name", [x + 10.0, y + 4.0], "start", &series.name);
        }
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(value) * (HEIGHT - TOP - BOTTOM)
    }
}

/// Sorted heights moved apart to [`LABEL_GAP`], as little as possible, within the picture.
fn spread(wanted: &[f64]) -> Vec<f64> {
    // Groups of labels that touch stand around the mean of what they want.
    let mut groups: Vec<(f64, usize)> = Vec::new(); // sum of wanted centers, count
    let half = |count: usize| (count as f64 - 1.0) * LABEL_GAP / 2.0;
    let center = |(sum, count): (f64, usize)| {
        let c: f64 = sum / count as f64;
        c.clamp(TOP + half(count), (HEIGHT - half(count)).max(TOP + half(count)))
    };
    for &y in wanted {
        groups.push((y, 1));
        while let [.., a, b] = groups[..] {
            if center(a) + half(a.1) + LABEL_GAP <= center(b) - half(b.1) {
                break;
            }
            groups.truncate(groups.len() - 2);
            groups.push((a.0 + b.0, a.1 + b.1));
        }
    }
    let each =
        |group: (f64, usize)| (0..group.1).map(move |i| center(group) - half(group.1) + i as f64 * LABEL_GAP);
    groups.into_iter().flat_map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_overlap_and_stay_in_order() {
        for wanted in [vec![], vec![50.0], vec![50.0, 51.0, 52.0, 300.0], vec![470.0; 8], vec![0.0; 5]] {
            let heights = spread(&wanted);
            assert_eq!(heights.len(), wanted.len());
            assert!(heights.windows(2).all(|p| p[1] - p[0] >= LABEL_GAP - 1e-9), "{heights:?}");
            assert!(heights.iter().all(|y| (TOP..=HEIGHT).contains(y)), "{heights:?}");
        }
        assert_eq!(spread(&[100.0, 200.0]), [100.0, 200.0]);
    }

    #[test]
    fn names_are_escaped_and_every_point_has_a_mark() {
        let series = Series {
            name: "a < b".into(),
            style: Style::default(),
            points: vec![(1.0, 2.0, "x & y".into()); 3],
            labels: vec!["one".into(), "two".into()],
            bare: false,
        };
        let (x, y) = (Axis::around("x", [1.0]), Axis::around("y", [2.0]));
        let mut chart = LineChart { title: "\"t\"".into(), x, y, series: vec![series], levels: Vec::new() };
        let svg = chart.svg();
        assert!(svg.contains("a &lt; b: x &amp; y") && svg.contains("&quot;t&quot;"));
        assert_eq!(svg.matches("<circle").count(), 4); // one of them beside the name
        assert_eq!(svg.matches("class=\"point c0\"").count(), 2);
        chart.series[0].bare = true;
        assert_eq!(chart.svg().matches("<circle").count(), 1);
    }
}
