//! What rounding may do to vertex block descent: a running error analysis along the reference's own visits.
//!
//! The bound of a node after its move x_i <- x_i + s, s = -H^-1 g, is, with the bounds of its neighbors as
//! they are then, to first order
//!
//! ```text
//! e_i <- |H^-1 (H - A_ii - sum_j D_ij)| e_i + sum_j |H^-1 (A_ij + D_ij)| e_j + |H^-1 Gamma| e_y + 2 u |x|
//!      + C u ( sum_j |H^-1 n| k (l + r) + |H^-1| [ sum_j k |l - r| + c / h (l + l_n) + (k + c / h) |s|
//!                                                 + sum_j |kappa| (|x_i - x_j| + |s|) + |Gamma| (|y - x| + |s|) ] )
//! ```
//!
//! A is the true second derivative and D the change of H s with the spring vector; then the errors of y, of
//! storing x, of tensions (l - r cancels, along the spring), of directions, damping, matrix and solution.

use glam::{DMat3, DVec3};

use super::{Block, bending_pairs, incident, spectral_radius, weight};
use crate::model::Coloring;
use crate::reference::bound::{C, U};
use crate::reference::forces::direction;
use crate::reference::objective::Objective;
use crate::reference::objective::start;
use crate::reference::{Forces, State64};
use crate::settings::CHEBYSHEV;

/// Largest error of each node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn positions(forces: &Forces<'_>, h: f64, state: &State64) -> Vec<f64> {
    let objective = Objective::of_step(forces, h, state);
    let incident = incident(forces.model);
    let coloring = Coloring::of(forces.model);
    let rho = spectral_radius(forces.settings.value(CHEBYSHEV));
    let mut x = start(forces, &objective, h, state);
    let start = start_bounds(forces, &objective, h, state);
    let mut error = start.clone();
    let (mut x_before, mut x_last) = (x.clone(), x.clone());
    let (mut before, mut last) = (error.clone(), error.clone());
    let mut omega = 1.0;
    for t in 0..u64::from(forces.settings.iterations()) {
        for i in coloring.classes().flatten().map(|&i| i as usize).filter(|&i| forces.is_free(i)) {
            let visit = Visit { objective: &objective, springs: &incident[i], i, x: &x, state };
            let (bound, moved) = visit.bound(&error, start[i]);
            error[i] = bound;
            x[i] += moved;
        }
        omega = weight(t, rho, omega);
        for i in 0..x.len() {
            x[i] = omega * (x[i] - x_before[i]) + x_before[i];
            error[i] = omega * error[i] + (omega - 1.0) * before[i];
        }
        x_before = std::mem::replace(&mut x_last, x.clone());
        before = std::mem::replace(&mut last, error.clone());
    }
    error
}

/// Errors of y and of the start vector.
fn start_bounds(forces: &Forces<'_>, objective: &Objective<'_>, h: f64, state: &State64) -> Vec<f64> {
    let (x, v) = (&state.position, &state.velocity);
    let mut pulled = vec![0.0; x.len()];
    for pull in forces.pulls {
        let i = pull.node as usize;
        pulled[i] += pull.stiffness * (x[i].length() + pull.target.length());
    }
    let wind = h * forces.settings.world.wind.as_dvec3().length();
    let each = |i: usize| {
        let mut far = h * v[i].length();
        if forces.is_free(i) {
            far += (objective.target()[i] - x[i]).length() + wind;
            far += pulled[i] * norm(objective.gamma()[i].inverse());
        }
        2.0 * U * (x[i].length() + far) + C * U * far
    };
    (0..x.len()).map(each).collect()
}

/// A node about to be moved.
struct Visit<'a> {
    objective: &'a Objective<'a>,
    springs: &'a [usize],
    i: usize,
    x: &'a [DVec3],
    state: &'a State64,
}

impl Visit<'_> {
    /// The node's new error, given all present ones and that of y, and its move.
    fn bound(&self, error: &[f64], target_error: f64) -> (f64, DVec3) {
        let (i, x) = (self.i, self.x);
        let Block { gradient, hessian } = Block::of(self.objective, self.springs, i, x);
        let inverse = hessian.inverse();
        let moved = -(inverse * gradient);
        let (size, gamma) = (norm(inverse), self.objective.gamma()[i]);
        let mut own = hessian - gamma; // H - A_ii - sum D in the end
        let mut any = norm(gamma) * ((self.objective.target()[i] - x[i]).length() + moved.length());
        let mut bound = 0.0;
        for &s in self.springs {
            let spring = &self.objective.model().springs()[s];
            let [a, b] = spring.nodes.map(|n| n as usize);
            let j = if a == i { b } else { a };
            let (k, r) = (f64::from(spring.stiffness), f64::from(spring.rest_length));
            let (_, l, n) = direction(spring, x);
            let l_n = self.state.position[a].distance(self.state.position[b]);
            let c = self.objective.dashpot(s).0;
            let through = self.objective.block(s, x, false) + k * change(l, r, n, moved);
            own -= through;
            bound += norm(inverse * through) * error[j] + C * U * (inverse * n).length() * k * (l + r);
            any += k * (l - r).abs() + c * (l + l_n) + (k + c) * moved.length();
        }
        for &(j, kappa) in bending_pairs(self.objective.model(), i) {
            let (j, kappa) = (j as usize, f64::from(kappa));
            own -= DMat3::IDENTITY * kappa;
            bound += size * kappa.abs() * error[j];
            any += kappa.abs() * ((x[i] - x[j]).length() + moved.length());
        }
        bound += norm(inverse * own) * error[i] + norm(inverse * gamma) * target_error;
        bound += C * U * size * any + 2.0 * U * x[i].length();
        (bound, moved)
    }
}

/// The derivative with respect to e, over k, of the projected spring block times a constant `s` \[m\]:
/// (1 - t) n (n . s) + t s with 1 - t = r / l, or 1 where projected.
fn change(l: f64, r: f64, n: DVec3, s: DVec3) -> DMat3 {
    if n == DVec3::ZERO {
        return DMat3::ZERO;
    }
    let (along, across) = (n.dot(s), s - n.dot(s) * n);
    let turn = (DMat3::IDENTITY - outer(n, n)) * along + outer(n, across);
    if l > r { (turn + outer(across, n)) * (r / (l * l)) } else { turn * (1.0 / l) }
}

/// a b^T.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The Frobenius norm, which is never less than the spectral one.
fn norm(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}
