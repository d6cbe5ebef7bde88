//! Soft contact in f64: the pairs, for which all triangles are looked at, and what decides over them. `forces.rs` and `system.rs` have what they do.

mod forces;
mod system;

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use taffeta::State;
use taffeta::method::contact;
use taffeta::model::Model;
use taffeta::reference::contact::pair::{Touch, closest, projected};
use taffeta::reference::contact::search::{self, Kind, Slot};
use taffeta::reference::contact::{Skin, Surface};

/// A distance that rounding may decide about \[m\].
const UNSURE: f64 = 1e-6;
/// Down to minus this weight a node may be above a triangle, if it was before \[1\].
const BORDER: f64 = 0.01;

/// What a pair of bodies is like: thickness \[m\], stiffness [N/m], friction \[1\], spacing \[m\].
#[derive(Clone, Copy)]
pub struct Fabric {
    pub thickness: f64,
    pub stiffness: f64,
    pub friction: f64,
    pub spacing: f64,
    /// A factor on the slip that friction takes \[1\].
    pub stopped: f64,
}

pub struct Reference<'a> {
    pub model: &'a Model,
    rest: Vec<DVec3>,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    /// x + h v \[m\].
    coasting: Vec<DVec3>,
    /// The same with what outer forces add \[m\].
    ahead: Vec<DVec3>,
    /// [m/s^2].
    gravity: DVec3,
    h: f64,
    body: Vec<usize>,
    pub fabrics: Vec<Fabric>,
    /// The part of their thickness that pairs keep \[1\].
    pub part_kept: f64,
    /// What the guess of the normal force lacked lately of the pair of each node in a linear system \[N\]: there is one at most.
    pub lack: HashMap<usize, f64>,
    /// Friction that the pair of each node has kept of the substep before, on the node's side \[N\]: there is one at most.
    pub kept: HashMap<usize, DVec3>,
}

impl<'a> Reference<'a> {
    pub fn new(model: &'a Model, h: f64) -> Self {
        let wide = |v: &[Vec3]| -> Vec<DVec3> { v.iter().map(|v| v.as_dvec3()).collect() };
        let state = model.initial_state();
        let (x, v, rest) = (wide(&state.position), wide(&state.velocity), wide(model.rest_position()));
        let mut body = vec![0; x.len()];
        let mut fabrics = Vec::new();
        for (index, (range, k)) in model.bodies().iter().zip(contact::stiffness(model)).enumerate() {
            body[range.nodes.start as usize..range.nodes.end as usize].fill(index);
            let triangles = &model.triangles()[range.triangles.clone()];
            let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            let mut lengths: Vec<f64> =
                edges.map(|e| rest[e[0] as usize].distance(rest[e[1] as usize])).collect();
            lengths.sort_by(f64::total_cmp);
            fabrics.push(Fabric {
                thickness: range.layer.thickness.unwrap().into(),
                stiffness: k.into(),
                friction: range.layer.friction.into(),
                spacing: lengths[lengths.len() / 2],
                stopped: 1.0,
            });
        }
        let (coasting, ahead) = Default::default();
        let (lack, kept, gravity) = Default::default();
        let part_kept = 1.0;
        let mut this =
            Self { model, rest, x, v, coasting, ahead, gravity, h, body, fabrics, part_kept, lack, kept };
        this.look_ahead();
        this
    }

    /// The same where nodes that are free fall.
    pub fn falling(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity.as_dvec3();
        self.look_ahead();
        self
    }

    fn is_free(&self, i: usize) -> bool {
        self.model.inverse_mass(i) > 0.0
    }

    fn look_ahead(&mut self) {
        self.coasting = self.x.iter().zip(&self.v).map(|(x, v)| *x + self.h * *v).collect();
        let fallen = |i: usize| if self.is_free(i) { self.h * self.h * self.gravity } else { DVec3::ZERO };
        self.ahead = self.coasting.iter().enumerate().map(|(i, x)| *x + fallen(i)).collect();
    }

