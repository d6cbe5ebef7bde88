//! Newton's method with inner conjugate gradients, within a trust region: T. Steihaug, "The
//! conjugate gradient method and trust regions in large scale optimization", SIAM J. Numer. Anal. 20(3),
//! 1983, <https://doi.org/10.1137/0720042>; A. Conn, N. Gould, P. Toint, "Trust-Region Methods", 2000,
//! algorithm 7.5.1.
//!
//! ```text
//! p = argmin g^T p + p^T H p / 2  over |p|_M <= Delta,   x <- x + p  if phi falls nearly as promised
//! ```
//!
//! H is the true second derivative of phi, so that convergence is quadratic in the end even where springs are compressed and
//! the projected derivative would be slow. Where conjugate gradients meet a direction of negative curvature (a sheet about to
//! buckle), they follow it to the border of the trust region. The region grows while phi falls as predicted and shrinks where
//! it does not. The preconditioner, whose inverse is M, is one multigrid V-cycle on the projected matrix (described in
//! `multigrid.rs`); it makes the number of inner iterations nearly independent of the size. Matrices are never assembled.
//!
//! Limits: those of [`super::minimizer`], which this serves.

use glam::{DMat3, DVec3};

use super::minimizer::Minimum;
use super::multigrid::{Cycle, CycleOptions};
use super::objective::Objective;
use crate::hierarchy::Hierarchy;

/// Most Newton iterations.
const MOST: usize = 500;
/// Most conjugate gradient steps in one of them.
const MOST_INNER: usize = 1000;
/// Where no step this short lowers phi, rounding has the last word.
const LEAST_RADIUS: f64 = 1e-100;
/// The first region is this many times as large as the preconditioned gradient.
const FIRST_RADIUS: f64 = 1e3;
/// phi is not known better than to this share of itself.
const ROUNDING: f64 = 1e-12;

/// A minimum of `objective` from `start` \[m\], pinned nodes kept where they start, to `tolerance` \[N\] in
/// every component of the gradient.
pub fn newton(objective: &Objective<'_>, start: Vec<DVec3>, tolerance: f64) -> Minimum {
    let hierarchy = Hierarchy::of(objective.model());
    let mut x = start;
    let mut value = objective.value(&x);
    let mut gradient = objective.gradient(&x);
    let first = norm(&gradient);
    let mut radius = f64::INFINITY;
    let mut iterations = 0;
    let mut stuck = false;
    while largest(&gradient) > tolerance && iterations < MOST && !stuck {
        iterations += 1;
        let stiffness = objective.stiffness(&x, false);
        let cycle = Cycle::new(objective, &hierarchy, &x, CycleOptions::default());
        let accuracy = (norm(&gradient) / first).sqrt().clamp(1e-6, 0.1);
        loop {
            let step = inner(objective, &stiffness, &cycle, &gradient, accuracy, radius);
            let moved: Vec<DVec3> = x.iter().zip(&step.p).map(|(x, p)| *x + *p).collect();
            let reached = objective.value(&moved);
            let slope = objective.gradient(&moved);
            // Close to the minimum phi falls by less than its rounding: there the gradient decides.
            let level = step.promise <= ROUNDING * value.abs();
            let quality = if level {
                if norm(&slope) < norm(&gradient) { 1.0 } else { 0.0 }
            } else {
                (value - reached) / step.promise
            };
            // A NaN must not pass.
            if quality < 0.25 || quality.is_nan() {
                radius = 0.25 * step.length;
            } else if quality > 0.75 && step.length > 0.99 * radius {
                radius *= 2.0;
            }
            if quality > 1e-4 {
                (x, value, gradient) = (moved, reached, slope);
                break;
            }
            if step.length == 0.0 || radius < LEAST_RADIUS {
                stuck = true;
                break;
            }
        }
    }
    let residual = largest(&gradient);
    Minimum { position: x, residual, iterations, converged: residual <= tolerance }
}

/// What one run of conjugate gradients found.
struct Step {
    /// The step \[m\].
    p: Vec<DVec3>,
    /// Its length in the norm of the region.
    length: f64,
    /// By how much phi falls if it is the quadratic that its derivatives say \[J\].
    promise: f64,
}

/// Preconditioned conjugate gradients for H p = -`gradient` to `accuracy` \[1\], up to the border of the
/// region of size `radius`, or of the first region where that is infinite.
fn inner(
    objective: &Objective<'_>,
    stiffness: &[DMat3],
    cycle: &Cycle<'_>,
    gradient: &[DVec3],
    accuracy: f64,
    radius: f64,
) -> Step {
    let n = gradient.len();
    let mut p = vec![DVec3::ZERO; n];
    let mut residual: Vec<DVec3> = gradient.iter().map(|g| -*g).collect();
    let mut z = cycle.apply(&residual);
    let mut d = z.clone();
    let mut rz = dot(&residual, &z);
    // |p|_M^2, p^T M d and |d|_M^2, by recurrence: M itself is not at hand.
    let (mut pp, mut pd, mut dd) = (0.0, 0.0, rz);
    let radius = if radius.is_finite() { radius } else { FIRST_RADIUS * rz.sqrt() };
    let enough = accuracy * norm(gradient);
    let mut promise = 0.0;
    for _ in 0..MOST_INNER {
        let product = objective.product(stiffness, &d);
        let curvature = dot(&d, &product);
        let alpha = rz / curvature;
        let whole = pp + 2.0 * alpha * pd + alpha * alpha * dd;
        let inside = curvature > 0.0 && whole < radius * radius;
        // Where the line leaves the region.
        let border = || (-pd + (pd * pd + dd * (radius * radius - pp)).max(0.0).sqrt()) / dd;
        let alpha = if inside { alpha } else { border() };
        if !alpha.is_finite() {
            break;
        }
        promise += alpha * rz - 0.5 * alpha * alpha * curvature;
        for i in 0..n {
            p[i] += alpha * d[i];
            residual[i] -= alpha * product[i];
        }
        pp += 2.0 * alpha * pd + alpha * alpha * dd;
        if !inside || norm(&residual) <= enough {
            break;
        }
        z = cycle.apply(&residual);
        let before = rz;
        rz = dot(&residual, &z);
        let beta = rz / before;
        for i in 0..n {
            d[i] = z[i] + beta * d[i];
        }
        pd = beta * (pd + alpha * dd);
        dd = rz + beta * beta * dd;
    }
    Step { p, length: pp.max(0.0).sqrt(), promise }
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
