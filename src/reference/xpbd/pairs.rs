//! Pairs in touch as constraints of xpbd: all at once from the same x,
//!
//! ```text
//! d lambda = (F - lambda) / (1 + S sum_i |w_i| W_i K_i / e),   K_i = sum over pairs of |w_i| e
//! lambda += d lambda,   x_i += Gamma_i^-1 w_i d lambda
//! ```
//!
//! along n and across it, F the pair's force at x, S its stiffness there and e that along n. Of lambda counts what pushes along n, and across n
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
}

impl<'a> Pairs<'a> {
    /// With lambda = 0; `weights`: W of each node [m/N].
    pub fn new(contacts: &'a Contacts, weights: Vec<f64>) -> Self {
        Self { contacts, weights, lambda: vec![DVec3::ZERO; contacts.slots.len()] }
    }

    /// A visit of all pairs, the first one with number 0; `inverse` are Gamma^-1 [m/N].
    pub fn relax(&mut self, visit: usize, inverse: &[DMat3], x: &mut [DVec3]) {
        let active = Contacts { iteration: visit, ..self.contacts.clone() }.active(x);
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
            let (force, across) =
                pair.map_or((DVec3::ZERO, 1.0), |pair| (-pair.pull(), pair.friction / pair.slope));
            let left = force - *lambda;
            let along = left.dot(touch.normal) * touch.normal;
            let free = *lambda + along / (1.0 + yielded) + (left - along) / (1.0 + across * yielded);
            let push = free.dot(touch.normal).max(0.0);
            let rub = free - free.dot(touch.normal) * touch.normal;
            let limited = push * touch.normal + rub.clamp_length_max(self.contacts.laws[s].friction * push);
            let change = limited - *lambda;
            *lambda = limited;
            nodes().for_each(|(i, w)| x[i] += w * (inverse[i] * change));
        }
    }
}
