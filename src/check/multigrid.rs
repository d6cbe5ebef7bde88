//! What rounding may do to newton-multigrid, found by disturbing the reference (Monte Carlo arithmetic: D. Parker,
//! "Monte Carlo Arithmetic", UCLA, 1997).
//!
//! A cycle mixes the errors of all nodes and later iterations take most of them back, so that a bound summed up
//! along the way would excuse anything. Instead the f64 iteration is run again with each of its quantities
//! disturbed at random by what f32 may do to it: the stored iterate by u |x|, the gradient by 2 u times the
//! magnitudes that enter it, the correction by 2 u of itself. The bound is twice the largest deviation of any
//! node in any of four such runs.

use glam::DVec3;

use super::noise::{Noise, ROUNDINGS, largest_deviation};
use super::{Load, U};
use crate::reference::multigrid::Cycle;
use crate::reference::newton_multigrid::{Options, levels, momentum};
use crate::reference::objective::Objective;
use crate::reference::{Forces, State64, local_global};

/// Largest error of any free node's position \[m\] after a substep of `h` \[s\] from `state`.
pub fn position_bound(forces: &Forces<'_>, h: f64, state: &State64, loads: &[Load]) -> f64 {
    let hierarchy = levels(forces.model, forces.settings);
    let options = Options::on_gpu(forces.model, &hierarchy, forces.settings);
    let objective = Objective::of_step(forces, h, state);
    let start = local_global::start(forces, &objective, h, state);
    let run = |noise: &mut Noise| {
        let disturb_iterate = |x: &mut [DVec3], noise: &mut Noise| {
            for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
                *x += noise.vector(U * (x.length() + state.position[i].length()));
            }
        };
        let mut x = start.clone();
        disturb_iterate(&mut x, noise);
        let mut before = x.clone();
        for k in 0..options.iterations {
            let beta = momentum(k);
            let z: Vec<DVec3> = x.iter().zip(&before).map(|(x, b)| *x + beta * (*x - *b)).collect();
            let mut gradient = objective.gradient(&z);
            for (i, g) in gradient.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
                let held = forces.mass(i) / (h * h) * (z[i].length() + objective.target()[i].length());
                *g += noise.vector(ROUNDINGS * U * (loads[i].force + held));
            }
            let mut e = options.correction(&Cycle::new(&objective, &hierarchy, &z, options.cycle), &gradient);
            let most = e.iter().map(|e| e.length()).fold(0.0, f64::max);
            for (_, e) in e.iter_mut().enumerate().filter(|(i, _)| forces.is_free(*i)) {
                *e += noise.vector(ROUNDINGS * U * most);
            }
            before = std::mem::replace(&mut x, z.iter().zip(&e).map(|(z, e)| *z - *e).collect());
            disturb_iterate(&mut x, noise);
        }
        x
    };
    largest_deviation(run)
}
