//! A rectangular cloth: a regular grid of structural, shear and flexion springs.

mod law;

use glam::Vec3;
use rayon::prelude::*;

pub use law::{ClothMaterial, Fabric};

use super::{ShapeError, check};
use crate::model::{Body, Family, Grid, GridLink, MAX_NODES, Spring};

/// Largest cosine between the two edges: the fabric law holds for rectangular cells.
const LARGEST_SKEW: f32 = 1e-3;

/// A rectangular cloth of `columns * rows` nodes.
///
/// Node (column c, row r) has index `r * columns + c` and rests at
/// `corner + u c / (columns - 1) + v r / (rows - 1)`. Each cell has two triangles, whose front faces
/// point along `u x v`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// Position of node (0, 0) \[m\].
    pub corner: Vec3,
    /// Edge along the columns: from (0, 0) to the last column of row 0 \[m\].
    pub u: Vec3,
    /// Edge along the rows: from (0, 0) to the last row of column 0 \[m\]; perpendicular to `u`.
    pub v: Vec3,
    /// Nodes along `u`, at least two.
    pub columns: u32,
    /// Nodes along `v`, at least two.
    pub rows: u32,
    /// Material.
    pub material: ClothMaterial,
}

impl Cloth {
    /// A cloth of the default [`Fabric`], `columns` by `rows` nodes between its edges `u` and `v` \[m\], its first corner at
    /// the origin.
    pub fn new([columns, rows]: [u32; 2], u: Vec3, v: Vec3) -> Self {
        Self { corner: Vec3::ZERO, u, v, columns, rows, material: Fabric::default().into() }
    }

    /// Sets the first corner \[m\].
    pub fn at(self, corner: Vec3) -> Self {
        Self { corner, ..self }
    }

    /// Sets the material.
    pub fn of(self, material: impl Into<ClothMaterial>) -> Self {
        Self { material: material.into(), ..self }
    }

    /// Makes the body. Springs are ordered link by link (see [`Grid`]), then row by row; links without
    /// stiffness have no springs. `grid` has exactly the numbers of the springs.
    pub fn build(&self) -> Result<Body, ShapeError> {
        self.check()?;
        let grid = self.grid()?;
        Ok(Body {
            name: "cloth".into(),
            rest_position: self.rest_positions(),
            mass: self.masses(),
            springs: springs_of(&grid),
            triangles: triangles_of(&grid),
            bending: match &self.material {
                ClothMaterial::Fabric(fabric) => fabric.bending,
                ClothMaterial::Raw(_) => 0.0,
            },
            grid: Some(grid),
            ..Body::default()
        })
    }

    fn check(&self) -> Result<(), ShapeError> {
        check::point("corner", self.corner)?;
        check::direction("u", self.u)?;
        check::direction("v", self.v)?;
        check::count("columns", self.columns, 2)?;
        check::count("rows", self.rows, 2)?;
        let count = u64::from(self.columns) * u64::from(self.rows);
        if count > MAX_NODES as u64 {
            let allowed = format!("with rows = {} that is {count} nodes; the most is {MAX_NODES}", self.rows);
            return Err(ShapeError::new("columns", self.columns, allowed));
        }
        if self.u.normalize().dot(self.v.normalize()).abs() > LARGEST_SKEW {
            return Err(ShapeError::new("v", self.v, format!("it must be perpendicular to u = {}", self.u)));
        }
        Ok(())
    }

