//! The matrix of a network at rest on every level, and the solver's V-cycle (`reference/multigrid.rs` describes both).

use glam::{DMat3, DVec3};

use super::patch::Patch;
use crate::hierarchy::{Level, Rows};
use crate::numbers::{LEAST_ACROSS, OMEGA};

/// Mean inertia as a part of the mean diagonal, that of a cloth of a hundred by a hundred nodes, 1000 N/m and 0.2 kg in a
/// step of 1/60 s. It is a constant, so that whether a network is hard does not depend on its stiffness.
const INERTIA: f64 = 1e-4;
/// The coarsest level is solved until the residual is this part of the right-hand side.
const EXACT: f64 = 1e-10;

/// A = G + sum K.
pub struct Matrix {
    springs: Vec<[u32; 2]>,
    /// K [N/m].
    stiffness: Vec<DMat3>,
    /// G of each node [N/m]: inertia, and springs that end at pins.
    ground: Vec<DMat3>,
    /// D^-1; zero where a node cannot move.
    inverse: Vec<DMat3>,
}

impl Matrix {
    /// The matrix of the patch itself.
    pub fn finest(patch: &Patch) -> Self {
        let free = |i: &usize| !patch.pinned[*i];
        let mass: f64 = (0..patch.mass.len()).filter(free).map(|i| patch.mass[i]).sum();
        let diagonal: f64 = patch.stiffness.iter().map(|k| 2.0 * k).sum();
        let inertia = |i: usize| if free(&i) { INERTIA * diagonal / mass * patch.mass[i] } else { 0.0 };
        let mut ground: Vec<DMat3> = (0..patch.mass.len()).map(|i| DMat3::IDENTITY * inertia(i)).collect();
        let mut stiffness = Vec::with_capacity(patch.springs.len());
        for (&nodes, &k) in patch.springs.iter().zip(&patch.stiffness) {
            let [a, b] = nodes.map(|i| i as usize);
            let n = (patch.position[a] - patch.position[b]).as_dvec3().normalize_or_zero();
            let across = if n == DVec3::ZERO { k } else { LEAST_ACROSS * k };
            let block = DMat3::from_cols(n * n.x, n * n.y, n * n.z) * (k - across) + DMat3::IDENTITY * across;
            let is_live = free(&a) && free(&b);
            stiffness.push(if is_live { block } else { DMat3::ZERO });
            for i in [a, b].into_iter().filter(|i| !is_live && free(i)) {
                ground[i] += block;
            }
        }
        Self::new(patch.springs.clone(), stiffness, ground)
    }

    /// The matrix of the next level.
    pub fn coarsened(&self, level: &Level) -> Self {
        let stiffness = sums(&level.gather, &self.stiffness);
        Self::new(level.springs.clone(), stiffness, sums(&level.restriction, &self.ground))
    }

    fn new(springs: Vec<[u32; 2]>, stiffness: Vec<DMat3>, ground: Vec<DMat3>) -> Self {
        let mut diagonal = ground.clone();
        for (nodes, k) in springs.iter().zip(&stiffness) {
            nodes.iter().for_each(|i| diagonal[*i as usize] += *k);
        }
        let inverse = diagonal.into_iter().map(|d| if d == DMat3::ZERO { d } else { d.inverse() }).collect();
        Self { springs, stiffness, ground, inverse }
    }

    /// A e \[N\] of e \[m\].
    pub fn product(&self, e: &[DVec3]) -> Vec<DVec3> {
        let mut product: Vec<DVec3> = self.ground.iter().zip(e).map(|(ground, e)| *ground * *e).collect();
        for (nodes, k) in self.springs.iter().zip(&self.stiffness) {
            let [a, b] = nodes.map(|i| i as usize);
            let pull = *k * (e[a] - e[b]);
            product[a] += pull;
            product[b] -= pull;
        }
        product
    }

    fn residual(&self, r: &[DVec3], e: &[DVec3]) -> Vec<DVec3> {
        self.product(e).iter().zip(r).map(|(product, r)| *r - *product).collect()
    }