    fn between(&self, i: usize, j: usize) -> Fabric {
        let [a, b] = [i, j].map(|i| self.fabrics[self.body[i]]);
        Fabric {
            thickness: 0.5 * self.part_kept * (a.thickness + b.thickness),
            stiffness: 2.0 * a.stiffness * b.stiffness / (a.stiffness + b.stiffness),
            friction: (a.friction * b.friction).sqrt(),
            spacing: a.spacing.max(b.spacing),
            stopped: a.stopped,
        }
    }

    fn distance(&self, x: &[DVec3], v: usize, corners: [usize; 3]) -> f64 {
        let [p, q, r] = closest(x[v], corners.map(|i| x[i]));
        let [a, b, c] = corners.map(|i| x[i]);
        x[v].distance(p * a + q * b + r * c)
    }

    fn is_same_layer(&self, one: [usize; 3], other: [usize; 3]) -> bool {
        let layer = 3.1 * self.fabrics[self.body[one[0]]].spacing;
        let near = |i: usize, j: usize| self.rest[i].distance(self.rest[j]) < layer;
        self.body[one[0]] == self.body[other[0]] && one.iter().any(|&i| other.iter().any(|&j| near(i, j)))
    }

    fn slot(&self, vertex: usize, triangle: usize, corners: [usize; 3]) -> Slot {
        let [a, b, c] = corners.map(|i| self.x[i]);
        let is_above = projected(self.x[vertex], [a, b, c]).iter().all(|w| *w >= 0.0);
        let side = if is_above { (b - a).cross(c - a).dot(self.x[vertex] - a).signum() } else { 0.0 };
        Slot {
            vertex,
            triangle,
            corners,
            side,
            thickness: self.between(vertex, corners[0]).thickness,
            kind: Kind::Triangle,
        }
    }

    /// How deep a pair overlaps ahead \[m\].
    fn overlap(&self, slot: &Slot) -> f64 {
        self.overlap_at(&self.ahead, slot)
    }

    fn overlap_at(&self, x: &[DVec3], slot: &Slot) -> f64 {
        self.between(slot.vertex, slot.corners[0]).thickness - Touch::at(x, slot).distance
    }

