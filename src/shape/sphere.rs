//! A triangulated sphere: the faces of an icosahedron, divided by equal angles.

use std::collections::HashMap;
use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use super::{ShapeError, Surface, check};
use crate::model::{Body, MAX_NODES};

/// A closed skin. Nodes 0 to 11 are the corners of the icosahedron: 0 is the top, 11 the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Sphere {
    /// Center \[m\].
    pub center: Vec3,
    /// Radius \[m\].
    pub radius: f32,
    /// Wanted distance between neighbors \[m\]; the nearest distance that divides the edges of the icosahedron is used.
    pub spacing: f32,
    /// Material.
    pub surface: Surface,
}

impl Sphere {
    /// Makes the body; its triangles face outward.
    pub fn build(&self) -> Result<Body, ShapeError> {
        check::point("center", self.center)?;
        check::positive("radius", self.radius)?;
        check::point("radius", Vec3::splat(self.radius))?;
        check::positive("spacing", self.spacing)?;
        self.surface.check()?;
        let parts = parts(f64::from(self.radius / self.spacing));
        let count = 10.0 * parts * parts + 2.0;
        if count > MAX_NODES as f64 {
            let allowed = format!("too fine: {count:.0} nodes; the most is {MAX_NODES}");
            return Err(ShapeError::new("spacing", self.spacing, allowed));
        }
        let (directions, triangles) = divided(parts as u32);
        let place = |d: &DVec3| (self.center.as_dvec3() + f64::from(self.radius) * d).as_vec3();
        let body = self.surface.body(directions.iter().map(place).collect(), triangles);
        Ok(Body { name: "sphere".into(), ..body })
    }
}

/// Parts of an edge for a radius in spacings: 10 parts^2 + 2 nodes divide the sphere like equilateral triangles.
fn parts(radius: f64) -> f64 {
    let nodes = 4.0 * PI * radius * radius * 2.0 / 3f64.sqrt();
    ((nodes - 2.0).max(0.0) / 10.0).sqrt().round().max(1.0)
}

/// The corners, each a unit vector, and the faces of the icosahedron.
fn icosahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    // Two rings of five at the heights +-1/sqrt 5, between the poles.
    let ring = |height: f64, turn: f64| {
        (0..5).map(move |k| {
            let (sin, cos) = (0.4 * PI * (f64::from(k) + turn)).sin_cos();
            let radius = (1.0 - height * height).sqrt();
            DVec3::new(radius * cos, height, -radius * sin)
        })
    };
    let height = 0.2f64.sqrt();
    let corners = std::iter::once(DVec3::Y).chain(ring(height, 0.0)).chain(ring(-height, 0.5));
    let face = |k: u32| {
        let next = (k + 1) % 5;
        let (a, b, c, d) = (1 + k, 1 + next, 6 + k, 6 + next);
        [[0, a, b], [a, c, b], [b, c, d], [11, d, c]]
    };
    (corners.chain([DVec3::NEG_Y]).collect(), (0..5).flat_map(face).collect())
}

/// The icosahedron with each edge divided into `parts`: directions from the center, and triangles.
fn divided(parts: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (corners, faces) = icosahedron();
    let mut directions = corners.clone();
    // Nodes within an edge, from its lower corner on.
    let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
    let mut triangles = Vec::with_capacity(20 * (parts * parts) as usize);
    for [a, b, c] in faces {
        let mut edge = |from: u32, to: u32, k: u32, directions: &mut Vec<DVec3>| {
            let (ends, k) = if from < to { ([from, to], k) } else { ([to, from], parts - k) };
            let first = *edges.entry(ends).or_insert_with(|| {
                let first = directions.len() as u32;
                let [p, q] = ends.map(|i| corners[i as usize]);
                directions.extend((1..parts).map(|k| between([p, q], [parts - k, k])));
                first
            });
            match k {
                0 => ends[0],
                k if k == parts => ends[1],
                k => first + k - 1,
            }
        };
        // Row r is between a and the edge b c, and has r + 1 nodes.
        let mut above = vec![a];
        for r in 1..=parts {
            let (left, right) = (edge(a, b, r, &mut directions), edge(a, c, r, &mut directions));
            let mut row = vec![left];
            for k in 1..r {
                if r == parts {
                    row.push(edge(b, c, k, &mut directions));
                } else {
                    row.push(directions.len() as u32);
                    directions.push(between([a, b, c].map(|i| corners[i as usize]), [parts - r, r - k, k]));
                }
            }
            row.push(right);
            for k in 0..r as usize {
                triangles.push([above[k], row[k], row[k + 1]]);
                if k + 1 < r as usize {
                    triangles.push([above[k], row[k + 1], above[k + 1]]);
                }
            }
            above = row;
        }
    }
    (directions, triangles)
}

