//! Linear systems A u = b over the nodes, A symmetric: M. Hestenes, E. Stiefel, "Methods of Conjugate Gradients for
//! Solving Linear Systems", J. Res. Natl. Bur. Stand. 49(6), 1952, <https://doi.org/10.6028/jres.049.044>, with a
//! preconditioner P; steepest descent, Jacobi and Gauss-Seidel: Y. Saad, "Iterative Methods for Sparse Linear Systems",
//! 2nd ed., 2003, <https://doi.org/10.1137/1.9780898718003>, sections 4.1, 5.3.1 and 9.2.
//!
//! ```text
//! conjugate gradients   u += alpha p, r -= alpha A p, z = P^-1 r, p <- z + beta p
//!                       alpha = r.z / p.Ap,  beta = r.z / (r.z before)
//! gradient descent      conjugate gradients with beta = 0
//! Jacobi                u += D^-1 (b - A u),  D at least A's block of the diagonal, and A at most 2 D
//! Gauss-Seidel          u += D^-1 (b - A u) for one color after the other,  D A's block of the diagonal
//! ```
//!
//! Limits: no tolerance; the number of iterations is given.

pub mod bound;

use glam::{DMat3, DVec3};

use crate::settings::LinearSolver;

/// A u = b. Blocks of pinned nodes are never used; b and A u are zero there.
pub struct System<'a> {
    /// b \[N\].
    pub b: Vec<DVec3>,
    /// u \[m\] to A u \[N\].
    pub product: &'a mut dyn FnMut(&[DVec3]) -> Vec<DVec3>,
    /// The inverse of each node's block of P, or of D for Jacobi sweeps [m/N]; zero where pinned.
    pub inverse: Vec<DMat3>,
    /// The nodes of each color, for Gauss-Seidel.
    pub colors: Vec<Vec<u32>>,
}

impl System<'_> {
    /// u \[m\] after `iterations` from zero.
    pub fn solve(mut self, solver: LinearSolver, iterations: u32) -> Vec<DVec3> {
        match solver {
            LinearSolver::ConjugateGradients => self.directions(iterations, true),
            LinearSolver::GradientDescent => self.directions(iterations, false),
            LinearSolver::Jacobi => {
                let all = (0..self.b.len() as u32).collect();
                self.sweeps(&[all], iterations)
            }
            LinearSolver::GaussSeidel => {
                let colors = std::mem::take(&mut self.colors);
                self.sweeps(&colors, iterations)
            }
        }
    }

    fn directions(&mut self, iterations: u32, conjugate: bool) -> Vec<DVec3> {
        let mut u = vec![DVec3::ZERO; self.b.len()];
        let mut r = self.b.clone();
        let mut z = self.precondition(&r);
        let mut p = z.clone();
        let mut rz = dot(&r, &z);
        for _ in 0..iterations {
            let product = (self.product)(&p);
            let curvature = dot(&p, &product);
            let alpha = if curvature > 0.0 { rz / curvature } else { 0.0 };
            for i in 0..u.len() {
                u[i] += alpha * p[i];
                r[i] -= alpha * product[i];
            }
            z = self.precondition(&r);
            let before = std::mem::replace(&mut rz, dot(&r, &z));
            let beta = if conjugate && before != 0.0 { rz / before } else { 0.0 };
            for i in 0..u.len() {
                p[i] = z[i] + beta * p[i];
            }
        }
        u
    }

    fn sweeps(&mut self, classes: &[Vec<u32>], iterations: u32) -> Vec<DVec3> {
        let mut u = vec![DVec3::ZERO; self.b.len()];
        for _ in 0..iterations {
            for class in classes {
                let product = (self.product)(&u);
                for i in class.iter().map(|&i| i as usize) {
                    u[i] += self.inverse[i] * (self.b[i] - product[i]);
                }
            }
        }
        u
    }

    fn precondition(&self, r: &[DVec3]) -> Vec<DVec3> {
        self.inverse.iter().zip(r).map(|(inverse, r)| *inverse * *r).collect()
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
