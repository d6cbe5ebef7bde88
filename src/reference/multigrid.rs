//! One multigrid V-cycle on the projected Newton matrix of an [`Objective`]: an approximate inverse.
//!
//! A. Brandt, "Multi-level adaptive solutions to boundary-value problems", Mathematics of Computation
//! 31, 1977, <https://doi.org/10.1090/S0025-5718-1977-0431719-X>, on the levels of a [`Hierarchy`]. The
//! matrix is kept as springs on every level,
//!
//! ```text
//! (A e)_i = G_i e_i + sum_j (K_ij + kappa_ij) (e_i - e_j),   D_i = G_i + sum_j (K_ij + max(kappa_ij, 0))
//! K = k n n^T + max(t_min k, F / l) (I - n n^T) + (c / h) n_n n_n^T,   F = k (l - r)
//! ```
//!
//! (rho in place of k, and its own F, where a spring has a multiplier). G is the objective's Gamma and the K of springs that
//! end at a pin, kappa that of bending ([`crate::model::BendingRows`]). Coarser K and G are the weighted sums that the
//! hierarchy lists. max(kappa, 0) of pairs that end at a pin is added to the finer G before: a negative kappa would cancel
//! what the node next to the pin adds. D is a majorant: the diagonal of bending is not enough for sweeps.
//! One cycle V(1,1) with block Jacobi, from e = 0:
//!
//! ```text
//! e = omega D^-1 r;   e += P cycle(P^T (r - A e));   e += omega D^-1 (r - A e)
//! ```
//!
//! Handles pull with a stiffness S that is part of G. Let k be a third of the trace of the sum of K and max(kappa, 0) I at
//! the node. The node takes k / (S + k) of the coarse-grid correction, and restricts k / (S + k) of its residual. Coarser
//! levels have S k / (S + k) in place of S: handle and springs in series. The handles of its neighbors count as part of k,
//! for they hold the cloth around the node.
//!
//! Contact of cloth with cloth ([`super::contact`]) adds w w^T S, and |w_i| S to D_i (S half the sum of |w|; on the finest level of pins, too).
//!
//! e is zero at pinned nodes. The cycle is a symmetric operator, so that conjugate gradients can use it,
//! unless coarser levels have no pre-smoothing.
//! Limits: as an iteration of its own it needs the coarsest level solved well.

use glam::{DMat3, DVec3};

use super::contact::Coupling;
use super::forces::{direction, outer};
use super::objective::Objective;
use crate::hierarchy::{Hierarchy, Level, Rows};
use crate::model::BendingRows;
use crate::numbers::{LEAST_ACROSS, OMEGA};

/// A coarsest level with more nodes is swept instead of factored.
const DENSE: usize = 128;

/// How the coarsest level is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coarsest {
    /// By Cholesky factors; by 16 sweeps where it has more than 128 nodes.
    Dense,
    /// By this many block-Jacobi sweeps.
    Sweeps(u32),
}

/// The knobs of a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleOptions {
    /// Least stiffness of a spring across itself, as a share of k \[1\].
    pub t_min: f64,
    /// Weight of the smoothing sweeps \[1\].
    pub omega: f64,
    /// How the coarsest level is solved.
    pub coarsest: Coarsest,
    /// Levels of at most this many nodes, except the coarsest, are visited twice (a W-cycle).
    pub twice: usize,
    /// Whether coarser levels have pre-smoothing, too. Only then is the cycle a symmetric operator.
    pub pre_smoothing: bool,
    /// The level (the model's own is 0) that is solved by two cycles one after the other.
    pub repeated: Option<usize>,
}

impl Default for CycleOptions {
    fn default() -> Self {
        Self {
            t_min: LEAST_ACROSS,
            omega: OMEGA,
            coarsest: Coarsest::Dense,
            twice: 0,
            pre_smoothing: true,
            repeated: None,
        }
    }
}

