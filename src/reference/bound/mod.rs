//! What rounding may do to one substep.
//!
//! GPU and reference begin at the same f32 state. With u = 2^-24 the bound per node is, for explicit methods,
//! `dv <= C u (|v| + h |g| + h a |v| + h w (F + d |v|))` and `dx <= 2 u (|x| + h |v|) + h dv`, where F sums
//! the magnitudes that enter the node's force: `k (l + r)` per spring, because l - r cancels after the
//! length has been rounded, `c (|v_i| + |v_j|)` per dashpot, `|B| (|v| + |wind|)` for air,
//! `K (|x| + |target|)` per pull, and `|kappa| |x_i - x_j|` per pair of a bending stencil. C counts the roundings on the
//! way of one summand: subtraction, dot product, inverse square root (2 ulp, WGSL section 15.7.4), products, and a sum over
//! about 16 terms. The other methods have their bounds beside their references.

pub mod contact;
pub mod noise;

use super::objective::bending_majorant;
use super::{Forces, State64};
use crate::model::Spring;
use crate::reference::objective::augmented;

/// Unit roundoff of f32.
pub const U: f64 = 1.0 / (1u64 << 24) as f64;
/// Roundings on the way of one summand of a force.
pub const C: f64 = 32.0;

/// Largest errors of each node.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Of the position \[m\].
    pub position: Vec<f64>,
    /// Of the velocity [m/s].
    pub velocity: Vec<f64>,
}

impl Bounds {
    /// Velocities are differences of positions over `h`.
    pub fn of_positions(h: f64, after: &State64, position: Vec<f64>) -> Self {
        let velocity =
            position.iter().zip(&after.velocity).map(|(dx, v)| dx / h + 4.0 * U * v.length()).collect();
        Self { position, velocity }
    }

    /// The same for all nodes, of positions.
    pub fn all_within(h: f64, after: &State64, position: f64) -> Self {
        Self::of_positions(h, after, vec![position; after.position.len()])
    }
}

/// Sums over the springs and other forces at a node.
#[derive(Clone, Copy, Default)]
pub struct Load {
    /// Magnitudes that enter the force \[N\].
    pub force: f64,
    /// Sum of k, c / h, pulls and air / h [N/m].
    pub stiffness: f64,
    /// Majorant of bending in a sweep [N/m].
    pub bending: f64,
    /// What bending adds to the row sum of a sweep's derivative, before the division by D [N/m].
    pub bending_row: f64,
    /// Largest factor by which a spring's Hessian exceeds k.
    pub excess: f64,
}

/// Those of a method whose forces are those of the start of the step of `h` \[s\].
pub fn explicit(f: &Forces<'_>, h: f64, before: &State64, after: &State64, loads: &[Load]) -> Bounds {
    let gravity = f.settings.world.gravity.as_dvec3().length();
    let (damping, raw) = (f64::from(f.settings.world.damping), f64::from(f.settings.world.node_damping));
    let mut bounds = Bounds { position: Vec::new(), velocity: Vec::new() };
    for (i, load) in loads.iter().enumerate() {
        let w = f64::from(f.model.inverse_mass(i));
        let (x, v) =
            (before.position[i].length(), before.velocity[i].length().max(after.velocity[i].length()));
        let dv = C * U * (v + h * gravity + h * damping * v + h * w * (load.force + raw * v));
        let dx = 2.0 * U * (x + h * v) + h * dv;
        bounds.position.push(dx);
        bounds.velocity.push(dv);
    }
    bounds
}

/// The magnitudes at each node at the start of a step of `h` \[s\].
pub fn loads(f: &Forces<'_>, h: f64, state: &State64) -> Vec<Load> {
    let mut loads = network_loads(f, h, state);
    let contact = contact::magnitudes(f, h, state, &loads);
    for (load, [force, stiffness]) in loads.iter_mut().zip(contact) {
        load.force += force;
        load.stiffness += stiffness;
    }
    loads
}

/// Those of springs, bending, handles and air.
pub fn network_loads(f: &Forces<'_>, h: f64, state: &State64) -> Vec<Load> {
    let mut loads = vec![Load { excess: 1.0, ..Load::default() }; f.model.node_count()];
    let (x, v) = (&state.position, &state.velocity);
    let multipliers = f.settings.solver.multipliers(f.model, h as f32);
    for (s, &Spring { nodes: [a, b], rest_length, stiffness, dashpot, .. }) in
        f.model.springs().iter().enumerate()
    {
        let (a, b) = (a as usize, b as usize);
        let (r, k, c) = (f64::from(rest_length), f64::from(stiffness), f64::from(dashpot));
        // With a multiplier, which begins at zero, a spring pulls with this.
        let sigma = f64::from(multipliers.penalty(s));
        let k = match multipliers.limit(s) > 0.0 {
            // As if it were at its limit.
            true if k <= sigma => k + sigma,
            true => sigma,
            false => augmented(k, sigma).0,
        };
        let l = (x[a] - x[b]).length();
        for i in [a, b] {
            // An inextensible spring counts in contact as this, and nowhere else by its stiffness.
            let k = if k.is_finite() { k } else { f.mass(i) / (h * h) };
            let load = &mut loads[i];
            load.force += k * (l + r) + c * (v[a].length() + v[b].length());
            load.stiffness += k + c / h;
            // The Hessian across a compressed spring is k (1 - r / l); both ends' share is in the row sum.
            load.excess = load.excess.max(if l > 1e-6 * r { (1.0 - r / l).abs() + 1.0 } else { 1.0 });
        }
    }
    for (load, majorant) in loads.iter_mut().zip(bending_majorant(f.model)) {
        (load.bending, load.bending_row) = (majorant, 3.0 * majorant);
    }
    f.model.for_each_bending_stencil(|nodes, coefficients| {
        let each = || nodes.iter().map(|&n| n as usize).zip(coefficients);
        for (i, c_i) in each() {
            // With D half of the sum of |Q_ij|, the row of D - Q adds up to 3 D - 2 Q_ii.
            loads[i].bending_row -= 2.0 * c_i * c_i;
            loads[i].force += each().map(|(j, c_j)| (c_i * c_j).abs() * (x[i] - x[j]).length()).sum::<f64>();
        }
    });
    for pull in f.pulls {
        let load = &mut loads[pull.node as usize];
        load.force += pull.stiffness * (x[pull.node as usize].length() + pull.target.length());
        load.stiffness += pull.stiffness;
    }
    if f.settings.has_air() {
        let wind = f.settings.world.wind.as_dvec3();
        for &triangle in f.model.triangles() {
            let block = f.air_block(triangle, x, v);
            let size = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
            for node in triangle.map(|n| n as usize) {
                loads[node].force += size * (v[node].length() + wind.length());
                loads[node].stiffness += size / h;
            }
        }
    }
    loads
}
