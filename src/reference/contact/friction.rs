//! Coulomb friction of a pair, as a spring from where it last stuck.
//!
//! ```text
//! u   = (I - n n^T) (sum w (z - x_n) + kept),    u* the same of y
//! k_t = min(k, mu f / max(|u|, |u*| - c, 1e-5 m)),    c = 2 F sum |w_i| h^2 / m_i
//! kept <- u min(1, max(mu f / k, 1e-5 m) / |u|)
//! ```
//!
//! y is where nodes go alone, so that u* is the slip without friction. c is what friction shortens it by: F is the sum of mu f
//! over the vertex's own pairs, and those in which it is a corner are as many again. |u*| - c is then the slip at the end of a
//! free sheet's substep, and friction is right after one iteration instead of many. Where c is too large, |u| decides; were it
//! too small, friction would be. What is kept is the stretch of that spring: it holds for good what sticks, and is mu f / k
//! long where it slides.

use glam::DVec3;

/// Least slip that friction is divided by \[m\].
const LEAST_SLIP: f64 = 1e-5;

/// k_t [N/m] for mu f = `limit` \[N\], the lengths |u|, |u*| and c \[m\], and k [N/m].
pub fn stiffness(limit: f64, [slip, alone, stopped]: [f64; 3], most: f64) -> f64 {
    (limit / slip.max(alone - stopped).max(LEAST_SLIP)).min(most)
}

/// What a pair keeps \[m\] of its slip u for mu f = `limit` \[N\] and k [N/m].
pub fn kept(slip: DVec3, limit: f64, stiffness: f64) -> DVec3 {
    let most = (limit / stiffness).max(LEAST_SLIP);
    slip * (most / slip.length().max(most))
}
