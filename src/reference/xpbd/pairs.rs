//! Pairs in touch as constraints of xpbd: all at once from the same x,
//!
//! ```text
//! d lambda = (F - lambda) / (1 + S sum_i |w_i| W_i K_i / e),   K_i = sum over pairs of |w_i| e
//! lambda += d lambda,   x_i += Gamma_i^-1 w_i d lambda
//! ```
//!
//! along n and across it; of a pair that has opened F pulls by the gap; F the pair's force at x, S its stiffness there and e that along n. Of lambda counts what pushes along n, and across n
//! mu times that at most.

use glam::{DMat3, DVec3};

use crate::reference::contact::Contacts;

/// Visits in an iteration.
pub const VISITS: u32 = 2;

/// The pairs of a substep.
pub struct Pairs<'a> {
    contacts: &'a Contacts,
    /// W of each node [m/N].
    weights: Vec<f64>,
    /// \[N\].
    lambda: Vec<DVec3>,
    /// e where each touched last [N/m].
    slopes: Vec<f64>,
}

impl<'a> Pairs<'a> {
    /// With lambda = 0; `weights`: W of each node [m/N].
    pub fn new(contacts: &'a Contacts, weights: Vec<f64>) -> Self {
        Self {
            contacts,
            weights,
            lambda: vec![DVec3::ZERO; contacts.slots.len()],
            slopes: vec![0.0; contacts.slots.len()],
        }
    }

    /// A visit of all pairs, the first one with number 0; `inverse` are Gamma^-1 [m/N].
    pub fn relax(&mut self, visit: usize, inverse: &[DMat3], x: &mut [DVec3]) {
        let active = Contacts { iteration: visit, foresees_load: false, ..self.contacts.clone() }.active(x);
        let mut loads = vec![0.0; x.len()];
        for pair in &active {
            for (i, w) in pair.touch.nodes.into_iter().zip(pair.touch.weights) {
                loads[i] += w.abs() * pair.slope;
            }
        }
        let begin = x.to_vec();
        for (s, lambda) in self.lambda.iter_mut().enumerate() {
            let touch = self.contacts.touch(s, &begin);
            let nodes = || touch.nodes.into_iter().zip(touch.weights);
            let yielded: f64 = nodes().map(|(i, w)| w.abs() * self.weights[i] * loads[i]).sum();
            let pair = active.iter().find(|pair| pair.slot == s);
            let gap = (touch.distance - self.contacts.laws[s].thickness).max(0.0);
            // A pair that has opened pulls by the gap with the stiffness that it had, which K does not have.
            let slope = self.slopes[s];
            let (force, across, own) = match pair {
                Some(pair) => (-pair.pull(), pair.friction / pair.slope, 0.0),
                None => {
                    let own: f64 = nodes().map(|(i, w)| w * w * self.weights[i]).sum();
                    (-slope * gap * touch.normal, 1.0, slope * own)
                }
            };
            self.slopes[s] = pair.map_or(slope, |pair| pair.slope);
            let left = force - *lambda;
            let along = left.dot(touch.normal) * touch.normal;
            let all = yielded + own;
            let free = *lambda + along / (1.0 + all) + (left - along) / (1.0 + across * all);
            let push = free.dot(touch.normal).max(0.0);
            let rub = free - free.dot(touch.normal) * touch.normal;
            let limited = push * touch.normal + rub.clamp_length_max(self.contacts.laws[s].friction * push);
            let change = limited - *lambda;
            *lambda = limited;
            nodes().for_each(|(i, w)| x[i] += w * (inverse[i] * change));
        }
    }
}
