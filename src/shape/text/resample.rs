//! Resamples outlines at about the wanted spacing: corners stay, curves become chords, shorter ones in narrow strokes.

use std::f64::consts::PI;

use glam::DVec2;

use super::outline::{Contour, Island, pairs, turn};

/// A point is a corner if the contour turns by more than this within the window around it \[radians\].
const CORNER: f64 = 0.6;
/// Half of that window, in spacings.
const WINDOW: f64 = 0.3;
/// Samples of a contour per spacing.
const SAMPLES: f64 = 5.0;
/// Largest turn from one chord to the next on a curve \[radians\].
const CHORD_TURN: f64 = 0.7;
/// Chord over the width of a stroke, for which triangles across the stroke are equilateral.
const STRIP: f64 = 1.15;
/// Shortest chord, in spacings.
const SHORTEST: f64 = 0.3;
/// Growth of chords along the contour.
const GRADE: f64 = 0.35;

/// The island with chords of about `spacing`. Details below a third of `detail` times the spacing may be lost; smaller
/// values keep more.
pub(super) fn island(fine: &Island, spacing: f64, detail: f64) -> Island {
    let sides: Vec<(DVec2, DVec2)> = fine.iter().flat_map(|contour| pairs(contour)).collect();
    fine.iter().map(|contour| Line::new(contour).resample(&sides, spacing, detail)).collect()
}

/// A contour parametrized by its length.
struct Line<'a> {
    points: &'a Contour,
    /// Length up to each point, and the total length at the end.
    at: Vec<f64>,
}

/// A sample in the middle of a short part of the contour.
struct Sample {
    length: f64,
    chord: f64,
}

impl<'a> Line<'a> {
    fn new(points: &'a Contour) -> Self {
        let mut at = vec![0.0];
        for (a, b) in pairs(points) {
            at.push(at[at.len() - 1] + a.distance(b));
        }
        Self { points, at }
    }

    fn whole(&self) -> f64 {
        self.at[self.points.len()]
    }

    fn point(&self, at: f64) -> DVec2 {
        let at = at.rem_euclid(self.whole());
        let n = self.points.len();
        let i = self.at.partition_point(|&x| x <= at).clamp(1, n) - 1;
        let part = (at - self.at[i]) / (self.at[i + 1] - self.at[i]).max(f64::MIN_POSITIVE);
        self.points[i].lerp(self.points[(i + 1) % n], part.clamp(0.0, 1.0))
    }

    /// Indices of the points that are corners.
    fn corners(&self, window: f64) -> Vec<usize> {
        let n = self.points.len();
        // The points of a small circle must not all be corners.
        let window = window.min(self.whole() / 14.0);
        let turns: Vec<f64> = (0..n)
            .map(|i| {
                let (before, here, after) =
                    (self.point(self.at[i] - window), self.points[i], self.point(self.at[i] + window));
                turn(here - before, after - here).abs()
            })
            .collect();
        let mut order: Vec<usize> = (0..n).filter(|&i| turns[i] > CORNER).collect();
        order.sort_by(|&a, &b| turns[b].total_cmp(&turns[a]).then(a.cmp(&b)));
        let apart = |a: usize, b: usize| {
            let d = (self.at[a] - self.at[b]).abs();
            d.min(self.whole() - d)
        };
        let mut corners: Vec<usize> = Vec::new();
        for i in order {
            if corners.iter().all(|&c| apart(c, i) > window) {
                corners.push(i);
            }
        }
        corners.sort_unstable();
        corners
    }

    fn resample(&self, sides: &[(DVec2, DVec2)], spacing: f64, detail: f64) -> Contour {
        let corners = self.corners(WINDOW * detail * spacing);
        // Pieces go from corner to corner; without corners there is one piece, once around.
        let mut starts: Vec<f64> = corners.iter().map(|&i| self.at[i]).collect();
        if starts.is_empty() {
            starts.push(0.0);
        }
        let pieces = starts.len();
        let ends = |p: usize| if p + 1 < pieces { starts[p + 1] } else { starts[0] + self.whole() };
        let mut samples: Vec<Vec<Sample>> = (0..pieces)
            .map(|p| self.samples(starts[p], ends(p), corners.is_empty(), sides, spacing, detail))
            .collect();
        grade(&mut samples);
        // Enough chords to keep a contour of one or two pieces a polygon with an inside.
        let least = [8, 4, 2, 1][(pieces - usize::from(corners.is_empty())).min(3)];
        let mut contour = Contour::new();
        for (start, piece) in starts.iter().zip(&samples) {
            let total: f64 = piece.iter().map(|s| s.length / s.chord).sum();
            let chords = (total.round() as usize).max(least);
            let step = total / chords as f64;
            contour.push(self.point(*start));
            let (mut done, mut at, mut next) = (0.0, *start, 1);
            for sample in piece {
                let part = sample.length / sample.chord;
                while next < chords && done + part >= step * next as f64 {
                    contour.push(self.point(at + (step * next as f64 - done) * sample.chord));
                    next += 1;
                }
                done += part;
                at += sample.length;
            }
        }
        contour
    }

