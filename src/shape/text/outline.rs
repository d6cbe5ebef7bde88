//! Outlines of glyphs: converts curves to polygons without overlaps.

use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::float::simplify::SimplifyShape;

/// A closed polygon; the first point is not repeated at the end. The filled side is on its left.
pub(super) type Contour = Vec<DVec2>;

/// A connected part of a glyph: its border, then its holes.
pub(super) type Island = Vec<Contour>;

/// Islands below this fraction of a square em are artifacts where two curves do not quite meet.
const SPECK: f64 = 1e-6;
/// Largest turn of a polygon at a point on a curve \[radians\], far below that of a corner.
const LARGEST_TURN: f64 = 0.2;

/// Closed curves, as a font draws them: they may overlap, and they fill every point around which they wind.
#[derive(Default)]
pub(super) struct Path {
    contours: Vec<(DVec2, Vec<Curve>)>,
}

/// A Bezier curve: its control points after the first, and its degree.
struct Curve {
    points: [DVec2; 3],
    degree: usize,
}

impl Path {
    pub fn start(&mut self, at: DVec2) {
        self.contours.push((at, Vec::new()));
    }

    /// Adds a curve of this degree to the last contour.
    pub fn curve(&mut self, points: [DVec2; 3], degree: usize) {
        if let Some((_, curves)) = self.contours.last_mut() {
            curves.push(Curve { points, degree });
        }
    }

    /// Whether no point is farther from the origin than this; false if a coordinate is NaN.
    pub fn is_within(&self, distance: f64) -> bool {
        let mut points = self.contours.iter().flat_map(|(at, curves)| {
            std::iter::once(at).chain(curves.iter().flat_map(|curve| &curve.points))
        });
        points.all(|p| p.length() <= distance)
    }

    /// The islands that it fills, as polygons no farther than `tolerance` from the curves.
    pub fn islands(&self, tolerance: f64) -> Vec<Island> {
        let polygon = |(start, curves): &(DVec2, Vec<Curve>)| {
            let mut points = vec![start.to_array()];
            let mut at = *start;
            for curve in curves {
                curve.flatten(at, tolerance, &mut points);
                at = curve.points[curve.degree - 1];
            }
            points
        };
        let polygons: Vec<Vec<[f64; 2]>> = self.contours.iter().map(polygon).collect();
        let contour = |points: Vec<[f64; 2]>| points.into_iter().map(DVec2::from).collect::<Contour>();
        let shapes = polygons.simplify_shape(FillRule::NonZero);
        let islands = shapes.into_iter().map(|shape| shape.into_iter().map(contour).collect::<Island>());
        islands.filter_map(tidy).collect()
    }
}

/// Orients the border counter-clockwise and holes clockwise, and removes specks.
fn tidy(mut island: Island) -> Option<Island> {
    island.retain(|contour| area(contour).abs() > SPECK);
    for (i, contour) in island.iter_mut().enumerate() {
        if (area(contour) > 0.0) != (i == 0) {
            contour.reverse();
        }
    }
    (!island.is_empty()).then_some(island)
}

impl Curve {
    /// Adds points up to and including the end.
    fn flatten(&self, from: DVec2, tolerance: f64, points: &mut Vec<[f64; 2]>) {
        let mut control = vec![from];
        control.extend(&self.points[..self.degree]);
        // The error of a chord over 1/n of a curve is at most degree (degree - 1) / 8 of the largest second difference,
        // over n^2.
        let bend = control.windows(3).map(|p| (p[0] - 2.0 * p[1] + p[2]).length()).fold(0.0, f64::max);
        let weight = (self.degree * (self.degree - 1)) as f64 / 8.0;
        let turn: f64 = control.windows(3).map(|p| turn(p[1] - p[0], p[2] - p[1]).abs()).sum();
        let steps = (weight * bend / tolerance).sqrt().max(turn / LARGEST_TURN).ceil().clamp(1.0, 10_000.0);
        for i in 1..=steps as usize {
            let t = i as f64 / steps;
            let mut level = control.clone();
            while level.len() > 1 {
                level = level.windows(2).map(|p| p[0].lerp(p[1], t)).collect();
            }
            points.push(level[0].to_array());
        }
    }
}

/// Area of a polygon; negative if it is clockwise.
pub(super) fn area(contour: &[DVec2]) -> f64 {
    pairs(contour).map(|(a, b)| a.perp_dot(b)).sum::<f64>() / 2.0
}

/// Length of a polygon's border.
pub(super) fn perimeter(contour: &[DVec2]) -> f64 {
    pairs(contour).map(|(a, b)| a.distance(b)).sum()
}

/// The sides of a polygon.
pub(super) fn pairs(contour: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    (0..contour.len()).map(|i| (contour[i], contour[(i + 1) % contour.len()]))
}

/// Angle from a to b \[radians\], positive counter-clockwise.
pub(super) fn turn(a: DVec2, b: DVec2) -> f64 {
    a.perp_dot(b).atan2(a.dot(b))
}
