//! A cloth from any triangle mesh, placed in the scene.

use glam::{EulerRot, Quat, Vec3};

use super::{ShapeError, Surface, check};
use crate::model::Body;

/// Placement of a mesh: it is scaled first, then rotated, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Factor on all coordinates \[1\].
    pub scale: f32,
    /// Rotations about the x, y and z axes, in this order \[degrees\].
    pub rotate: Vec3,
    /// Displacement \[m\].
    pub translate: Vec3,
}

impl Default for Placement {
    fn default() -> Self {
        Self { scale: 1.0, rotate: Vec3::ZERO, translate: Vec3::ZERO }
    }
}

impl Placement {
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        check::positive("scale", self.scale)?;
        check::point("rotate", self.rotate)?;
        check::point("translate", self.translate)
    }

    /// The map from points of the mesh to points of the scene.
    pub(super) fn place(self) -> impl Fn(Vec3) -> Vec3 {
        let [x, y, z] = self.rotate.to_array().map(f32::to_radians);
        let turn = Quat::from_euler(EulerRot::XYZEx, x, y, z);
        move |p| turn * (p * self.scale) + self.translate
    }
}

/// A triangle mesh made of cloth.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Corners of the triangles before placement; in m after scaling.
    pub positions: Vec<Vec3>,
    /// Indices of the corners, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Its placement.
    pub placement: Placement,
    /// Material.
    pub surface: Surface,
}

impl Mesh {
    /// Makes the body.
    pub fn build(self) -> Result<Body, ShapeError> {
        let placement = self.placement;
        placement.check()?;
        self.surface.check()?;
        let place = placement.place();
        let positions: Vec<Vec3> = self.positions.into_iter().map(place).collect();
        check_triangles(&positions, &self.triangles)?;
        Ok(Body { name: "mesh".into(), ..self.surface.body(positions, self.triangles) })
    }
}

fn check_triangles(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    let mut used = vec![false; positions.len()];
    for (i, t) in triangles.iter().enumerate() {
        let refuse = |why: &str| Err(ShapeError::new("mesh", format!("triangle {i} = {t:?}"), why));
        if t.iter().any(|&n| n as usize >= positions.len()) {
            return refuse("it names a node that does not exist");
        }
        let [a, b, c] = t.map(|n| positions[n as usize]);
        let area = (b - a).cross(c - a).length();
        if !(area.is_normal() && area.is_finite()) {
            return refuse("it must have an area that f32 can hold; check the mesh and its scale");
        }
        t.iter().for_each(|&n| used[n as usize] = true);
    }
    match used.iter().position(|u| !u) {
        None if !triangles.is_empty() => Ok(()),
        None => Err(ShapeError::new("mesh", "no triangles", "it needs at least one")),
        Some(i) => Err(ShapeError::new("mesh", format!("node {i}"), "it belongs to no triangle; remove it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Family;
    use crate::shape::{Damping, EdgeStiffness, Flexion, SurfaceMass};

    /// Two equilateral triangles of side one.
    fn rhombus() -> Mesh {
        let h = 0.75f32.sqrt();
        let points = [[0.0, 0.0], [1.0, 0.0], [0.5, h], [1.5, h]];
        Mesh {
            positions: points.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
            triangles: vec![[0, 1, 2], [1, 3, 2]],
            placement: Placement::default(),
            surface: Surface {
                mass: SurfaceMass::Total(3.0),
                stiffness: EdgeStiffness::Tensile(100.0),
                flexion: Flexion::Ratio(0.5),
                bending: 0.0,
                damping: Damping::NONE,
            },
        }
    }

    #[test]
    fn edges_follow_van_gelder_and_flexion_crosses_them() {
        let body = rhombus().build().unwrap();
        assert_eq!(body.springs.len(), 5 + 1);
        let border = 100.0 * 0.75f32.sqrt() / 2.0;
        for s in &body.springs[..5] {
            let expected = if s.nodes == [1, 2] { 2.0 * border } else { border };
            assert!((s.stiffness - expected).abs() < 1e-3 && (s.rest_length - 1.0).abs() < 1e-6, "{s:?}");
        }
        let last = body.springs[5];
        assert_eq!((last.nodes, last.family), ([0, 3], Family::Flexion));
        assert!((last.stiffness - border).abs() < 1e-3 && (last.rest_length - 3f32.sqrt()).abs() < 1e-6);
        assert!((body.mass[0] - 0.5).abs() < 1e-6 && (body.mass[1] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn placement_scales_then_turns_then_moves() {
        let placement =
            Placement { scale: 2.0, rotate: Vec3::new(90.0, 0.0, 90.0), translate: Vec3::new(0.0, 0.0, 5.0) };
        let body = Mesh { placement, ..rhombus() }.build().unwrap();
        // (1, 0, 0) -> (2, 0, 0) -> about z: (0, 2, 0); y -> z by the turn about x, kept about z.
        assert!(body.rest_position[1].distance(Vec3::new(0.0, 2.0, 5.0)) < 1e-5);
        assert!((body.rest_position[2].z - 5.0 - 2.0 * 0.75f32.sqrt()).abs() < 1e-5);
    }

    #[test]
    fn bad_meshes_are_refused() {
        let error = |change: fn(&mut Mesh)| {
            let mut mesh = rhombus();
            change(&mut mesh);
            mesh.build().unwrap_err().to_string()
        };
        assert!(error(|m| m.triangles[1][1] = 9).contains("does not exist"));
        assert!(error(|m| m.triangles.truncate(1)).contains("node 3"));
        assert!(error(|m| m.triangles[1] = [1, 3, 3]).contains("area"));
        assert!(error(|m| m.placement.scale = 0.0).starts_with("scale = 0"));
    }
}
