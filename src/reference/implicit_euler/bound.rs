//! What rounding may do to a linearized step.

use glam::DVec3;

use super::{Linearized, colors, finish};
use crate::reference::bound::noise::{Noise, ROUNDINGS, largest_deviation};
use crate::reference::bound::{Load, U};
use crate::reference::linear::System;
use crate::reference::linear::bound::{magnitudes, rounded, store, weight};
use crate::reference::{Forces, State64};

/// Largest error of any free node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn position(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load]) -> f64 {
    largest_deviation(|noise| disturbed(forces, h, state, loads, noise))
}

fn disturbed(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load], noise: &mut Noise) -> Vec<DVec3> {
    let solver = forces.settings.linear_solver();
    let linearized = Linearized::new(forces, h, state);
    let first = linearized.first(forces, h, state);
    let known = linearized.product(&first);
    let mut b: Vec<DVec3> = linearized.b.iter().zip(known).map(|(b, a)| *b - a).collect();
    let begun: Vec<DVec3> = state.velocity.iter().zip(&first).map(|(v, u)| h * *v + *u).collect();
    let moved = magnitudes(&linearized.objective, &linearized.stiffness, &begun);
    for (i, b) in b.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
        *b += noise.vector(ROUNDINGS * U * (loads[i].force + moved[i] + weight(forces, i)));
    }
    let system = System {
        b,
        inverse: linearized.inverse(solver, &state.position),
        product: &mut |u| rounded(&linearized.objective, &linearized.stiffness, u, noise),
        colors: colors(forces),
    };
    let rest = system.solve(solver, forces.settings.iterations());
    let mut u = first;
    for (i, rest) in rest.into_iter().enumerate().filter(|(i, _)| forces.is_free(*i)) {
        let size = begun[i].length() + rest.length();
        u[i] += rest + noise.vector(ROUNDINGS * U * size);
    }
    let mut reached = state.clone();
    finish(forces, h, &u, &mut reached);
    store(forces, reached.position, noise)
}
