//! A model with its nodes in another order.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::locality::{BLOCK, touched};
use super::{GIVEN, Order, curve, sorted_by_key};
use crate::model::bending::Bending;
use crate::model::{BodyRange, Load, Model, MovingPin, ScriptedHandle, Spring, made_once};

/// Smaller bodies gain less than a tenth, because more of their nodes fit into the caches in any order.
const WORTHWHILE: usize = 256 * BLOCK as usize;

/// A model in its memory order.
#[derive(Debug)]
pub struct Arranged {
    model: Model,
    order: Order,
}

impl Model {
    /// The model as GPU buffers store it: itself, or a model with the nodes of some bodies in another order
    /// ([`Model::order`]) and their springs and triangles sorted by it. Computed at the first call.
    pub fn in_memory(&self) -> &Model {
        self.arranged().map_or(self, |arranged| &arranged.model)
    }

    /// The order of its nodes in [`Model::in_memory`]. The nodes of a large body are sorted along a curve through their
    /// rest positions if the neighbors of 64 consecutive nodes then lie in less than half as many blocks of 64. Other
    /// bodies, and rectangular cloths, keep their order.
    pub fn order(&self) -> &Order {
        self.arranged().map_or(&GIVEN, |arranged| &arranged.order)
    }

    fn arranged(&self) -> Option<&Arranged> {
        made_once(&self.arranged, || self.arrange().map(Arc::new)).as_deref()
    }

    fn arrange(&self) -> Option<Arranged> {
        // Each body is sorted on its own, so a copy of a batch has the same order as alone.
        let better: Vec<Option<Vec<u32>>> =
            self.bodies.par_iter().map(|body| self.better_order(body)).collect();
        let moved: Vec<bool> = better.iter().map(Option::is_some).collect();
        if !moved.contains(&true) {
            return None;
        }
        let mut nodes: Vec<u32> = (0..self.node_count() as u32).collect();
        for (body, better) in self.bodies.iter().zip(better) {
            if let Some(order) = better {
                nodes[body.nodes.start as usize..body.nodes.end as usize].copy_from_slice(&order);
            }
        }
        let order = Order::new(nodes);
        Some(Arranged { model: self.reordered(&order, &moved), order })
    }

    /// The nodes of a body in an order that is far better than the given one, if there is one. Rectangular cloths keep
    /// their order, as they do alone in the grid form.
    fn better_order(&self, body: &BodyRange) -> Option<Vec<u32>> {
        let (first, count) = (body.nodes.start, body.nodes.len());
        if body.is_grid || count < WORTHWHILE {
            return None;
        }
        let springs = &self.springs[body.springs.clone()];
        let order = curve::along(&self.rest_position[first as usize..][..count]);
        let mut places = vec![0u32; count];
        order.iter().enumerate().for_each(|(place, &node)| places[node as usize] = place as u32);
        let given = touched(springs, count as u32, |node| node - first);
        let along_curve = touched(springs, count as u32, |node| places[(node - first) as usize]);
        (2 * along_curve < given).then(|| order.into_iter().map(|node| node + first).collect())
    }

    /// The model with its nodes in this order, which moves the nodes of some bodies.
    fn reordered(&self, order: &Order, moved: &[bool]) -> Model {
        let place = |node: &u32| order.place(*node);
        let places = |nodes: &[u32]| -> Vec<u32> { nodes.iter().map(place).collect() };
        let of_spring = |s: &Spring| Spring { nodes: s.nodes.map(|n| order.place(n)), ..*s };
        let mut springs: Vec<Spring> = self.springs.par_iter().map(of_spring).collect();
        let mut triangles: Vec<[u32; 3]> =
            self.triangles.par_iter().map(|t| t.map(|n| order.place(n))).collect();
        for (body, _) in self.bodies.iter().zip(moved).filter(|(_, moved)| **moved) {
            sort_by_place(&mut springs[body.springs.clone()], |s| s.nodes[0].min(s.nodes[1]));
            sort_by_place(&mut triangles[body.triangles.clone()], |t| t[0].min(t[1]).min(t[2]));
        }
        let is_moved = |node: Option<u32>| node.is_some_and(|node| moved[self.body_index(node)]);
        let bending = |bending: &Bending| match bending {
            Bending::Mesh(stencils) if is_moved(stencils.first_node()) => {
                Bending::Mesh(stencils.reordered(order))
            }
            bending => bending.clone(),
        };
        Model {
            bodies: self.bodies.clone(),
            rest_position: order.by_place(&self.rest_position).into_owned(),
            mass: order.by_place(&self.mass).into_owned(),
            pinned: order.by_place(&self.pinned).into_owned(),
            springs,
            triangles,
            grid: None,
            copies: self.copies,
            bending: self.bending.iter().map(bending).collect(),
            bending_rows: OnceLock::new(),
            arranged: OnceLock::from(None),
            is_hard: OnceLock::new(),
            moving_pins: (self.moving_pins.iter())
                .map(|pin| MovingPin { nodes: places(&pin.nodes), ..pin.clone() })
                .collect(),
            handles: (self.handles.iter())
                .map(|h| ScriptedHandle {
                    nodes: h.nodes.iter().map(|(node, weight)| (place(node), *weight)).collect(),
                    ..h.clone()
                })
                .collect(),
            loads: (self.loads.iter())
                .map(|load| Load { nodes: places(&load.nodes), ..load.clone() })
                .collect(),
            colliders: self.colliders.clone(),
            initial: order.state_by_place(&self.initial),
        }
    }
}

/// Sorts by `place`, and keeps the order of items in the same place.
fn sort_by_place<T: Copy + Send + Sync>(list: &mut [T], place: impl Fn(&T) -> u32 + Sync) {
    let indices = sorted_by_key(list.len(), |i| place(&list[i]));
    let sorted: Vec<T> = indices.par_iter().map(|&i| list[i as usize]).collect();
    list.copy_from_slice(&sorted);
}
