//! A triangulated disc of nearly equilateral triangles: rings of 6, 12, 18, ... nodes.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{ShapeError, Surface, check};
use crate::model::{Body, MAX_NODES};

/// A disc of cloth. Node 0 is the center; ring k follows with 6 k nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Disc {
    /// Center \[m\].
    pub center: Vec3,
    /// Direction in which the front faces; any length above zero.
    pub normal: Vec3,
    /// Radius \[m\].
    pub radius: f32,
    /// Wanted distance between neighbors \[m\]; the nearest distance that divides the radius is used.
    pub spacing: f32,
    /// Material.
    pub surface: Surface,
}

impl Disc {
    /// Makes the body.
    pub fn build(&self) -> Result<Body, ShapeError> {
        check::point("center", self.center)?;
        check::direction("normal", self.normal)?;
        check::positive("radius", self.radius)?;
        check::positive("spacing", self.spacing)?;
        self.surface.check()?;
        let rings = (self.radius / self.spacing).round().max(1.0);
        let count = 1.0 + 3.0 * f64::from(rings) * (f64::from(rings) + 1.0);
        if count > MAX_NODES as f64 {
            let allowed = format!("too fine: {count:.0} nodes; the most is {MAX_NODES}");
            return Err(ShapeError::new("spacing", self.spacing, allowed));
        }
        let rings = rings as u32;
        let body = self.surface.body(self.positions(rings), triangles(rings));
        Ok(Body { name: "disc".into(), ..body })
    }

    fn positions(&self, rings: u32) -> Vec<Vec3> {
        let (u, v) = self.normal.normalize().any_orthonormal_pair();
        let ring = |k: u32| {
            let radius = self.radius * k as f32 / rings as f32;
            (0..6 * k).map(move |j| {
                let (sin, cos) = (TAU * j as f32 / (6 * k) as f32).sin_cos();
                self.center + (u * cos + v * sin) * radius
            })
        };
        std::iter::once(self.center).chain((1..=rings).flat_map(ring)).collect()
    }
}

/// Triangles sector by sector between ring k - 1 and ring k: k triangles point inward, k - 1 outward.
fn triangles(rings: u32) -> Vec<[u32; 3]> {
    // Node j of ring k; j may be one past the end.
    let node = |k: u32, j: u32| if k == 0 { 0 } else { 1 + 3 * k * (k - 1) + j % (6 * k) };
    let mut triangles = Vec::with_capacity(6 * (rings * rings) as usize);
    for k in 1..=rings {
        for sector in 0..6 {
            for j in 0..k {
                let (outer, inner) = (sector * k + j, sector * (k - 1) + j);
                triangles.push([node(k - 1, inner), node(k, outer), node(k, outer + 1)]);
                if j + 1 < k {
                    triangles.push([node(k - 1, inner), node(k, outer + 1), node(k - 1, inner + 1)]);
                }
            }
        }
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Damping, EdgeStiffness, Flexion, SurfaceMass};

    fn disc(spacing: f32) -> Disc {
        Disc {
            center: Vec3::new(1.0, 2.0, 3.0),
            normal: Vec3::new(0.0, 2.0, 1.0),
            radius: 0.5,
            spacing,
            surface: Surface {
                mass: SurfaceMass::Density(0.2),
                stiffness: EdgeStiffness::Tensile(500.0),
                flexion: Flexion::Ratio(0.1),
                bending: 0.0,
                damping: Damping::Time(1e-3),
            },
        }
    }

    #[test]
    fn triangles_cover_the_disc_and_face_its_normal() {
        for rings in [1u32, 2, 7] {
            let body = disc(0.5 / rings as f32).build().unwrap();
            assert_eq!(body.rest_position.len() as u32, 1 + 3 * rings * (rings + 1));
            let mut total = 0.0;
            for t in &body.triangles {
                let [a, b, c] = t.map(|n| body.rest_position[n as usize]);
                let area = 0.5 * (b - a).cross(c - a);
                assert!(area.dot(disc(1.0).normal) > 0.0, "{t:?}");
                total += area.length();
            }
            let outer = 6.0 * rings as f32;
            let polygon = 0.5 * outer * 0.25 * (TAU / outer).sin();
            assert!((total / polygon - 1.0).abs() < 1e-5, "{total} m^2, not {polygon}");
            // Euler: one face outside, so edges = nodes + triangles - 1; inner edges have flexion.
            let edges = body.rest_position.len() + body.triangles.len() - 1;
            assert_eq!(body.springs.len(), edges + edges - 6 * rings as usize);
        }
    }

    #[test]
    fn springs_are_close_to_the_spacing() {
        let body = disc(0.02).build().unwrap();
        let mut edges = body.springs.iter().filter(|s| s.family == crate::model::Family::Structural);
        // The longest edges are the diagonals beside the six radii on which nodes of all rings lie.
        assert!(edges.all(|s| s.rest_length > 0.0195 && s.rest_length < 0.03));
    }

    #[test]
    fn nonsense_is_refused_by_key() {
        let key = |d: Disc| d.build().unwrap_err().key;
        assert_eq!(key(disc(1e-9)), "spacing");
        assert_eq!(key(Disc { radius: -1.0, ..disc(0.1) }), "radius");
        assert_eq!(key(Disc { normal: Vec3::ZERO, ..disc(0.1) }), "normal");
    }
}