    fn sweep(&self, r: &[DVec3], e: &mut [DVec3]) {
        let residual = self.residual(r, e);
        for ((e, inverse), residual) in e.iter_mut().zip(&self.inverse).zip(residual) {
            *e += OMEGA * (*inverse * residual);
        }
    }

    /// Adds the interpolated correction of a coarser level.
    fn correct(&self, level: &Level, correction: &[DVec3], e: &mut [DVec3]) {
        for (i, e) in e.iter_mut().enumerate().filter(|(i, _)| self.inverse[*i] != DMat3::ZERO) {
            *e += weighted(&level.interpolation, i, correction);
        }
    }

    /// By conjugate gradients, preconditioned by D: the level has a few dozen nodes.
    fn solved(&self, right: &[DVec3]) -> Vec<DVec3> {
        let mut r: Vec<DVec3> = right.to_vec();
        let mut e = vec![DVec3::ZERO; r.len()];
        let mut direction = e.clone();
        let (mut rz, enough) = (f64::INFINITY, EXACT * EXACT * self.rz(&r));
        for _ in 0..6 * r.len() {
            let before = std::mem::replace(&mut rz, self.rz(&r));
            if rz <= enough {
                break;
            }
            for ((d, r), inverse) in direction.iter_mut().zip(&r).zip(&self.inverse) {
                *d = *inverse * *r + rz / before * *d;
            }
            let product = self.product(&direction);
            let curvature: f64 = product.iter().zip(&direction).map(|(p, d)| p.dot(*d)).sum();
            let alpha = rz / curvature;
            e.iter_mut().zip(&direction).for_each(|(e, d)| *e += alpha * *d);
            r.iter_mut().zip(&product).for_each(|(r, p)| *r -= alpha * *p);
        }
        e
    }

    /// r . z, z = D^-1 r.
    fn rz(&self, r: &[DVec3]) -> f64 {
        r.iter().zip(&self.inverse).map(|(r, inverse)| r.dot(*inverse * *r)).sum()
    }
}

/// Roughly the solution of A e = `r` on the patch itself; `matrices` has one more than there are `levels`.
pub fn cycle(matrices: &[Matrix], levels: &[Level], r: &[DVec3]) -> Vec<DVec3> {
    let (matrix, coarser) = (&matrices[0], &matrices[1]);
    let mut e = vec![DVec3::ZERO; r.len()];
    matrix.sweep(r, &mut e);
    let restricted = restricted(&levels[0], &matrix.residual(r, &e));
    // Levels of so few nodes are the solver's tail, which has two cycles.
    let mut correction = coarse_correction(&matrices[1..], &levels[1..], &restricted);
    let residual = coarser.residual(&restricted, &correction);
    let more = coarse_correction(&matrices[1..], &levels[1..], &residual);
    correction.iter_mut().zip(more).for_each(|(e, more)| *e += more);
    matrix.correct(&levels[0], &correction, &mut e);
    matrix.sweep(r, &mut e);
    e
}

/// The cycle on coarser levels, which have no pre-smoothing.
fn coarse_correction(matrices: &[Matrix], levels: &[Level], r: &[DVec3]) -> Vec<DVec3> {
    let matrix = &matrices[0];
    let Some((level, coarser)) = levels.split_first() else { return matrix.solved(r) };
    let correction = coarse_correction(&matrices[1..], coarser, &restricted(level, r));
    let mut e = vec![DVec3::ZERO; r.len()];
    matrix.correct(level, &correction, &mut e);
    matrix.sweep(r, &mut e);
    e
}

fn restricted(level: &Level, r: &[DVec3]) -> Vec<DVec3> {
    (0..level.nodes).map(|i| weighted(&level.restriction, i, r)).collect()
}

fn weighted(rows: &Rows, i: usize, of: &[DVec3]) -> DVec3 {
    rows.row(i).map(|(j, w)| f64::from(w) * of[j]).sum()
}

fn sums(rows: &Rows, of: &[DMat3]) -> Vec<DMat3> {
    let sum = |i: usize| rows.row(i).fold(DMat3::ZERO, |sum, (j, w)| sum + of[j] * f64::from(w));
    (0..rows.len()).map(sum).collect()
}
