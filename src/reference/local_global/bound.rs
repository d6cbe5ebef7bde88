//! What rounding may do to local and global steps.
//!
//! A sweep adds an error like that of an explicit step, divided by the diagonal. It passes on at most L times the error of the
//! sweep before, where L is the largest row sum of the sweep's derivative. With Chebyshev weights the bound about doubles with
//! each sweep: after 20 sweeps any result would pass. So only the first sweeps of a substep are compared, which run every
//! kernel of the method.

use glam::DVec3;

use super::{solved, spectral_radius};
use crate::reference::bound::noise::{Noise, ROUNDINGS, largest_deviation};
use crate::reference::bound::{C, Load, U};
use crate::reference::linear::bound::{rounded, store, weight};
use crate::reference::objective::{Objective, start};
use crate::reference::{Forces, State64};

/// Largest error of any free node's position \[m\] where global steps are solved by conjugate gradients.
pub fn of_global_steps(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load]) -> f64 {
    largest_deviation(|noise| disturbed(forces, h, state, loads, noise))
}

fn disturbed(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load], noise: &mut Noise) -> Vec<DVec3> {
    let objective = Objective::of_step(forces, h, state);
    let start = store(forces, start(forces, &objective, h, state), noise);
    let noise = std::cell::RefCell::new(noise);
    let (reached, _) = solved(
        forces,
        &objective,
        h,
        None,
        (start, None),
        &mut |objective, blocks, u| rounded(objective, blocks, u, *noise.borrow_mut()),
        &mut |right| {
            for (i, b) in right.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
                // The iterate has been rounded, and springs see the difference of two.
                let load = &loads[i];
                let rounded = (load.stiffness + 2.0 * load.bending) * state.position[i].length();
                let bound = ROUNDINGS * U * (load.force + rounded + weight(forces, i));
                *b += noise.borrow_mut().vector(bound);
            }
        },
    );
    store(forces, reached, noise.into_inner())
}

/// Largest error of each node's position \[m\] after Jacobi sweeps.
pub fn of_sweeps(f: &Forces<'_>, h: f64, before: &State64, after: &State64, loads: &[Load]) -> Vec<f64> {
    let settings = f.settings;
    let sweeps = settings.iterations() * settings.sweeps();
    // A radius of zero stands for no acceleration: its weights are one.
    let rho = spectral_radius(f, h);
    // What one sweep adds, and what it passes on, at the worst node.
    let (mut added, mut passed) = (0f64, 0f64);
    for (i, load) in loads.iter().enumerate().filter(|(i, _)| f.is_free(*i)) {
        let inertia = f.mass(i) / (h * h);
        let diagonal = inertia + load.stiffness + load.bending;
        let x = before.position[i].length().max(after.position[i].length());
        let far = (after.position[i] - before.position[i]).length() + h * before.velocity[i].length();
        added = added.max(2.0 * U * x + C * U * (far + load.force / diagonal));
        passed = passed.max((load.excess * load.stiffness + load.bending_row) / diagonal);
    }
    let (mut error, mut last) = (added, added);
    let mut w = 1.0;
    for t in 0..u64::from(sweeps) {
        w = super::weight(t, rho, w);
        let next = w * (passed * error + added) + (w - 1.0) * last;
        (error, last) = (next, error);
    }
    let each = |i: usize| match f.is_free(i) {
        true => error,
        false => 2.0 * U * (before.position[i].length() + h * before.velocity[i].length()),
    };
    (0..loads.len()).map(each).collect()
}
