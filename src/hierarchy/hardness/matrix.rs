//! The matrix of a network at rest on every level, and the solver's cycle with it (`reference/multigrid.rs` describes both).

use glam::{DMat3, DVec3};

use super::patch::Patch;
use crate::hierarchy::{Level, Rows};
use crate::numbers::{LEAST_ACROSS, OMEGA};

/// Mean inertia as a part of the mean diagonal. A step of 1/60 s has that on a hundred by a hundred nodes of 1000 N/m and
/// 0.2 kg: whether a network is hard shall not depend on its stiffness.
const INERTIA: f64 = 1e-4;
/// The coarsest level is solved to this part of its right side.
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
    /// That of the patch itself.
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

    /// That of the next level.
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
        self.product(e).iter().zip(r).map(|(taken, r)| *r - *taken).collect()
    }

    fn sweep(&self, r: &[DVec3], e: &mut [DVec3]) {
        let residual = self.residual(r, e);
        for ((e, inverse), residual) in e.iter_mut().zip(&self.inverse).zip(residual) {
            *e += OMEGA * (*inverse * residual);
        }
    }

    /// Adds what a coarser level corrects.
    fn correct(&self, level: &Level, correction: &[DVec3], e: &mut [DVec3]) {
        for (i, e) in e.iter_mut().enumerate().filter(|(i, _)| self.inverse[*i] != DMat3::ZERO) {
            *e += weighted(&level.interpolation, i, correction);
        }
    }

    /// By conjugate gradients with D: it has a few dozen nodes.
    fn solved(&self, right: &[DVec3]) -> Vec<DVec3> {
        let mut r: Vec<DVec3> = right.to_vec();
        let mut e = vec![DVec3::ZERO; r.len()];
        let mut direction = e.clone();
        let (mut slope, enough) = (f64::INFINITY, EXACT * EXACT * self.slope(&r));
        for _ in 0..6 * r.len() {
            let before = std::mem::replace(&mut slope, self.slope(&r));
            if slope <= enough {
                break;
            }
            for ((d, r), inverse) in direction.iter_mut().zip(&r).zip(&self.inverse) {
                *d = *inverse * *r + slope / before * *d;
            }
            let product = self.product(&direction);
            let curvature: f64 = product.iter().zip(&direction).map(|(p, d)| p.dot(*d)).sum();
            let along = slope / curvature;
            e.iter_mut().zip(&direction).for_each(|(e, d)| *e += along * *d);
            r.iter_mut().zip(&product).for_each(|(r, p)| *r -= along * *p);
        }
        e
    }

    /// r^T D^-1 r.
    fn slope(&self, r: &[DVec3]) -> f64 {
        r.iter().zip(&self.inverse).map(|(r, inverse)| r.dot(*inverse * *r)).sum()
    }
}

/// Roughly the solution of A e = `r` on the patch itself; `matrices` has one more than there are `levels`.
pub fn cycle(matrices: &[Matrix], levels: &[Level], r: &[DVec3]) -> Vec<DVec3> {
    let (matrix, coarser) = (&matrices[0], &matrices[1]);
    let mut e = vec![DVec3::ZERO; r.len()];
    matrix.sweep(r, &mut e);
    let restricted = restricted(&levels[0], &matrix.residual(r, &e));
    // Levels of so few nodes are the solver's tail, which it visits twice.
    let mut correction = ascended(&matrices[1..], &levels[1..], &restricted);
    let left = coarser.residual(&restricted, &correction);
    let more = ascended(&matrices[1..], &levels[1..], &left);
    correction.iter_mut().zip(more).for_each(|(e, more)| *e += more);
    matrix.correct(&levels[0], &correction, &mut e);
    matrix.sweep(r, &mut e);
    e
}

/// The same on coarser levels, which are swept on the way up only.
fn ascended(matrices: &[Matrix], levels: &[Level], r: &[DVec3]) -> Vec<DVec3> {
    let matrix = &matrices[0];
    let Some((level, coarser)) = levels.split_first() else { return matrix.solved(r) };
    let correction = ascended(&matrices[1..], coarser, &restricted(level, r));
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
