//! A box filled with springs: a deformable solid.

mod law;

use glam::{DVec3, Vec3};

use super::{Damping, RawSprings, ShapeError, check};
use crate::model::{Body, Family, MAX_NODES, Spring};

/// A solid, the same at any resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Density [kg/m^3].
    pub density: f32,
    /// Young's modulus \[Pa\]; Poisson's ratio is 1/4, as for all networks of springs.
    pub young: f32,
    /// Dashpot of each spring over its stiffness \[s\].
    pub damping_time: f32,
}

/// Material of a lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LatticeMaterial {
    /// A solid.
    Solid(Solid),
    /// Springs of given stiffness.
    Raw(RawSprings),
}

/// A box of nodes, `cells + 1` along each edge; node (i, j, k) has index (k (J + 1) + j) (I + 1) + i. Triangles cover
/// its surface and face outward.
#[derive(Clone, Debug, PartialEq)]
pub struct Lattice {
    /// Node (0, 0, 0) \[m\].
    pub corner: Vec3,
    /// The edges of the box from there \[m\], at right angles.
    pub edges: [Vec3; 3],
    /// Cells along each edge.
    pub cells: [u32; 3],
    /// Material.
    pub material: LatticeMaterial,
}

/// Steps from the start of a spring to its end, and the family: edges of a cell, diagonals of its faces, two for each
/// direction across, its own diagonals, and every second node.
const KINDS: [([i32; 3], Family); 16] = [
    ([1, 0, 0], Family::Structural),
    ([0, 1, 0], Family::Structural),
    ([0, 0, 1], Family::Structural),
    ([0, 1, 1], Family::Shear),
    ([0, 1, -1], Family::Shear),
    ([1, 0, 1], Family::Shear),
    ([1, 0, -1], Family::Shear),
    ([1, 1, 0], Family::Shear),
    ([1, -1, 0], Family::Shear),
    ([1, 1, 1], Family::Shear),
    ([1, 1, -1], Family::Shear),
    ([1, -1, 1], Family::Shear),
    ([1, -1, -1], Family::Shear),
    ([2, 0, 0], Family::Flexion),
    ([0, 2, 0], Family::Flexion),
    ([0, 0, 2], Family::Flexion),
];

impl Lattice {
    /// Makes the body; springs are ordered kind by kind.
    pub fn build(&self) -> Result<Body, ShapeError> {
        self.check()?;
        let stiffness = self.stiffness()?;
        let damping = match self.material {
            LatticeMaterial::Solid(solid) => Damping::Time(solid.damping_time),
            LatticeMaterial::Raw(raw) => Damping::Dashpot(raw.dashpot),
        };
        let count = self.nodes();
        let starts = |offset: [i32; 3]| -> usize {
            (0..3).map(|d| count[d].saturating_sub(offset[d].unsigned_abs()) as usize).product()
        };
        let used = || KINDS.into_iter().zip(stiffness).filter(|(_, inner)| *inner > 0.0);
        let mut springs = Vec::with_capacity(used().map(|((offset, _), _)| starts(offset)).sum());
        for ((offset, family), inner) in used() {
            let rest_length = self.vector(offset).length() as f32;
            for (start, at) in self.places().enumerate() {
                let end = [0, 1, 2].map(|d| at[d] + offset[d]);
                if (0..3).any(|d| !(0..count[d] as i32).contains(&end[d])) {
                    continue;
                }
                let stiffness = (inner * self.share(at, offset)) as f32;
                let nodes = [start as u32, self.index(end)];
                let dashpot = damping.dashpot(stiffness);
                springs.push(Spring { nodes, rest_length, stiffness, dashpot, family });
            }
        }
        Ok(Body {
            name: "lattice".into(),
            rest_position: self.places().map(|at| self.place(at)).collect(),
            mass: self.places().map(|at| self.mass(at)).collect(),
            springs,
            triangles: self.triangles(),
            ..Body::default()
        })
    }

    /// Stiffness [N/m] of each of [`KINDS`] inside the box.
    fn stiffness(&self) -> Result<[f64; 16], ShapeError> {
        let mut stiffness = [0.0; 16];
        match self.material {
            LatticeMaterial::Solid(solid) => {
                let law = law::stiffness(&solid, self.cell_edges().map(DVec3::length).into(), self.cells)?;
                stiffness[..3].copy_from_slice(&law.structural);
                for (pair, face) in stiffness[3..9].chunks_mut(2).zip(law.face) {
                    pair.fill(face);
                }
            }
            LatticeMaterial::Raw(raw) => {
                stiffness[..3].fill(raw.structural.into());
                stiffness[3..13].fill(raw.shear.into());
                stiffness[13..].fill(raw.flexion.into());
            }
        }
        Ok(stiffness)
    }

    /// Number of cells that share this spring, over that of a spring inside.
    fn share(&self, at: [i32; 3], offset: [i32; 3]) -> f64 {
        match self.material {
            LatticeMaterial::Raw(_) => 1.0,
            LatticeMaterial::Solid(_) => {
                (0..3).filter(|&d| offset[d] == 0).map(|d| self.half(at, d)).product()
            }
        }
    }