    /// The wanted chords along a piece.
    fn samples(
        &self,
        start: f64,
        end: f64,
        is_closed: bool,
        sides: &[(DVec2, DVec2)],
        spacing: f64,
        detail: f64,
    ) -> Vec<Sample> {
        let count = ((end - start) / spacing * SAMPLES).ceil().max(6.0);
        let length = (end - start) / count;
        // Small contours, such as a dot or the eye of an e, stay round.
        let shortest = (SHORTEST * detail * spacing).min(self.whole() / 12.0);
        let chord = |i: usize| {
            let ends = [0.0, 1.0].map(|x| self.point(start + (i as f64 + x) * length));
            let along = ends[1] - ends[0];
            // Curvature from the turn between the neighbors of this part, inside the piece.
            let (first, last) = match is_closed {
                true => (i as f64 - 1.0, i as f64 + 1.0),
                false => ((i as f64 - 1.0).max(0.0), (i as f64 + 1.0).min(count - 1.0)),
            };
            let part = |k: f64| self.point(start + (k + 1.0) * length) - self.point(start + k * length);
            let curvature = turn(part(first), part(last)).abs() / ((last - first) * length);
            let width = STRIP * width((ends[0] + ends[1]) / 2.0, along.perp().normalize_or_zero(), sides);
            spacing.min(width.min(CHORD_TURN / curvature).max(shortest))
        };
        (0..count as usize).map(|i| Sample { length, chord: chord(i) }).collect()
    }
}

/// Width of the island from a point of its outline along the inward normal.
fn width(from: DVec2, inward: DVec2, sides: &[(DVec2, DVec2)]) -> f64 {
    let mut nearest = f64::INFINITY;
    for &(a, b) in sides {
        // Only sides that face the point, on the far side of the stroke.
        let side = b - a;
        let facing = side.perp_dot(inward);
        if facing > -1e-12 {
            continue;
        }
        let t = side.perp_dot(a - from) / facing;
        let s = inward.perp_dot(a - from) / facing;
        if t > 1e-9 && t < nearest && (-1e-9..=1.0 + 1e-9).contains(&s) {
            nearest = t;
        }
    }
    nearest
}

/// Limits the growth of chords to [`GRADE`] along the contour, in both directions.
fn grade(pieces: &mut [Vec<Sample>]) {
    let mut samples: Vec<&mut Sample> = pieces.iter_mut().flatten().collect();
    let n = samples.len();
    for round in 0..4 * n {
        let i = if round < 2 * n { round % n } else { n - 1 - round % n };
        let before = if round < 2 * n { (i + n - 1) % n } else { (i + 1) % n };
        let most = samples[before].chord + GRADE * samples[before].length.max(samples[i].length);
        samples[i].chord = samples[i].chord.min(most);
    }
}

/// Whether the polygons of an island are valid: no two sides cross, and the border goes around the holes.
pub(super) fn is_sound(island: &Island) -> bool {
    if island.iter().any(|contour| contour.len() < 3) {
        return false;
    }
    let turns = |contour: &Contour| (super::outline::area(contour) > 0.0) as usize;
    if island.iter().enumerate().any(|(i, contour)| turns(contour) != usize::from(i == 0)) {
        return false;
    }
    let inside = |p: DVec2| {
        let angle = |(a, b): (DVec2, DVec2)| turn(a - p, b - p);
        pairs(&island[0]).map(angle).sum::<f64>() > PI
    };
    island[1..].iter().all(|hole| inside(hole[0])) && !crosses(island)
}

/// Whether any two sides cross or touch, except neighbors at their common end.
fn crosses(island: &Island) -> bool {
    let mut sides: Vec<(DVec2, DVec2)> = island.iter().flat_map(|contour| pairs(contour)).collect();
    let left = |s: &(DVec2, DVec2)| s.0.x.min(s.1.x);
    let right = |s: &(DVec2, DVec2)| s.0.x.max(s.1.x);
    sides.sort_by(|a, b| left(a).total_cmp(&left(b)));
    sides.iter().enumerate().any(|(i, s)| {
        let beside = sides[i + 1..].iter().take_while(|t| left(t) <= right(s));
        beside.into_iter().any(|t| touch(*s, *t))
    })
}

fn touch((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> bool {
    // The sign of the triangle's area.
    let side = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
    if a == c || a == d || b == c || b == d {
        // Neighbors may not fold back onto each other.
        let (common, p, q) = match () {
            () if a == d => (a, b, c),
            () if b == c => (b, a, d),
            () => return true,
        };
        return side(common, p, q) == 0.0 && (p - common).dot(q - common) > 0.0;
    }
    // Parts of one straight line are apart if their bounding boxes are.
    let apart = a.min(b).cmpgt(c.max(d)) | c.min(d).cmpgt(a.max(b));
    !apart.any() && side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}
