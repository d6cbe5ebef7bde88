//! Patches that represent a network.

use glam::Vec3;

use crate::hierarchy::graph::Graph;
use crate::hierarchy::part::{Part, first_spring};
use crate::model::Model;

/// Most patches of a model, and most nodes of one.
const PATCHES: usize = 3;
const MOST: usize = 1000;
/// Fewer nodes are solved exactly.
const FEW: usize = 30;

/// Nodes that springs join, and the springs between them.
#[derive(Default)]
pub struct Patch {
    /// Rest positions \[m\].
    pub position: Vec<Vec3>,
    /// Masses \[kg\].
    pub mass: Vec<f64>,
    /// Whether each node is pinned.
    pub pinned: Vec<bool>,
    /// The two nodes of each spring.
    pub springs: Vec<[u32; 2]>,
    /// Their stiffnesses [N/m].
    pub stiffness: Vec<f64>,
}

impl Patch {
    /// What levels are made from.
    pub fn part(&self) -> Part<'_> {
        Part {
            rest_position: &self.position,
            pinned: &self.pinned,
            springs: self.springs.clone(),
            bending: None,
        }
    }
}

/// Patches about nodes that are spread evenly over the numbers of those that belong to no rectangular cloth. Of a batch
/// the first copy stands for all.
pub fn of(model: &Model) -> Vec<Patch> {
    let count = model.nodes_per_copy();
    let others = model.bodies().iter().filter(|body| !body.is_grid && (body.nodes.end as usize) <= count);
    let nodes: Vec<u32> = others.flat_map(|body| body.nodes.clone()).collect();
    if nodes.len() < FEW {
        return Vec::new();
    }
    let springs = &model.springs()[..first_spring(model, 1)];
    let ends: Vec<[u32; 2]> = springs.iter().map(|s| s.nodes).collect();
    let live: Vec<bool> = springs.iter().map(|s| s.stiffness > 0.0).collect();
    let (position, pinned) = (&model.rest_position()[..count], &model.pinned()[..count]);
    let graph = Graph::new(position, pinned, &ends, &live);
    // Of each node its number in the patch that it belongs to, and which that is.
    let mut place = vec![(u32::MAX, 0); count];
    let mut patches = Vec::new();
    for k in 0..PATCHES {
        let first = nodes[(2 * k + 1) * nodes.len() / (2 * PATCHES)];
        let free = |i: &&u32| !pinned[**i as usize] && place[**i as usize].0 == u32::MAX;
        let Some(&first) = nodes[nodes.partition_point(|i| *i < first)..].iter().find(free) else { continue };
        let mut members = vec![first];
        place[first as usize] = (0, k);
        let mut next = 0;
        while next < members.len() && members.len() < MOST {
            for link in graph.links(members[next] as usize).iter().filter(|link| link.live) {
                let j = link.node as usize;
                if place[j].0 == u32::MAX {
                    place[j] = (0, k);
                    members.push(link.node);
                }
            }
            next += 1;
        }
        members.sort_unstable();
        members.iter().zip(0..).for_each(|(i, number)| place[*i as usize].0 = number);
        if members.len() < FEW {
            continue;
        }
        let mut patch = Patch::default();
        for &i in &members {
            let i = i as usize;
            patch.position.push(position[i]);
            patch.mass.push(model.mass()[i].into());
            patch.pinned.push(pinned[i]);
            for link in graph.links(i).iter().filter(|link| link.live && link.node as usize > i) {
                let (other, of) = place[link.node as usize];
                if of == k && other != u32::MAX {
                    patch.springs.push([place[i].0, other]);
                    patch.stiffness.push(springs[link.spring as usize].stiffness.into());
                }
            }
        }
        patch.bound_stiffness();
        patches.push(patch);
    }
    patches
}

impl Patch {
    /// Takes inextensible springs for as stiff as the stiffest of the others.
    fn bound_stiffness(&mut self) {
        let stiffest = self.stiffness.iter().copied().filter(|k| k.is_finite()).fold(0.0, f64::max);
        let most = if stiffest > 0.0 { stiffest } else { 1.0 };
        self.stiffness.iter_mut().for_each(|k| *k = k.min(most));
    }
}