    /// 1/2 on the border of the box in direction `d`, otherwise 1.
    fn half(&self, at: [i32; 3], d: usize) -> f64 {
        if at[d] == 0 || at[d] == self.cells[d] as i32 { 0.5 } else { 1.0 }
    }

    fn mass(&self, at: [i32; 3]) -> f32 {
        match self.material {
            LatticeMaterial::Raw(raw) => raw.node_mass,
            LatticeMaterial::Solid(solid) => {
                let volume: f64 = self.cell_edges().iter().map(|edge| edge.length()).product();
                let part: f64 = (0..3).map(|d| self.half(at, d)).product();
                (f64::from(solid.density) * volume * part) as f32
            }
        }
    }

    /// Two triangles for each face of a cell at the surface.
    fn triangles(&self) -> Vec<[u32; 3]> {
        let [u, v, w] = self.edges;
        let is_right_handed = u.cross(v).dot(w) > 0.0;
        let mut triangles = Vec::new();
        for d in 0..3 {
            // Directions a and b turn counter-clockwise seen from beyond the far side across d.
            let (a, b) = ((d + 1) % 3, (d + 2) % 3);
            for is_far in [false, true] {
                let corner = |i: i32, j: i32| {
                    let mut at = [0; 3];
                    at[d] = if is_far { self.cells[d] as i32 } else { 0 };
                    (at[a], at[b]) = (i, j);
                    self.index(at)
                };
                for (j, i) in
                    (0..self.cells[b] as i32).flat_map(|j| (0..self.cells[a] as i32).map(move |i| (j, i)))
                {
                    let [p, q, r, s] =
                        [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                    match is_far == is_right_handed {
                        true => triangles.extend([[p, q, r], [p, r, s]]),
                        false => triangles.extend([[p, r, q], [p, s, r]]),
                    }
                }
            }
        }
        triangles
    }

    /// Nodes along each edge.
    fn nodes(&self) -> [u32; 3] {
        self.cells.map(|n| n + 1)
    }

    /// All (i, j, k) in the order of the nodes.
    fn places(&self) -> impl Iterator<Item = [i32; 3]> + use<> {
        let [i, j, k] = self.nodes().map(|n| n as i32);
        (0..k).flat_map(move |z| (0..j).flat_map(move |y| (0..i).map(move |x| [x, y, z])))
    }

    fn index(&self, [i, j, k]: [i32; 3]) -> u32 {
        let [columns, rows, _] = self.nodes();
        (k as u32 * rows + j as u32) * columns + i as u32
    }

    fn cell_edges(&self) -> [DVec3; 3] {
        [0, 1, 2].map(|d| self.edges[d].as_dvec3() / f64::from(self.cells[d]))
    }

    fn vector(&self, steps: [i32; 3]) -> DVec3 {
        let edges = self.cell_edges();
        (0..3).map(|d| f64::from(steps[d]) * edges[d]).sum()
    }

    fn place(&self, at: [i32; 3]) -> Vec3 {
        (self.corner.as_dvec3() + self.vector(at)).as_vec3()
    }

    fn check(&self) -> Result<(), ShapeError> {
        check::point("corner", self.corner)?;
        for (key, edge) in ["u", "v", "w"].into_iter().zip(self.edges) {
            check::direction(key, edge)?;
        }
        for (d, key) in [(1, "v"), (2, "w")] {
            for other in &self.edges[..d] {
                if self.edges[d].normalize().dot(other.normalize()).abs() > 1e-4 {
                    let allowed = "it must stand at right angles on the edges before it";
                    return Err(ShapeError::new(key, self.edges[d], allowed));
                }
            }
        }
        let wrong = |allowed: String| {
            let [i, j, k] = self.cells;
            Err(ShapeError::new("cells", format!("[{i}, {j}, {k}]"), allowed))
        };
        if self.cells.contains(&0) {
            return wrong("there must be at least one along each edge".into());
        }
        let nodes: f64 = self.cells.iter().map(|n| f64::from(*n) + 1.0).product();
        if nodes > MAX_NODES as f64 {
            return wrong(format!("too fine: {nodes:.0} nodes; the most is {MAX_NODES}"));
        }
        let far = self.corner.abs().max_element() + self.edges.iter().map(|edge| edge.length()).sum::<f32>();
        if self.cell_edges().iter().any(|edge| edge.length() <= f64::from(4.0 * f32::EPSILON * far)) {
            return wrong("too fine: neighbors would lie within rounding of each other".into());
        }
        self.material.check()
    }
}

impl LatticeMaterial {
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        match self {
            LatticeMaterial::Solid(solid) => {
                check::positive("density", solid.density)?;
                check::positive("young", solid.young)?;
                check::not_negative("damping-time", solid.damping_time)
            }
            LatticeMaterial::Raw(raw) => raw.check(),
        }
    }
}

#[cfg(test)]
mod tests;