/// The matrix at one point on every level, ready for cycles.
pub struct Cycle<'a> {
    hierarchy: &'a Hierarchy,
    options: CycleOptions,
    /// The objective's own level first.
    matrices: Vec<Matrix<'a>>,
    factor: Option<Factor>,
}

/// The matrix on one level.
struct Matrix<'a> {
    springs: Springs<'a>,
    stiffness: Vec<DMat3>,
    bending: Bending<'a>,
    ground: Vec<DMat3>,
    /// The part of the ground block that coarser levels leave out: a scalar [N/m] for each node, or none.
    unseen: Vec<f64>,
    /// The part of a coarse-grid correction that each node takes \[1\]; empty: all of it.
    shared: Vec<f64>,
    /// Contact.
    contacts: Vec<Coupling>,
    /// D^-1; zero where a node has no stiffness, which is where it stands for pins only.
    inverse: Vec<DMat3>,
}

/// Ends of the springs of a level.
#[derive(Clone, Copy)]
enum Springs<'a> {
    Model(&'a [crate::model::Spring]),
    Level(&'a [[u32; 2]]),
}

/// kappa [N/m].
#[derive(Clone, Copy)]
enum Bending<'a> {
    Absent,
    /// Of the model's pairs; and its pinned nodes.
    Model(&'a BendingRows, &'a [bool]),
    /// Of a level's springs.
    Level(&'a [f32]),
}

impl<'a> Cycle<'a> {
    /// The matrix of `objective` at `x` \[m\], on the levels of `hierarchy`, which belongs to its model.
    pub fn new(
        objective: &Objective<'a>,
        hierarchy: &'a Hierarchy,
        x: &[DVec3],
        options: CycleOptions,
    ) -> Self {
        Self::with_contacts(objective, hierarchy, x, options, objective.couplings(x))
    }

    /// The same with other contacts than those of the objective: of each level, the finest first; none where there are no more.
    pub fn with_contacts(
        objective: &Objective<'a>,
        hierarchy: &'a Hierarchy,
        x: &[DVec3],
        options: CycleOptions,
        contacts: Vec<Vec<Coupling>>,
    ) -> Self {
        let mut contacts = contacts.into_iter();
        let mut next = || contacts.next().unwrap_or_default();
        let mut matrices = vec![finest(objective, x, options.t_min, next())];
        for level in &hierarchy.levels {
            let coarser = matrices[matrices.len() - 1].coarsened(level, next());
            matrices.push(coarser);
        }
        let coarsest = &matrices[matrices.len() - 1];
        let dense = options.coarsest == Coarsest::Dense && coarsest.ground.len() <= DENSE;
        let factor = dense.then(|| Factor::of(coarsest));
        Self { hierarchy, options, matrices, factor }
    }

    /// e, roughly the solution of A e = `residual`, in m for a residual in N that is zero at pinned
    /// nodes.
    pub fn apply(&self, residual: &[DVec3]) -> Vec<DVec3> {
        self.cycle(0, residual)
    }

    /// A e \[N\] for e in m, zero at pinned nodes in both.
    pub fn product(&self, e: &[DVec3]) -> Vec<DVec3> {
        self.matrices[0].residual(&vec![DVec3::ZERO; e.len()], e).iter().map(|r| -*r).collect()
    }

    fn cycle(&self, l: usize, r: &[DVec3]) -> Vec<DVec3> {
        let matrix = &self.matrices[l];
        let Some(level) = self.hierarchy.levels.get(l) else {
            return self.coarsest(matrix, r);
        };
        let omega = if l == 0 || self.options.pre_smoothing { self.options.omega } else { 0.0 };
        let mut e: Vec<DVec3> = matrix.inverse.iter().zip(r).map(|(d, r)| omega * (*d * *r)).collect();
        let again = level.nodes <= self.options.twice && l + 1 < self.hierarchy.levels.len();
        for _ in 0..1 + usize::from(again) {
            let mut rest = matrix.residual(r, &e);
            rest.iter_mut().zip(&matrix.shared).for_each(|(rest, part)| *rest *= *part);
            let rest = weighted(&level.restriction, &rest);
            let mut coarse = self.cycle(l + 1, &rest);
            if self.options.repeated == Some(l + 1) {
                let more = self.cycle(l + 1, &self.matrices[l + 1].residual(&rest, &coarse));
                coarse.iter_mut().zip(more).for_each(|(e, more)| *e += more);
            }
            for (i, e) in e.iter_mut().enumerate() {
                // On the finest level pins have D^-1 = 0.
                if matrix.inverse[i] != DMat3::ZERO {
                    let all =
                        level.interpolation.row(i).map(|(c, w)| f64::from(w) * coarse[c]).sum::<DVec3>();
                    *e += matrix.shared.get(i).map_or(all, |part| *part * all);
                }
            }
        }
        matrix.sweep(self.options.omega, r, &mut e);
        e
    }

    fn coarsest(&self, matrix: &Matrix<'_>, r: &[DVec3]) -> Vec<DVec3> {
        if let Some(factor) = &self.factor {
            return factor.solve(r);
        }
        let sweeps = match self.options.coarsest {
            Coarsest::Sweeps(n) => n,
            Coarsest::Dense => 16,
        };
        let mut e = vec![DVec3::ZERO; r.len()];
        for _ in 0..sweeps {
            matrix.sweep(self.options.omega, r, &mut e);
        }
        e
    }
}

/// The matrix on the objective's own level.
fn finest<'a>(objective: &Objective<'a>, x: &[DVec3], t_min: f64, contacts: Vec<Coupling>) -> Matrix<'a> {
    let model = objective.model();
    let pinned = model.pinned();
    let mut ground = objective.gamma().to_vec();
    let mut stiffness = Vec::with_capacity(model.springs().len());
    // A third of the traces of all blocks at a node: the average stiffness of its springs.
    let mut around = vec![0.0; pinned.len()];
    for (s, spring) in model.springs().iter().enumerate() {
        let (_, l, n) = direction(spring, x);
        let (c, n_n, _) = objective.dashpot(s);
        let k = objective.along(s);
        let across = if n == DVec3::ZERO { k } else { (objective.tension(s, l) / l).max(t_min * k) };
        let block = outer(n) * (k - across) + DMat3::IDENTITY * across + outer(n_n) * c;
        let [a, b] = spring.nodes.map(|i| i as usize);
        let third = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
        around[a] += third;
        around[b] += third;
        match [pinned[a], pinned[b]] {
            [false, false] => stiffness.push(block),
            [a_pinned, b_pinned] => {
                stiffness.push(DMat3::ZERO);
                for (free, node) in [(!a_pinned, a), (!b_pinned, b)] {
                    if free {
                        ground[node] += block;
                    }
                }
            }
        }
    }
    for (ground, pinned) in ground.iter_mut().zip(pinned) {
        if *pinned {
            *ground = DMat3::ZERO;
        }
    }
    let bending = match model.has_bending() {
        true => Bending::Model(model.bending_rows(), pinned),
        false => Bending::Absent,
    };
    let mut matrix = Matrix::new(Springs::Model(model.springs()), stiffness, bending, ground, contacts);
    matrix.each_bend(|i, _, kappa| around[i] += kappa.max(0.0));
    let pulls = objective.pull();
    let mut with_pulls = around.clone();
    for [a, b] in model.springs().iter().map(|s| s.nodes.map(|i| i as usize)) {
        for (i, j) in [(a, b), (b, a)] {
            if !pinned[j] {
                with_pulls[i] += pulls[j];
            }
        }
    }
    let part = |(s, k): (&f64, &f64)| if *s > 0.0 { k / (s + k) } else { 1.0 };
    matrix.shared = pulls.iter().zip(&with_pulls).map(part).collect();
    let unseen =
        |((s, shared), pinned): ((&f64, &f64), &bool)| if *pinned { 0.0 } else { (1.0 - shared) * s };
    matrix.unseen = objective.pull().iter().zip(&matrix.shared).zip(pinned).map(unseen).collect();
    matrix
}