    fn grid(&self) -> Result<Grid, ShapeError> {
        let (columns, rows) = (self.columns, self.rows);
        let du = self.u.as_dvec3() / f64::from(columns - 1);
        let dv = self.v.as_dvec3() / f64::from(rows - 1);
        let springs = self.material.springs([du.length(), dv.length()], [columns, rows])?;
        let link = |offset: [i32; 2], stiffness: f64, dashpot: f64| {
            let rest_length = (du * f64::from(offset[0]) + dv * f64::from(offset[1])).length() as f32;
            // An inextensible spring has nothing to damp.
            let dashpot = if stiffness > 0.0 && stiffness.is_finite() { dashpot as f32 } else { 0.0 };
            GridLink { offset, rest_length, stiffness: stiffness as f32, dashpot }
        };
        let s = springs;
        let dashpot = |stiffness: f64| s.dashpot + s.damping_time * stiffness;
        let links = [
            link([1, 0], s.structural[0], dashpot(s.structural[0])),
            link([0, 1], s.structural[1], dashpot(s.structural[1])),
            link([1, 1], s.shear, dashpot(s.shear)),
            link([-1, 1], s.shear, dashpot(s.shear)),
            link([2, 0], s.flexion, dashpot(s.flexion)),
            link([0, 2], s.flexion, dashpot(s.flexion)),
        ];
        let border_factor = s.border_factor;
        Ok(Grid { columns, rows, links, border_factor, copies: 1, copy_links: Vec::new() })
    }

    fn rest_positions(&self) -> Vec<Vec3> {
        let (columns, last_column, last_row) = (self.columns, self.columns - 1, self.rows - 1);
        let at = |i: u32| {
            let (c, r) = (i % columns, i / columns);
            self.corner + self.u * (c as f32 / last_column as f32) + self.v * (r as f32 / last_row as f32)
        };
        (0..columns * self.rows).into_par_iter().map(at).collect()
    }

    fn masses(&self) -> Vec<f32> {
        let (columns, rows) = (self.columns, self.rows);
        let cell = self.u.length() / (columns - 1) as f32 * (self.v.length() / (rows - 1) as f32);
        let share = |k: u32, n: u32| if k == 0 || k + 1 == n { 0.5f32 } else { 1.0 };
        let mass = |i: u32| match &self.material {
            ClothMaterial::Fabric(fabric) => {
                fabric.density * cell * share(i % columns, columns) * share(i / columns, rows)
            }
            ClothMaterial::Raw(raw) => raw.node_mass,
        };
        (0..columns * rows).into_par_iter().map(mass).collect()
    }
}

const FAMILIES: [Family; 6] =
    [Family::Structural, Family::Structural, Family::Shear, Family::Shear, Family::Flexion, Family::Flexion];

/// Numbers of nodes along columns and rows from which a link's springs start; the first column is 1 for the
/// link that goes back by one column.
fn starts(grid: &Grid, link: &GridLink) -> (u32, u32) {
    let [dc, dr] = link.offset.map(i32::unsigned_abs);
    (grid.columns.saturating_sub(dc), grid.rows.saturating_sub(dr))
}

fn springs_of(grid: &Grid) -> Vec<Spring> {
    let used = || grid.links.iter().zip(FAMILIES).filter(|(link, _)| link.stiffness > 0.0);
    let count = |link: &GridLink| {
        let (columns, rows) = starts(grid, link);
        columns as usize * rows as usize
    };
    let mut springs = Vec::with_capacity(used().map(|(link, _)| count(link)).sum());
    for (link, family) in used() {
        let (width, _) = starts(grid, link);
        let first_column = (-link.offset[0]).max(0) as u32;
        let step = i64::from(link.offset[0]) + i64::from(link.offset[1]) * i64::from(grid.columns);
        let spring = |k: u32| {
            let (c, r) = (k % width + first_column, k / width);
            let factor = if grid.along_border(link.offset, c, r) { grid.border_factor } else { 1.0 };
            let node = r * grid.columns + c;
            Spring {
                nodes: [node, (i64::from(node) + step) as u32],
                rest_length: link.rest_length,
                stiffness: link.stiffness * factor,
                dashpot: link.dashpot * factor,
                family,
            }
        };
        springs.par_extend((0..count(link) as u32).into_par_iter().map(spring));
    }
    springs
}

fn triangles_of(grid: &Grid) -> Vec<[u32; 3]> {
    let (columns, width) = (grid.columns, grid.columns - 1);
    let triangle = |k: u32| {
        let a = (k / 2) / width * columns + (k / 2) % width;
        let (b, c, d) = (a + 1, a + columns + 1, a + columns);
        if k.is_multiple_of(2) { [a, b, c] } else { [a, c, d] }
    };
    (0..2 * width * (grid.rows - 1)).into_par_iter().map(triangle).collect()
}

#[cfg(test)]
mod tests;
