//! What colliders and loads add to the magnitudes at a node.

use glam::DVec3;

use crate::reference::colliders::surface;
use crate::reference::{Forces, State64};

/// Magnitudes that enter push - B v of each node \[N\], and B / h [N/m], in a step of `h` \[s\].
///
/// A distance carries the rounding of |x| and of where the collider is, and the normal turns by as much over the
/// distance from the collider's middle: all count with the stiffness; damping and friction with the velocities.
pub(super) fn magnitudes(f: &Forces<'_>, h: f64, state: &State64) -> Vec<[f64; 2]> {
    let is_implicit = !f.settings.solver.is_explicit();
    let mut pushes = vec![DVec3::ZERO; state.position.len()];
    f.add_loads(&mut pushes);
    let each = |(i, push): (usize, DVec3)| {
        let (x, v) = (state.position[i], state.velocity[i]);
        let mut total = [push.length(), 0.0];
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
    pushes.into_iter().enumerate().map(each).collect()
}