impl<'a> Matrix<'a> {
    fn new(
        springs: Springs<'a>,
        stiffness: Vec<DMat3>,
        bending: Bending<'a>,
        ground: Vec<DMat3>,
        contacts: Vec<Coupling>,
    ) -> Self {
        let mut matrix = Self {
            springs,
            stiffness,
            bending,
            ground,
            unseen: Vec::new(),
            shared: Vec::new(),
            contacts,
            inverse: Vec::new(),
        };
        let mut diagonal = matrix.ground.clone();
        matrix.each_spring(|a, b, k| {
            diagonal[a] += *k;
            diagonal[b] += *k;
        });
        matrix.each_bend(|i, _, kappa| diagonal[i] += DMat3::IDENTITY * kappa.max(0.0));
        for contact in &matrix.contacts {
            contact
                .row
                .iter()
                .for_each(|(i, w)| diagonal[*i] += contact.stiffness * (contact.half * w.abs()));
        }
        let invert = |d: DMat3| if d == DMat3::ZERO { d } else { d.inverse() };
        matrix.inverse = diagonal.into_iter().map(invert).collect();
        matrix
    }

    fn each_spring(&self, mut visit: impl FnMut(usize, usize, &DMat3)) {
        match self.springs {
            Springs::Model(springs) => {
                for (spring, k) in springs.iter().zip(&self.stiffness) {
                    visit(spring.nodes[0] as usize, spring.nodes[1] as usize, k);
                }
            }
            Springs::Level(springs) => {
                for (nodes, k) in springs.iter().zip(&self.stiffness) {
                    visit(nodes[0] as usize, nodes[1] as usize, k);
                }
            }
        }
    }

