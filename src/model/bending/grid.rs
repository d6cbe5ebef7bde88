//! Bending of a regular grid.

use super::CLAMPED;

/// Bending of a regular grid of spacing s_u, s_v:
///
/// ```text
/// E = B/2 sum s_u s_v ( |x_uu|^2 + |x_vv|^2 + 2 |x_uv|^2 )
/// ```
///
/// x_uu and x_vv are second differences of three nodes in a line (hinges), x_uv is that of a cell's
/// four corners. A hinge that lies on a border has half the weight: it belongs to one row of cells. An
/// edge whose two outermost rows are pinned is clamped: the hinges centered on its innermost pinned row
/// have twice the weight (see `clamps`).
///
/// In pairs: the hinges with a node in the middle or at an end couple it to the same twelve nodes as the springs
/// of a sheet. Inside, on square cells, the stiffness is 8 B/s^2 to neighbors, -2 B/s^2 along diagonals, and
/// -B/s^2 to every second node.
#[derive(Clone, Debug, PartialEq)]
pub struct GridBending {
    /// Bending stiffness B [N m].
    pub stiffness: f32,
    /// Columns and rows.
    pub nodes: [u32; 2],
    /// Distance between neighbors along columns and rows \[m\].
    pub spacing: [f32; 2],
    /// Two columns and two rows, one for each edge at which the cloth is clamped: the innermost pinned one, if at
    /// least the two outermost ones are pinned completely. [`GridBending::FREE`] if the edge is not clamped.
    pub clamps: [[u32; 2]; 2],
}

impl GridBending {
    /// In `clamps`: an edge that is not clamped.
    pub const FREE: u32 = u32::MAX;

    /// The bending of a grid that is clamped according to `pinned` (by node of the grid).
    pub(super) fn new(stiffness: f32, nodes: [u32; 2], spacing: [f32; 2], pinned: &[bool]) -> Self {
        let columns = nodes[0];
        let node = |axis: usize, line: u32, k: u32| match axis {
            0 => (k * columns + line) as usize,
            _ => (line * columns + k) as usize,
        };
        let clamp = |axis: usize, far: bool| {
            let (count, across) = (nodes[axis], nodes[1 - axis]);
            let line = |depth: u32| if far { count - 1 - depth } else { depth };
            let held = |depth: &u32| (0..across).all(|k| pinned[node(axis, line(*depth), k)]);
            match (0..count).take_while(held).count() as u32 {
                depth if depth < 2 => Self::FREE,
                depth => line(depth - 1),
            }
        };
        let clamps = [0, 1].map(|axis| [clamp(axis, false), clamp(axis, true)]);
        Self { stiffness, nodes, spacing, clamps }
    }

    /// Stiffness of an inner hinge along the columns, of one along the rows, and of a cell [N/m]. The energies are half
    /// of it times |x_- - 2 x + x_+|^2 and |x_00 - x_10 - x_01 + x_11|^2.
    pub fn weights(&self) -> [f64; 3] {
        let [u, v] = self.spacing.map(f64::from);
        let b = f64::from(self.stiffness);
        [b * v / (u * u * u), b * u / (v * v * v), 2.0 * b / (u * v)]
    }

    /// The sum of max(kappa, 0) of each node [N/m]. The pairs of a grid never mix signs, so it is
    /// 1/2 |c_a| sum |c_b| over its stencils, and no pairs need to be summed.
    pub(in crate::model) fn majorant(&self) -> Vec<f64> {
        let mut majorant = vec![0.0; self.nodes[0] as usize * self.nodes[1] as usize];
        self.for_each(0, &mut |nodes, c| {
            let sum: f64 = c.iter().map(|c| c.abs()).sum();
            for (&node, c) in nodes.iter().zip(c) {
                majorant[node as usize] += 0.5 * c.abs() * sum;
            }
        });
        majorant
    }

    /// Visits nodes (the first node of the grid is `first`) and coefficients [sqrt(N/m)] of every stencil.
    pub(super) fn for_each(&self, first: u32, visit: &mut dyn FnMut(&[u32], &[f64])) {
        let [columns, rows] = self.nodes;
        let roots = self.weights().map(f64::sqrt);
        let steps = [1, columns];
        for (axis, step) in steps.into_iter().enumerate() {
            let (count, across) = (self.nodes[axis], self.nodes[1 - axis]);
            for line in 0..across {
                let border = line == 0 || line + 1 == across;
                for k in 1..count - 1 {
                    let half = if border { 0.5 } else { 1.0 };
                    let clamped = if self.clamps[axis].contains(&k) { CLAMPED } else { 1.0 };
                    let c = roots[axis] * f64::sqrt(half * clamped);
                    let node = first + k * step + line * steps[1 - axis];
                    visit(&[node, node - step, node + step], &[-2.0 * c, c, c]);
                }
            }
        }
        let c = roots[2];
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let node = first + row * columns + column;
                visit(&[node, node + 1, node + columns, node + columns + 1], &[c, -c, -c, c]);
            }
        }
    }
}