/// The direction with these weights between corners of the icosahedron. Between two corners it divides their angle in
/// proportion. Between three, the lengths of edges differ by less than 18 %; with flat weights they would differ by a
/// half.
fn between<const N: usize>(corners: [DVec3; N], weights: [u32; N]) -> DVec3 {
    let whole = f64::from(weights.iter().sum::<u32>());
    // The angle between neighbors: its cosine is 1 / sqrt 5.
    let angle = 0.2f64.sqrt().acos();
    let share = |(corner, weight): (DVec3, u32)| (f64::from(weight) / whole * angle).sin() * corner;
    corners.into_iter().zip(weights).map(share).sum::<DVec3>().normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Damping, EdgeStiffness, Flexion, SurfaceMass};

    fn sphere(spacing: f32) -> Sphere {
        let surface = Surface {
            mass: SurfaceMass::Density(0.2),
            stiffness: EdgeStiffness::Tensile(500.0),
            flexion: Flexion::None,
            bending: 0.0,
            damping: Damping::NONE,
        };
        Sphere { center: Vec3::new(1.0, 2.0, 3.0), radius: 0.5, spacing, surface }
    }

    #[test]
    fn the_skin_is_closed_even_and_faces_outwards() {
        for spacing in [1.0, 0.3, 0.1, 0.03] {
            let shape = sphere(spacing);
            let body = shape.build().unwrap();
            let x = &body.rest_position;
            let (nodes, triangles) = (x.len(), body.triangles.len());
            assert_eq!(triangles, 2 * nodes - 4, "{spacing}");
            assert_eq!(body.springs.len(), 3 * nodes - 6);
            assert!(x.iter().all(|p| (p.distance(shape.center) / 0.5 - 1.0).abs() < 1e-6));
            let mut sides = Vec::new();
            for triangle in &body.triangles {
                let [a, b, c] = triangle.map(|i| x[i as usize] - shape.center);
                assert!((b - a).cross(c - a).dot(a + b + c) > 0.0);
                sides.extend([a.distance(b), b.distance(c), c.distance(a)]);
            }
            let mean = sides.iter().sum::<f32>() / sides.len() as f32;
            assert!(spacing > 0.5 || (mean / spacing - 1.0).abs() < 0.2, "{mean} of {spacing}");
            let (least, most) = sides.iter().fold((f32::MAX, 0f32), |(a, b), &s| (a.min(s), b.max(s)));
            assert!(most < 1.18 * least, "{least} to {most}");
            // Each edge is shared by two triangles, once in each direction.
            let mut edges: Vec<[u32; 2]> =
                body.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len(), 3 * triangles);
            assert!(edges.iter().all(|&[a, b]| edges.binary_search(&[b, a]).is_ok()));
            let mass: f32 = body.mass.iter().sum();
            let whole = 0.2 * 4.0 * std::f32::consts::PI * 0.25;
            assert!(spacing > 0.05 || (mass / whole - 1.0).abs() < 0.01, "{mass} of {whole}");
        }
    }

    #[test]
    fn what_makes_no_sphere_is_refused() {
        assert_eq!(sphere(0.0).build().unwrap_err().key, "spacing");
        assert_eq!(sphere(1e-5).build().unwrap_err().key, "spacing");
        assert_eq!(Sphere { radius: -1.0, ..sphere(0.1) }.build().unwrap_err().key, "radius");
    }
}