    /// Visits each free node, a node that bending couples it to, and their kappa [N/m].
    fn each_bend(&self, mut visit: impl FnMut(usize, usize, f64)) {
        match (self.bending, self.springs) {
            (Bending::Model(rows, pinned), _) => {
                for i in (0..pinned.len()).filter(|&i| !pinned[i]) {
                    rows.row(i).iter().for_each(|&(j, kappa)| visit(i, j as usize, kappa.into()));
                }
            }
            (Bending::Level(bend), Springs::Level(springs)) => {
                for (&[a, b], &kappa) in springs.iter().zip(bend).filter(|entry| *entry.1 != 0.0) {
                    visit(a as usize, b as usize, kappa.into());
                    visit(b as usize, a as usize, kappa.into());
                }
            }
            _ => {}
        }
    }

    fn coarsened<'b>(&self, level: &'b Level, contacts: Vec<Coupling>) -> Matrix<'b> {
        let stiffness = blocks(&level.gather, &self.stiffness);
        let mut held = self.ground.clone();
        held.iter_mut().zip(&self.unseen).for_each(|(held, unseen)| *held -= DMat3::IDENTITY * *unseen);
        if let Bending::Model(_, pinned) = self.bending {
            self.each_bend(|i, j, kappa| {
                if pinned[j] {
                    held[i] += DMat3::IDENTITY * kappa.max(0.0);
                }
            });
        }
        let mut ground = blocks(&level.restriction, &held);
        // Nodes that stand for pins only: left free they would turn a clamp into a hinge.
        let adrift: Vec<bool> = ground.iter().map(|ground| *ground == DMat3::ZERO).collect();
        for (nodes, kappa) in level.springs.iter().zip(&level.bend) {
            for i in nodes.map(|i| i as usize).into_iter().filter(|&i| adrift[i]) {
                ground[i] += DMat3::IDENTITY * f64::from(kappa.max(0.0));
            }
        }
        let bending = Bending::Level(&level.bend);
        Matrix::new(Springs::Level(&level.springs), stiffness, bending, ground, contacts)
    }

    /// r - A e.
    fn residual(&self, r: &[DVec3], e: &[DVec3]) -> Vec<DVec3> {
        let mut residual: Vec<DVec3> =
            r.iter().zip(e).zip(&self.ground).map(|((r, e), ground)| *r - *ground * *e).collect();
        self.each_spring(|a, b, k| {
            let pull = *k * (e[a] - e[b]);
            residual[a] -= pull;
            residual[b] += pull;
        });
        self.each_bend(|i, j, kappa| residual[i] -= kappa * (e[i] - e[j]));
        for Coupling { row, stiffness, .. } in &self.contacts {
            let pull = *stiffness * row.iter().map(|(i, w)| *w * e[*i]).sum::<DVec3>();
            row.iter().for_each(|(i, w)| residual[*i] -= *w * pull);
        }
        residual
    }

    fn sweep(&self, omega: f64, r: &[DVec3], e: &mut [DVec3]) {
        let residual = self.residual(r, e);
        for ((e, d), residual) in e.iter_mut().zip(&self.inverse).zip(&residual) {
            *e += omega * (*d * *residual);
        }
    }
}

