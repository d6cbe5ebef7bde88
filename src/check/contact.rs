//! What colliders and loads add to the magnitudes at a node.

use crate::reference::colliders::surface;
use crate::reference::{Forces, State64};

/// Magnitudes that enter push - B v of each node \[N\], and B / h [N/m], in a step of `h` \[s\].
///
/// A distance carries the rounding of |x| and of where the collider is, and the normal turns by as much over the
/// distance from the collider's middle: all count with the stiffness; damping and friction with the velocities.
pub(super) fn magnitudes(f: &Forces<'_>, h: f64, state: &State64) -> Vec<[f64; 2]> {
    let is_implicit = !f.settings.solver.is_explicit();
    let each = |(i, [push, stiffness]): (usize, [f64; 2])| {
        let (x, v) = (state.position[i], state.velocity[i]);
        // Implicit solvers freeze pressure; Verlet kicks again at the end of the step.
        let mut total = [push, if is_implicit { 0.0 } else { stiffness }];
        for collider in f.model.colliders() {
            let Some((push, drag)) = f.contact_with(collider, i, x, v, is_implicit) else { continue };
            let size = drag.to_cols_array().iter().map(|b| b * b).sum::<f64>().sqrt();
            let middle = collider.center(f.at.time);
            let (d, n) = surface(collider, f.at.time, x);
            let places = x.length() + middle.length() + (x - middle).length();
            let u = f.surface_velocity(collider, x - d * n).length();
            // The drag of implicit methods acts on the velocity behind the step.
            let pushed = if is_implicit { h * push.length() / f.mass(i) } else { 0.0 };
            total[0] += f64::from(collider.stiffness) * f.mass(i) * places + size * (v.length() + u + pushed);
            total[1] += size / h;
        }
        total
    };
    loads(f, h, state).into_iter().enumerate().map(each).collect()
}

/// Magnitudes of what loads do to each node \[N\], and how much that changes with the positions [N/m]. Each corner takes the
/// area of a triangle from the two sides that meet there.
fn loads(f: &Forces<'_>, h: f64, state: &State64) -> Vec<[f64; 2]> {
    let passed = if f.settings.solver.acts_ahead() { h } else { 0.0 };
    let mut total = vec![[0.0; 2]; state.position.len()];
    for load in f.model.loads() {
        let strength = load.at(f.at.time).as_dvec4();
        let mut each = vec![None; total.len()];
        load.nodes.iter().for_each(|&i| each[i as usize] = Some([strength.truncate().length(), 0.0]));
        for triangle in f.model.triangles().iter().filter(|_| load.is_pressure()) {
            let [a, b, c] = triangle.map(|i| i as usize);
            let side = |i: usize, j: usize| {
                let moved = state.velocity[i].length() + state.velocity[j].length();
                (state.position[i] - state.position[j]).length() + passed * moved
            };
            let sixth = strength.w.abs() / 6.0;
            for [i, j, k] in [[a, b, c], [b, c, a], [c, a, b]] {
                let add = [sixth * side(i, j) * side(i, k), sixth * (side(i, j) + side(j, k) + side(k, i))];
                each[i] = each[i].map(|[force, stiffness]| [force + add[0], stiffness + add[1]]);
            }
        }
        for (total, each) in total.iter_mut().zip(each) {
            let [force, stiffness] = each.unwrap_or_default();
            *total = [total[0] + force, total[1] + stiffness];
        }
    }
    total
}
