//! The motion of what touches as rigid bodies.
//!
//! A few iterations leave an error in the motion of pieces that press on each other as a whole. Springs and pairs do not resist it, so
//! the least of the objective over t and w, x_i + t + w x r_i, is that of the terms of single nodes:
//!
//! ```text
//! sum_i J_i^T Gamma_i (x_i - y_i + J_i q) = 0,   J_i = (I, -[r_i]),   q = (t, w)
//! ```
//!
//! for small w. With inertia alone the sums are those of linear and angular momentum. What hangs on a pin does not move so.

use glam::{DMat3, DVec3};

use super::Contacts;
use crate::reference::objective::Objective;

/// The positions \[m\] after that motion of `x`, whose clusters are the pieces that springs join, and pairs that touch or that inertia
/// would close ([`Contacts::active`]).
pub fn settled(objective: &Objective<'_>, contacts: &Contacts, x: &[DVec3]) -> Vec<DVec3> {
    let model = objective.model();
    let mut clusters: Vec<usize> = (0..x.len()).collect();
    let springs = model.springs().iter().map(|s| s.nodes.map(|i| i as usize).to_vec());
    let pairs = contacts.active(x).into_iter().map(|active| active.touch.nodes.to_vec());
    let edges: Vec<Vec<usize>> = springs.chain(pairs).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for nodes in &edges {
            let least = nodes.iter().map(|&i| clusters[i]).min().unwrap_or(0);
            is_changed |= nodes.iter().any(|&i| clusters[i] != least);
            nodes.iter().for_each(|&i| clusters[i] = least);
        }
    }
    let mut end = x.to_vec();
    for cluster in 0..x.len() {
        let nodes: Vec<usize> = (0..x.len()).filter(|&i| clusters[i] == cluster).collect();
        if nodes.is_empty() || nodes.iter().any(|&i| model.pinned()[i]) {
            continue;
        }
        let center = nodes.iter().map(|&i| x[i]).sum::<DVec3>() / nodes.len() as f64;
        let q = least(objective, x, &nodes, center);
        nodes.iter().for_each(|&i| end[i] += q[0] + q[1].cross(x[i] - center));
    }
    end
}

/// t \[m\] and w \[1\] around `center` \[m\].
fn least(objective: &Objective<'_>, x: &[DVec3], nodes: &[usize], center: DVec3) -> [DVec3; 2] {
    let mut rows = [[0.0; 7]; 6];
    for &i in nodes {
        let gamma: DMat3 = objective.gamma()[i];
        let pulled = gamma * (objective.target()[i] - x[i]);
        let columns: [DVec3; 6] = [0, 1, 2, 3, 4, 5].map(|k| match k {
            0..3 => DVec3::AXES[k],
            _ => DVec3::AXES[k - 3].cross(x[i] - center),
        });
        for (row, a) in rows.iter_mut().zip(columns) {
            row.iter_mut().zip(columns).for_each(|(element, b)| *element += a.dot(gamma * b));
            row[6] += a.dot(pulled);
        }
    }
    // By elimination.
    let whole = [0, 1, 2, 3, 4, 5].map(|k: usize| rows[k][k]);
    for k in 0..6 {
        let pivot = rows[k];
        // There is no such motion, as of a straight rope around itself.
        if pivot[k] <= 1e-9 * whole[k] {
            continue;
        }
        for row in rows.iter_mut().enumerate().filter(|(i, _)| *i != k).map(|(_, row)| row) {
            let part = row[k] / pivot[k];
            row.iter_mut().zip(pivot).for_each(|(a, b)| *a -= part * b);
        }
    }
    let part = |k: usize| if rows[k][k] > 1e-9 * whole[k] { rows[k][6] / rows[k][k] } else { 0.0 };
    let q = [0, 1, 2, 3, 4, 5].map(part);
    [DVec3::new(q[0], q[1], q[2]), DVec3::new(q[3], q[4], q[5])]
}
