//! Whether multigrid cycles are slow on a network: meshes of thin triangles, graded meshes, random graphs.
//!
//! No single property of the springs tells these from others. So cycles are tried on a few patches of the network at rest,
//! from a random error. The last cycles show by how much a cycle reduces the errors that it reduces least.
//!
//! Limits: three patches of a thousand nodes represent the network; bending and the tension of stretched springs are ignored.
//! Rectangular cloths are never hard, whatever their springs: their stiff springs have multipliers.

mod matrix;
mod patch;

use glam::DVec3;
use rayon::prelude::*;

use super::Hierarchy;
use crate::model::{Model, Multipliers};
use matrix::Matrix;
use patch::Patch;

/// A network is hard where a cycle leaves more than this part of an error's energy norm. Regular and mildly jittered
/// meshes leave up to 0.77, flat text and meshes full of slivers up to 0.80; graded meshes 0.82 and more, thin triangles and
/// random graphs 0.86 and more.
const HARD: f64 = 0.81;
/// Cycles before those that are looked at, which take away what is easy, and these.
const CYCLES: [u32; 2] = [8, 4];

/// Whether four cycles a step are too few for a model, and its solver takes conjugate gradients with the projected matrix
/// itself. Found at the first call, in some hundredths of a second.
pub fn is_hard(model: &Model) -> bool {
    model.is_hard_by(|| {
        // Patches depend on the order of nodes: whoever asks, the order in memory counts.
        let patches = patch::of(model.in_memory());
        patches.par_iter().any(|patch| rate(patch) > HARD)
    })
}

/// Whether newton-multigrid takes steps of conjugate gradients where the settings name no number: where the model is hard, or
/// stiff in bending.
pub fn takes_conjugate_gradients(model: &Model) -> bool {
    model.is_stiff_in_bending() || is_hard(model)
}

/// The multipliers of a model's stiff springs in steps of `h` \[s\]. On a hard network those of a few springs get in the
/// way: the springs around them are as stiff in this step, and conjugate gradients serve all of them.
pub fn multipliers(model: &Model, h: f64) -> Multipliers {
    let mut all = Multipliers::of(model, h);
    if !all.is_empty() && is_hard(model) {
        all.leave_out_minorities(model);
    }
    all
}

/// The part of an error's energy norm that a cycle leaves, of errors that cycles are slow with.
fn rate(patch: &Patch) -> f64 {
    let hierarchy = Hierarchy::of_part(patch.part());
    let mut matrices = vec![Matrix::finest(patch)];
    for level in &hierarchy.levels {
        let coarser = matrices[matrices.len() - 1].coarsened(level);
        matrices.push(coarser);
    }
    let free = |i: usize| if patch.pinned[i] { DVec3::ZERO } else { noise(i) };
    let mut e: Vec<DVec3> = (0..patch.pinned.len()).map(free).collect();
    let mut cycle = |count: u32| {
        for _ in 0..count {
            let taken = matrix::cycle(&matrices, &hierarchy.levels, &matrices[0].product(&e));
            e.iter_mut().zip(taken).for_each(|(e, taken)| *e -= taken);
        }
        let energy: f64 = matrices[0].product(&e).iter().zip(&e).map(|(r, e)| r.dot(*e)).sum();
        energy.max(0.0).sqrt()
    };
    let before = cycle(CYCLES[0]);
    // Nothing is left where the first level is solved exactly.
    if before > 0.0 { (cycle(CYCLES[1]) / before).powf(1.0 / f64::from(CYCLES[1])) } else { 0.0 }
}

/// Numbers in [-1, 1) that have nothing to do with each other.
fn noise(i: usize) -> DVec3 {
    let number = |k: u64| {
        let z = (3 * i as u64 + k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) as i64 as f64 / 2f64.powi(63)
    };
    DVec3::new(number(0), number(1), number(2))
}

#[cfg(test)]
mod tests;
