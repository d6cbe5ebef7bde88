//! Newton's method with conjugate gradients inside: R. Dembo, T. Steihaug, "Truncated-Newton
//! algorithms for large-scale unconstrained optimization", Mathematical Programming 26, 1983,
//! <https://doi.org/10.1007/BF02592055>.
//!
//! ```text
//! (H + mu S) p = -grad phi,   x <- x + s p,   s = 1, 1/2, 1/4, .. until phi falls enough
//! ```
//!
//! H is the true second derivative of phi, so that the end is quadratic also where springs are
//! compressed and the projected one would crawl. Conjugate gradients stop with what they have where
//! they meet a direction of negative curvature; up to there it leads downhill. S is the sum of k at
//! each node; mu falls to zero while full steps succeed and rises where they do not (Levenberg and
//! Marquardt), which carries statics over states without any stiffness sideways. The preconditioner
//! is the inverse of the projected diagonal blocks. Matrices are never put together.
//!
//! Limits: those of [`super::minimiser`], which this serves.

use glam::{DMat3, DVec3};

use super::minimiser::Minimum;
use super::objective::Objective;

/// Most Newton iterations.
const MOST: usize = 500;
/// A smaller shift mu is zero \[1\].
const LEAST_SHIFT: f64 = 1e-14;

/// A minimum of `objective` from `start` \[m\], pinned nodes kept where they start, to `tolerance` \[N\] in
/// every component of the gradient; `shift` \[1\] is the first mu.
pub fn newton(objective: &Objective<'_>, start: Vec<DVec3>, tolerance: f64, mut shift: f64) -> Minimum {
    let mut x = start;
    let mut gradient = objective.gradient(&x);
    let first = norm(&gradient);
    let mut iterations = 0;
    while largest(&gradient) > tolerance && iterations < MOST {
        iterations += 1;
        let accuracy = (norm(&gradient) / first).clamp(1e-10, 0.1);
        let p = Matrix::of(objective, &x, shift).solve(objective, &gradient, accuracy);
        let Some((length, moved)) = search(objective, &x, &gradient, &p) else {
            if shift > 1e6 {
                break;
            }
            shift = (10.0 * shift).max(1e-8);
            continue;
        };
        shift = if length < 1.0 { (4.0 * shift).max(1e-8) } else { 0.1 * shift };
        shift = if shift < LEAST_SHIFT { 0.0 } else { shift };
        gradient = objective.gradient(&moved);
        x = moved;
    }
    let residual = largest(&gradient);
    Minimum { position: x, residual, iterations, converged: residual <= tolerance }
}

/// The step length s and the point x + s p where phi has fallen enough, if there is one.
fn search(
    objective: &Objective<'_>,
    x: &[DVec3],
    gradient: &[DVec3],
    p: &[DVec3],
) -> Option<(f64, Vec<DVec3>)> {
    let (value, slope) = (objective.value(x), dot(gradient, p));
    let mut s = 1.0;
    while s > 1e-10 {
        let moved: Vec<DVec3> = x.iter().zip(p).map(|(x, p)| *x + s * *p).collect();
        let reached = objective.value(&moved);
        // Close to the minimum phi falls by less than its rounding: there the gradient decides.
        let level = (reached - value).abs() <= 1e-12 * value.abs();
        let flatter = || norm(&objective.gradient(&moved)) < norm(gradient);
        if reached <= value + 1e-4 * s * slope || (level && flatter()) {
            return Some((s, moved));
        }
        s *= 0.5;
    }
    None
}

/// H + mu S and the inverse of its diagonal blocks.
struct Matrix {
    springs: Vec<DMat3>,
    shift: Vec<f64>,
    inverse: Vec<DMat3>,
}

impl Matrix {
    fn of(objective: &Objective<'_>, x: &[DVec3], shift: f64) -> Self {
        let mut sum = vec![0.0; x.len()];
        for spring in objective.model().springs() {
            for i in spring.nodes {
                sum[i as usize] += shift * f64::from(spring.stiffness);
            }
        }
        // The preconditioner must be positive, so it is always the projected diagonal; a hint of the
        // trace keeps it so where a node has no stiffness sideways.
        let diagonal = objective.diagonal(&objective.stiffness(x, true));
        let invert = |(d, s): (DMat3, &f64)| {
            let trace = d.x_axis.x + d.y_axis.y + d.z_axis.z;
            let floor = s + 1e-10 * trace;
            if floor > 0.0 { (d + DMat3::IDENTITY * floor).inverse() } else { DMat3::IDENTITY }
        };
        let inverse = diagonal.into_iter().zip(&sum).map(invert).collect();
        Self { springs: objective.stiffness(x, false), shift: sum, inverse }
    }

    fn product(&self, objective: &Objective<'_>, p: &[DVec3]) -> Vec<DVec3> {
        let mut product = objective.product(&self.springs, p);
        for ((product, shift), p) in product.iter_mut().zip(&self.shift).zip(p) {
            *product += *shift * *p;
        }
        product
    }

    /// Preconditioned conjugate gradients: p with (H + mu S) p = -`gradient` to `accuracy` \[1\], or
    /// what was reached before a direction without positive curvature, or that direction if it is
    /// the first.
    fn solve(&self, objective: &Objective<'_>, gradient: &[DVec3], accuracy: f64) -> Vec<DVec3> {
        let n = gradient.len();
        let precondition =
            |r: &[DVec3]| -> Vec<DVec3> { self.inverse.iter().zip(r).map(|(d, r)| *d * *r).collect() };
        let mut solution = vec![DVec3::ZERO; n];
        let mut residual: Vec<DVec3> = gradient.iter().map(|g| -*g).collect();
        let mut z = precondition(&residual);
        let mut p = z.clone();
        let mut rz = dot(&residual, &z);
        let enough = accuracy * norm(gradient);
        for k in 0..10 * n + 100 {
            let product = self.product(objective, &p);
            let curvature = dot(&p, &product);
            if curvature <= 0.0 || !curvature.is_finite() {
                return if k == 0 { p } else { solution };
            }
            let alpha = rz / curvature;
            for i in 0..n {
                solution[i] += alpha * p[i];
                residual[i] -= alpha * product[i];
            }
            if norm(&residual) <= enough {
                break;
            }
            z = precondition(&residual);
            let before = rz;
            rz = dot(&residual, &z);
            for i in 0..n {
                p[i] = z[i] + (rz / before) * p[i];
            }
        }
        solution
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

fn norm(a: &[DVec3]) -> f64 {
    dot(a, a).sqrt()
}

/// Largest component.
pub fn largest(a: &[DVec3]) -> f64 {
    a.iter().map(|a| a.abs().max_element()).fold(0.0, f64::max)
}
