//! Quality of the triangles of a text.

use std::fmt;

use glam::DVec2;

use super::outline::turn;
use super::triangulate::Flat;

/// A triangle with an angle below this is bad \[degrees\].
pub(super) const LEAST_ANGLE: f64 = 15.0;
/// At a corner of the outline with an angle below this \[degrees\], every mesh has a small angle.
pub(super) const SHARP_CORNER: f64 = 30.0;

/// Quality of the triangles of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshQuality {
    /// Number of triangles.
    pub triangles: usize,
    /// Smallest angle \[degrees\], except at sharp corners.
    pub smallest_angle: f64,
    /// Number of triangles with an angle below 15 degrees at a corner of the outline of less than 30 degrees.
    pub at_sharp_corners: usize,
    /// Number of triangles with an angle below 15 degrees elsewhere.
    pub bad: usize,
    /// Shortest and longest edge \[m\].
    pub edges: [f64; 2],
}

impl fmt::Display for MeshQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [shortest, longest] = self.edges.map(|x| 1e3 * x);
        write!(
            f,
            "edges of {shortest:.3} to {longest:.3} mm, smallest angle {:.1} degrees",
            self.smallest_angle
        )?;
        let n = self.at_sharp_corners;
        write!(f, ", {n} triangle{} at sharp corners below 15 degrees", if n == 1 { "" } else { "s" })?;
        if self.bad > 0 { write!(f, ", {} elsewhere", self.bad) } else { Ok(()) }
    }
}

impl MeshQuality {
    /// The quality of a mesh without triangles.
    pub(super) const EMPTY: Self =
        Self { triangles: 0, smallest_angle: 60.0, at_sharp_corners: 0, bad: 0, edges: [f64::INFINITY, 0.0] };

    pub(super) fn of(flat: &Flat) -> Self {
        // The sum of the triangles' angles at each point: at a corner of the outline it is the angle of the corner.
        let mut corner = vec![0.0; flat.points.len()];
        let all: Vec<[f64; 3]> = flat
            .triangles
            .iter()
            .map(|t| {
                let angles = angles(t.map(|n| flat.points[n as usize])).map(f64::to_degrees);
                t.iter().zip(angles).for_each(|(&n, angle)| corner[n as usize] += angle);
                angles
            })
            .collect();
        let mut quality = Self { triangles: all.len(), ..Self::EMPTY };
        for (t, angles) in flat.triangles.iter().zip(&all) {
            let least = angles.iter().copied().fold(f64::INFINITY, f64::min);
            let is_sharp = t.iter().any(|&n| corner[n as usize] < SHARP_CORNER);
            match least < LEAST_ANGLE {
                true if is_sharp => quality.at_sharp_corners += 1,
                true => quality.bad += 1,
                false => {}
            }
            if least >= LEAST_ANGLE || !is_sharp {
                quality.smallest_angle = quality.smallest_angle.min(least);
            }
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let length = flat.points[t[a] as usize].distance(flat.points[t[b] as usize]);
                quality.edges = [quality.edges[0].min(length), quality.edges[1].max(length)];
            }
        }
        quality
    }

    /// The quality of both together, with the lengths of `other` multiplied by `size`.
    pub(super) fn and(self, other: Self, size: f64) -> Self {
        Self {
            triangles: self.triangles + other.triangles,
            smallest_angle: self.smallest_angle.min(other.smallest_angle),
            at_sharp_corners: self.at_sharp_corners + other.at_sharp_corners,
            bad: self.bad + other.bad,
            edges: [self.edges[0].min(size * other.edges[0]), self.edges[1].max(size * other.edges[1])],
        }
    }
}

/// The angles of a triangle \[radians\]; negative if it is clockwise.
pub(super) fn angles([a, b, c]: [DVec2; 3]) -> [f64; 3] {
    [turn(b - a, c - a), turn(c - b, a - b), turn(a - c, b - c)]
}
