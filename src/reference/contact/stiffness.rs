//! How stiff pairs are.
//!
//! ```text
//! k_0 = mean over both sides of 0.005 kappa + 30 m / h^2,    kappa = half the sum of the k of the springs at a body's median node
//! k   = max(k_0, min(lambda / (0.1 D), kappa))
//! ```
//!
//! Of the coarser side these are what lies in the area of a node of the finer one: (s / s_coarser)^2 of kappa and m of its nodes. All nodes of a fine
//! sheet around one of a coarse sheet have pairs with it, and share it. Where pins hold one side, nothing is shared.
//!
//! The second term keeps up with what stops within a substep: a stack of L layers sinks by L g h^2 / 60 at its bottom. The
//! first is for cloth that is stiff for the step. lambda is the force that the pair had lately: what is pressed harder becomes
//! stiffer within some substeps, up to the stiffness of the cloth itself.

/// Share of kappa \[1\].
const ELASTIC: f64 = 0.005;
/// Share of m / h^2 \[1\].
pub const INERTIAL: f64 = 30.0;
/// How deep lambda should sink in, as a share of D \[1\].
const DEPTH: f64 = 0.1;
/// How much of a larger force counts as load in each substep \[1\]; a smaller one counts at once.
const GROWTH: f64 = 0.3;

/// k [N/m]; of each side that moves kappa and m / h^2 [N/m]; `load` is lambda \[N\], `thickness` D \[m\].
pub fn stiffness(sides: [Option<(f64, f64)>; 2], load: f64, thickness: f64) -> f64 {
    let moving = sides.iter().flatten();
    let count = moving.clone().count().max(1) as f64;
    let elastic = moving.clone().map(|side| side.0).sum::<f64>() / count;
    let inertial = moving.map(|side| side.1).sum::<f64>() / count;
    (ELASTIC * elastic + INERTIAL * inertial).max((load / (DEPTH * thickness)).min(elastic))
}

/// lambda \[N\] of the next substep, after one with `load` \[N\] that ended with `force` \[N\].
pub fn next_load(load: f64, force: f64) -> f64 {
    if force < load { force } else { load + GROWTH * (force - load) }
}
