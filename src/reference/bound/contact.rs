//! What colliders and loads add to the magnitudes at a node.

use glam::{DMat3, DVec3};

use super::noise::{Noise, ROUNDINGS, largest_change};
use super::{Load, U};
use crate::measure::surface::surface;
use crate::reference::colliders::Motion;
use crate::reference::objective::Objective;
use crate::reference::{Forces, State64};

/// Magnitudes that enter push - B v of each node \[N\], and B / h [N/m], in a step of `h` \[s\] in which springs, handles and
/// air have those in `others`.
pub fn magnitudes(f: &Forces<'_>, h: f64, state: &State64, others: &[Load]) -> Vec<[f64; 2]> {
    let is_implicit = !f.settings.solver.is_explicit();
    let mut total = loads(f, h, state);
    // Implicit solvers freeze pressure; Verlet kicks again at the end of the step.
    if is_implicit {
        total.iter_mut().for_each(|[_, stiffness]| *stiffness = 0.0);
    }
    if f.model.colliders().is_empty() {
        return total;
    }
    let motions = if is_implicit {
        Objective::motions(f, h, state)
    } else {
        f.explicit_motions(&state.velocity, &f.without_contact(&state.position, &state.velocity))
    };
    for (i, motion) in motions.into_iter().enumerate().filter(|(i, _)| f.is_free(*i)) {
        let node =
            Node { f, h, i, x: state.position[i], motion, force: others[i].force + total[i][0], is_implicit };
        for collider in 0..f.model.colliders().len() {
            let [push, stiffness] = node.magnitudes(collider);
            total[i][0] += push;
            total[i][1] += stiffness;
        }
    }
    total
}

/// Disturbs velocities by what rounding does to these pushes in a step of `h` \[s\].
pub fn disturb_pushes(f: &Forces<'_>, h: f64, pushes: &[[f64; 2]], state: &mut State64, noise: &mut Noise) {
    for (i, [force, _]) in pushes.iter().enumerate().filter(|(i, _)| f.is_free(*i)) {
        state.velocity[i] += noise.vector(ROUNDINGS * U * force * h / f.mass(i));
    }
}

/// A node beside a collider.
struct Node<'a> {
    f: &'a Forces<'a>,
    h: f64,
    i: usize,
    x: DVec3,
    motion: Motion,
    /// Magnitudes of all other forces \[N\].
    force: f64,
    is_implicit: bool,
}

impl Node<'_> {
    /// What contact with one collider adds.
    ///
    /// A distance carries the rounding of |x| and of where the collider is, and the normal turns by as much over the
    /// distance from the collider's middle: all count with the stiffness; damping and friction with the velocities.
    /// What friction makes of these roundings, and of those of the velocities it foresees, is found by disturbing them: the
    /// largest change counts as a magnitude, so that those who use it take it as many times as other roundings.
    fn magnitudes(&self, index: usize) -> [f64; 2] {
        let Self { f, h, i, x, motion, .. } = *self;
        let Some(found) = f.contact_with(index, i, x, &motion, self.is_implicit) else {
            return [0.0; 2];
        };
        let (push, drag) = (found.push, found.block);
        let collider = &f.model.colliders()[index];
        let (middle, m) = (collider.center(f.at.time), f.mass(i));
        let (d, n) = surface(collider, f.at.time, x);
        let places = x.length() + middle.length() + (x - middle).length();
        let u = f.surface_velocity(collider, x - d * n).length();
        let size = drag.to_cols_array().iter().map(|b| b * b).sum::<f64>().sqrt();
        // Where the node by itself would end: an error along a direction that the drag holds does little.
        let ends = |motion: &Motion, (push, drag): (DVec3, DMat3)| {
            let held = (DMat3::IDENTITY + h * (motion.mobility * drag)).inverse();
            [motion.alone, motion.pulled].map(|v| held * (v + h * (motion.mobility * push)))
        };
        let exact = ends(&motion, (push, drag));
        // The drag of implicit methods acts on the velocity behind the step.
        let speed = motion.present.length() + u + exact[0].length().max(exact[1].length());
        let gravity = f.settings.world.gravity.as_dvec3().length();
        let free = motion.present.length() + motion.alone.length() + h * gravity + h * self.force / m;
        let shift = largest_change(|noise| {
            let disturbed = Motion {
                present: motion.present + noise.vector(U * motion.present.length()),
                alone: motion.alone + noise.vector(U * free),
                relaxed: motion.relaxed + noise.vector(U * free),
                pulled: motion.pulled + noise.vector(U * free),
                ..motion
            };
            let x = x + noise.vector(U * places);
            let Some(found) = f.contact_with(index, i, x, &disturbed, self.is_implicit) else {
                return 0.0;
            };
            let change = |(a, b): (DVec3, DVec3)| (motion.mobility.inverse() * (a - b)).length() / h;
            ends(&motion, (found.push, found.block)).into_iter().zip(exact).map(change).fold(0.0, f64::max)
        });
        let held = if self.is_implicit { f.mass_held(i) } else { m };
        let stiffness = f64::from(collider.stiffness) * held * places;
        let stored = match f.friction_history.get(i) {
            Some(Some(history)) if history.collider == index => {
                history.constant.length()
                    + history.viscosity * (motion.present.length() + history.surface.length())
            }
            _ => 0.0,
        };
        [stiffness + stored + size * speed + shift / U, size / h]
    }
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
