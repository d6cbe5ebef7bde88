//! Springs and masses of any triangle mesh: structural along its edges, flexion across them.

use glam::Vec3;
use rayon::prelude::*;

use super::{Damping, Flexion, ShapeError, check};
use crate::model::{Body, Family, Spring};

/// Mass of a triangle mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceMass {
    /// Mass per area [kg/m^2]; each triangle gives a third to each corner.
    Density(f32),
    /// Mass of the whole mesh \[kg\], distributed by area, too.
    Total(f32),
    /// The same mass at every node \[kg\].
    PerNode(f32),
}

/// Stiffness of a mesh's edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeStiffness {
    /// The same stiffness on every edge [N/m].
    PerSpring(f32),
    /// Tensile stiffness per width, T [N/m]: k = T (areas of its triangles) / l^2 (Van Gelder 1998,
    /// "Approximate simulation of elastic membranes by triangulated spring meshes").
    Tensile(f32),
}

/// Material of a triangle mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Mass.
    pub mass: SurfaceMass,
    /// Stiffness along the edges.
    pub stiffness: EdgeStiffness,
    /// Springs between the two corners opposite an edge with two triangles.
    pub flexion: Flexion,
    /// Bending stiffness B [N m]: energy B/2 per area and squared curvature, at any resolution. Zero for
    /// none.
    pub bending: f32,
    /// Damping along the springs.
    pub damping: Damping,
}

impl Surface {
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        match self.mass {
            SurfaceMass::Density(density) => check::positive("density", density)?,
            SurfaceMass::Total(mass) => check::positive("total-mass", mass)?,
            SurfaceMass::PerNode(mass) => check::positive("node-mass", mass)?,
        }
        match self.stiffness {
            EdgeStiffness::PerSpring(stiffness) => check::positive("structural", stiffness)?,
            EdgeStiffness::Tensile(tensile) => check::positive("tensile", tensile)?,
        }
        self.flexion.check()?;
        check::not_negative("bending", self.bending)?;
        self.damping.check()
    }

    /// The body of a mesh whose triangles have existing nodes and an area above zero. Springs are in the order
    /// of the nodes of their edges: first those along all edges, then all flexion springs.
    pub(super) fn body(&self, rest_position: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Body {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|n| rest_position[n as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let areas: Vec<f32> = triangles.par_iter().map(area).collect();
        Body {
            mass: self.masses(rest_position.len(), &triangles, &areas),
            springs: self.springs(&rest_position, &triangles, &areas),
            rest_position,
            triangles,
            bending: self.bending,
            ..Body::default()
        }
    }

    fn masses(&self, count: usize, triangles: &[[u32; 3]], areas: &[f32]) -> Vec<f32> {
        let total_area: f64 = areas.iter().map(|&a| f64::from(a)).sum();
        let density = match self.mass {
            SurfaceMass::PerNode(mass) => return vec![mass; count],
            SurfaceMass::Density(density) => density,
            SurfaceMass::Total(mass) => (f64::from(mass) / total_area) as f32,
        };
        let mut mass = vec![0.0; count];
        for (t, area) in triangles.iter().zip(areas) {
            for &node in t {
                mass[node as usize] += density * area / 3.0;
            }
        }
        mass
    }

    fn springs(&self, position: &[Vec3], triangles: &[[u32; 3]], areas: &[f32]) -> Vec<Spring> {
        let sides = sides(triangles);
        let spring = |nodes: [u32; 2], stiffness: f32, family| {
            let [a, b] = nodes.map(|n| position[n as usize]);
            let dashpot = self.damping.dashpot(stiffness);
            Spring { nodes, rest_length: a.distance(b), stiffness, dashpot, family }
        };
        let (mut springs, mut flexions) = (Vec::new(), Vec::new());
        for edge in sides.chunk_by(|a, b| a.nodes == b.nodes) {
            let nodes = edge[0].nodes;
            let structural = match self.stiffness {
                EdgeStiffness::PerSpring(stiffness) => stiffness,
                EdgeStiffness::Tensile(tensile) => {
                    let [a, b] = nodes.map(|n| position[n as usize]);
                    let area: f32 = edge.iter().map(|s| areas[s.triangle as usize]).sum();
                    tensile * area / a.distance_squared(b)
                }
            };
            springs.push(spring(nodes, structural, Family::Structural));
            let flexion = self.flexion.stiffness(structural);
            // If more than two triangles meet at an edge, bending is not defined.
            if let [a, b] = edge
                && a.opposite != b.opposite
                && flexion > 0.0
            {
                flexions.push(spring([a.opposite, b.opposite], flexion, Family::Flexion));
            }
        }
        springs.append(&mut flexions);
        springs
    }
}

/// A side of a triangle: its two nodes in ascending order, and the opposite corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    pub nodes: [u32; 2],
    pub triangle: u32,
    pub opposite: u32,
}

/// All sides, sorted so that sides of the same edge are adjacent.
pub(super) fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        for (i, j, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            sides.push(Side { nodes: [i.min(j), i.max(j)], triangle: triangle as u32, opposite });
        }
    }
    sides.par_sort_unstable();
    sides
}
