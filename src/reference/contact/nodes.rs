//! Pairs as methods see them that look at one node at a time.

use glam::{DMat3, DVec3};

use super::{Active, Contacts};

/// What pairs are at an iterate.
#[derive(Clone, Debug, Default)]
pub struct AtNodes {
    /// The force on each node \[N\].
    pub force: Vec<DVec3>,
    /// Of each node a block such that w w^T S, the sum over all pairs, is less than twice the diagonal of them [N/m]: sum |w_i| S, S half the
    /// sum of |w|.
    pub block: Vec<DMat3>,
    active: Vec<Active>,
}

impl AtNodes {
    /// Those of iteration `iteration` at `z` \[m\]; nothing without contact.
    pub fn of(contacts: Option<&Contacts>, iteration: usize, z: &[DVec3]) -> Self {
        let (mut force, mut block) = (vec![DVec3::ZERO; z.len()], vec![DMat3::ZERO; z.len()]);
        let active = contacts.map(|contacts| Contacts { iteration, ..contacts.clone() }.active(z));
        let active = active.unwrap_or_default();
        for pair in &active {
            let half = 0.5 * pair.touch.weights.iter().map(|w| w.abs()).sum::<f64>();
            for (i, w) in pair.touch.nodes.into_iter().zip(pair.touch.weights) {
                force[i] -= w * pair.pull();
                block[i] += pair.stiffness() * (half * w.abs());
            }
        }
        Self { force, block, active }
    }

    /// Adds the product of the pairs' matrix with `u` \[m\] to `product` \[N\].
    pub fn add_product(&self, u: &[DVec3], product: &mut [DVec3]) {
        for pair in &self.active {
            let pull = pair.stiffness() * pair.touch.of(u);
            for (i, w) in pair.touch.nodes.into_iter().zip(pair.touch.weights) {
                product[i] += w * pull;
            }
        }
    }
}