fn weighted(rows: &Rows, of: &[DVec3]) -> Vec<DVec3> {
    (0..rows.len()).map(|i| rows.row(i).map(|(j, w)| f64::from(w) * of[j]).sum()).collect()
}

fn blocks(rows: &Rows, of: &[DMat3]) -> Vec<DMat3> {
    let sum = |i: usize| rows.row(i).fold(DMat3::ZERO, |sum, (j, w)| sum + of[j] * f64::from(w));
    (0..rows.len()).map(sum).collect()
}

/// Cholesky factor of a whole matrix.
struct Factor {
    /// Row by row; the diagonal holds the inverse.
    rows: Vec<Vec<f64>>,
}

impl Factor {
    fn of(matrix: &Matrix<'_>) -> Self {
        let n = 3 * matrix.ground.len();
        let mut full = vec![vec![0.0; n]; n];
        let mut add = |a: usize, b: usize, block: &DMat3, sign: f64| {
            for i in 0..3 {
                for j in 0..3 {
                    full[3 * a + i][3 * b + j] += sign * block.col(j)[i];
                }
            }
        };
        for (i, ground) in matrix.ground.iter().enumerate() {
            add(i, i, ground, 1.0);
        }
        matrix.each_spring(|a, b, k| {
            add(a, a, k, 1.0);
            add(b, b, k, 1.0);
            add(a, b, k, -1.0);
            add(b, a, k, -1.0);
        });
        for Coupling { row, stiffness, .. } in &matrix.contacts {
            for (a, v) in row {
                row.iter().for_each(|(b, w)| add(*a, *b, stiffness, v * w));
            }
        }
        // A pinned node has no row; its column has no effect on the factors.
        matrix.each_bend(|i, j, kappa| {
            add(i, i, &DMat3::IDENTITY, kappa);
            add(i, j, &DMat3::IDENTITY, -kappa);
        });
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| full[i][k] * full[j][k]).sum();
                let rest = full[i][j] - known;
                full[i][j] = if i > j {
                    rest * full[j][j]
                } else if rest > 1e-13 * full[i][i] {
                    1.0 / rest.sqrt()
                } else {
                    0.0 // nothing holds this direction
                };
            }
        }
        Self { rows: full }
    }

    fn solve(&self, r: &[DVec3]) -> Vec<DVec3> {
        let n = self.rows.len();
        let mut x: Vec<f64> = r.iter().flat_map(|r| r.to_array()).collect();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| self.rows[i][k] * x[k]).sum();
            x[i] = (x[i] - known) * self.rows[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| self.rows[k][i] * x[k]).sum();
            x[i] = (x[i] - known) * self.rows[i][i];
        }
        x.as_chunks().0.iter().map(|x| DVec3::from_array(*x)).collect()
    }
}
