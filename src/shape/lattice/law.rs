//! Stiffness of the springs of a lattice that behaves like a solid.

use glam::DVec3;

use super::Solid;
use crate::shape::ShapeError;

/// Stiffness [N/m] of springs inside a lattice; at its border springs have less, in proportion to the cells around
/// them.
pub struct Stiffness {
    /// Along the three edges of a cell.
    pub structural: [f64; 3],
    /// Along the diagonals of the faces across the first, the second and the third edge.
    pub face: [f64; 3],
}

/// The springs that make an isotropic solid of cells with these edges \[m\]. Errors name `cells`, the numbers of cells
/// along each edge of the box.
///
/// Springs act along themselves, so they make Cauchy's solid: C_iijj = C_ijij, and if it is isotropic, Poisson's ratio
/// is 1/4, lambda = mu = E / 2.5. A spring of stiffness k and rest vector r in each cell of volume V adds k r_i r_j r_k
/// r_l / (|r|^2 V) to C_ijkl. The two diagonals of a face with edges a and b must give C_aabb = mu,
///
/// ```text
/// k_face = mu (a^2 + b^2) c / (2 a b),     k_a = mu (V / a^2) (3 - a^2 / b^2 - a^2 / c^2),
/// ```
///
/// and the edges give the rest of C_aaaa = 3 mu. In a cube of edge s all stiffnesses are mu s.
pub fn stiffness(solid: &Solid, edges: DVec3, cells: [u32; 3]) -> Result<Stiffness, ShapeError> {
    let mu = f64::from(solid.young) / 2.5;
    let volume = edges.x * edges.y * edges.z;
    let [a2, b2, c2] = (edges * edges).to_array();
    let structural = [
        mu * volume / a2 * (3.0 - a2 / b2 - a2 / c2),
        mu * volume / b2 * (3.0 - b2 / a2 - b2 / c2),
        mu * volume / c2 * (3.0 - c2 / a2 - c2 / b2),
    ];
    if let Some(d) = structural.iter().position(|k| *k <= 0.0) {
        let ([a, b, c], [i, j, k]) = (edges.to_array(), cells);
        let key = ["u", "v", "w"][d];
        let allowed = format!(
            "cells of {a:.4e} x {b:.4e} x {c:.4e} m are too long along {key} for springs to make a solid; take more \
             cells along {key}, or fewer along the others"
        );
        return Err(ShapeError::new("cells", format!("[{i}, {j}, {k}]"), allowed));
    }
    let face = [
        mu * (b2 + c2) * volume / (2.0 * b2 * c2),
        mu * (a2 + c2) * volume / (2.0 * a2 * c2),
        mu * (a2 + b2) * volume / (2.0 * a2 * b2),
    ];
    Ok(Stiffness { structural, face })
}
