//! Coulomb friction of a pair, as a spring from where it last stuck.
//!
//! ```text
//! u   = (I - n n^T) (sum w (z - x_n) + kept),    u* the same of y
//! k_t = min(k, mu f* / max(|u|, |u*| - c, LEAST_SLIP)),    c = sum |w_i| L_i h^2 / m_i
//! f*  = min(f, f_n + k max(q(y) - q(x_n), 0) / (1 + 1.5 k a)),    a = sum w_i^2 h^2 / m_i
//! kept <- u min(1, max(mu f / k, LEAST_SLIP) / |u|)
//! ```
//!
//! y is where nodes go alone, so that u* is the slip without friction. c is what friction shortens it by: L_i is the sum of |w_i| mu f*
//! over all pairs at node i. |u*| - c is then the slip at the end of a free sheet's substep, and friction is right after one iteration
//! instead of many. Where c is too large, |u| decides. Where it is too small, as springs carry friction from node to node, friction would
//! be, too: after two iterations |u| decides alone.
//!
//! f itself is known late where layers land: at y they overlap by all of their way, and f is many times what stops them. Friction would stick by that, and
//! then let go slowly, as |u| is short. f* is for these two iterations: f_n is the force at x_n, no more than the load that the pair has had lately if
//! it had any, for what has just landed still overlaps. What y adds to the overlap q along the normal, from 0 on, a pair alone would stop with k q / (1 + k a),
//! a being the mobility of both sides. Of a sheet that lands on an equal one, which something holds, a node moves by 2 f h^2 / m, having a pair of its own and about
//! one as a corner; a is 4/3 h^2 / m. Hence 1.5. It is too little where springs or others press on both sides, and up to twice too much where sheets meet in the air.
//!
//! What is kept is the stretch of that spring: it holds for good what sticks, and is
//! mu f / k long where it slides.

use glam::DVec3;

/// Iterations in which the slip is foreseen.
pub const FORESEEN: usize = 2;
/// Least slip that friction is divided by \[m\].
pub const LEAST_SLIP: f64 = 3e-6;

/// k_t [N/m] for mu f = `limit` \[N\], |u| and |u*| - c \[m\], the second not below LEAST_SLIP, and k [N/m].
pub fn stiffness(limit: f64, [slip, foreseen]: [f64; 2], most: f64) -> f64 {
    (limit / slip.max(foreseen)).min(most)
}

/// What a pair keeps \[m\] of its slip u for mu f = `limit` \[N\] and k [N/m].
pub fn kept(slip: DVec3, limit: f64, stiffness: f64) -> DVec3 {
    let most = (limit / stiffness).max(LEAST_SLIP);
    slip * (most / slip.length().max(most))
}