    /// The pairs of a node; `None` where rounding may decide about one that touches.
    fn slots(&self, v: usize) -> Option<Vec<Slot>> {
        let mut near = Vec::new();
        for (number, triangle) in self.model.triangles().iter().enumerate() {
            let corners = triangle.map(|i| i as usize);
            if corners.contains(&v) {
                continue;
            }
            let fabric = self.between(v, corners[0]);
            let apart = (1.9 * fabric.spacing).max(1.5 * fabric.thickness);
            let distance = self.distance(&self.x, v, corners);
            let is_own = self.body[v] == self.body[corners[0]];
            let is_near = distance < fabric.thickness + 1.5 * fabric.spacing;
            if is_near && !(is_own && self.distance(&self.rest, v, corners) < apart) {
                near.push((distance, self.slot(v, number, corners)));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut kept: Vec<Slot> = Vec::new();
        for &(distance, slot) in &near {
            if kept.len() == 4 || kept.iter().any(|k| self.is_same_layer(k.corners, slot.corners)) {
                continue;
            }
            let rivals = near.iter().filter(|(d, other)| {
                (d - distance).abs() < UNSURE
                    && other.triangle != slot.triangle
                    && !kept.iter().any(|k| self.is_same_layer(k.corners, other.corners))
            });
            let touches = |slot: &Slot| self.overlap(slot) > -UNSURE;
            let weights = projected(self.x[v], slot.corners.map(|i| self.x[i]));
            let is_unsure =
                rivals.clone().count() > 0 || weights.iter().any(|w| (-BORDER - 1e-4..1e-4).contains(w));
            if is_unsure && (touches(&slot) || rivals.clone().any(|(_, other)| touches(other))) {
                return None;
            }
            let decide = [
                self.overlap(&slot),
                self.overlap_at(&self.coasting, &slot),
                self.overlap_at(&self.x, &slot),
                self.until_parted(&slot).unwrap_or(1.0),
            ];
            if decide.iter().any(|d| d.abs() < UNSURE) {
                return None;
            }
            kept.push(slot);
        }
        Some(kept)
    }

    /// The pairs of all nodes.
    fn all_slots(&self) -> Option<Vec<Slot>> {
        let all: Option<Vec<Vec<Slot>>> = (0..self.x.len()).map(|v| self.slots(v)).collect();
        Some(all?.concat())
    }

    /// All pairs that touch; `None` where rounding may decide.
    pub fn touching(&self) -> Option<Vec<Slot>> {
        Some(self.pushing(&self.all_slots()?))
    }

    /// Those of these pairs that overlap ahead.
    pub fn pushing(&self, slots: &[Slot]) -> Vec<Slot> {
        slots.iter().copied().filter(|slot| self.overlap(slot) > 0.0).collect()
    }

    /// The pair of edges that touches, where nothing else does. They are so sharp that they keep all of their thickness.
    pub fn edges(&self) -> Vec<Slot> {
        let slots = self.edges_that_touch();
        assert!(slots.iter().all(|slot| self.part_of(slot) == 1.0));
        slots
    }

    /// The same where they keep a part of it, which counts from then on.
    pub fn shallow_edges(&mut self) -> Vec<Slot> {
        let slots = self.edges_that_touch();
        self.part_kept = self.part_of(&slots[0]);
        slots
    }

    fn part_of(&self, slot: &Slot) -> f64 {
        slot.thickness / self.between(slot.vertex, slot.corners[0]).thickness
    }

    fn edges_that_touch(&self) -> Vec<Slot> {
        let skin = |f: &Fabric| Skin { thickness: f.thickness, friction: f.friction };
        let surface = Surface::of(self.model, self.fabrics.iter().map(skin).collect());
        let moves: Vec<DVec3> = self.v.iter().map(|v| 2.0 * self.h * *v).collect();
        let slots = search::slots(&surface, &self.x, &moves, &[]).into_iter();
        let touches = |slot: &Slot| Touch::at(&self.ahead, slot).distance < slot.thickness;
        let slots: Vec<Slot> = slots.filter(touches).collect();
        assert!(slots.len() == 1 && slots[0].kind == Kind::Edges, "{slots:?}");
        slots
    }

    /// The pairs ahead.
    fn touches(&self, slots: &[Slot]) -> Vec<Touch> {
        slots.iter().map(|slot| Touch::at(&self.ahead, slot)).collect()
    }

    /// sum_i |w_i| S_i h^2 / m_i of each pair, S_i the sum of |w_i| `amounts` of all pairs at node i.
    fn spread(&self, touches: &[Touch], amounts: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.x.len()];
        for (touch, amount) in touches.iter().zip(amounts) {
            touch.nodes.iter().zip(touch.weights).for_each(|(&i, w)| sums[i] += w.abs() * amount);
        }
        let at = |(&i, w): (&usize, f64)| {
            w.abs() * sums[i] * f64::from(self.model.inverse_mass(i)) * self.h * self.h
        };
        touches.iter().map(|touch| touch.nodes.iter().zip(touch.weights).map(at).sum()).collect()
    }

    /// The same model at another state, of which nothing is kept.
    fn at(&self, state: &State) -> Self {
        let mut next = Self::new(self.model, self.h).falling(self.gravity.as_vec3());
        next.x = state.position.iter().map(|x| x.as_dvec3()).collect();
        next.v = state.velocity.iter().map(|v| v.as_dvec3()).collect();
        next.look_ahead();
        next
    }
}

/// What of v lies across n.
fn across(v: DVec3, n: DVec3) -> DVec3 {
    v - v.dot(n) * n
}
