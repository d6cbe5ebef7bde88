//! Soft contact in f64: forces that are constant in a substep, and in the matrix of a linear system. All triangles are looked at.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use taffeta::method::contact;
use taffeta::model::Model;
use taffeta::reference::Forces;
use taffeta::reference::contact::pair::{Touch, closest, projected};
use taffeta::reference::contact::search::{self, Kind, Slot};
use taffeta::reference::contact::{Skin, Surface};
use taffeta::reference::implicit_euler::Linearized;
use taffeta::settings::SolverKind;
use taffeta::state::State64;
use taffeta::{Settings, State};

/// A distance that rounding may decide about \[m\].
const UNSURE: f64 = 1e-6;

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
    ahead: Vec<DVec3>,
    h: f64,
    body: Vec<usize>,
    pub fabrics: Vec<Fabric>,
    /// What the guess of the normal force lacked lately of the pair of each node in a linear system \[N\]: there is one at most.
    pub lack: HashMap<usize, f64>,
}

/// How far a pair that touches may part ahead and still be in a linear system, as a part of its thickness.
const PARTED: f64 = 1.1;
/// What the newest substep counts of what a guess lacks.
const GROWTH: f64 = 0.3;

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
        let ahead = x.iter().zip(&v).map(|(x, v)| *x + h * *v).collect();
        Self { model, rest, x, v, ahead, h, body, fabrics, lack: HashMap::new() }
    }

    fn between(&self, i: usize, j: usize) -> Fabric {
        let [a, b] = [i, j].map(|i| self.fabrics[self.body[i]]);
        Fabric {
            thickness: 0.5 * (a.thickness + b.thickness),
            stiffness: 2.0 * a.stiffness * b.stiffness / (a.stiffness + b.stiffness),
            friction: (a.friction * b.friction).sqrt(),
            spacing: a.spacing.max(b.spacing),
            stopped: a.stopped,
        }
    }

    fn distance(&self, x: &[DVec3], v: usize, corners: [usize; 3]) -> f64 {
        let [p, q, r] = closest(x[v], corners.map(|i| x[i])).0;
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

    /// How far a pair has still to part ahead until it is in no linear system \[m\]; `None` where it does not touch at the start.
    fn until_parted(&self, slot: &Slot) -> Option<f64> {
        let more = (PARTED - 1.0) * self.between(slot.vertex, slot.corners[0]).thickness;
        (self.overlap_at(&self.x, slot) > 0.0).then(|| self.overlap(slot) + more)
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
            let is_unsure = rivals.clone().count() > 0 || weights.iter().any(|w| w.abs() < 1e-4);
            if is_unsure && (touches(&slot) || rivals.clone().any(|(_, other)| touches(other))) {
                return None;
            }
            let decide = [
                self.overlap(&slot),
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

    /// All pairs that touch; `None` where rounding may decide.
    pub fn touching(&self) -> Option<Vec<Slot>> {
        let all: Option<Vec<Vec<Slot>>> = (0..self.x.len()).map(|v| self.slots(v)).collect();
        Some(self.pushing(&all?.concat()))
    }

    /// All pairs of a linear system without outer forces; `None` where rounding may decide.
    pub fn in_a_system(&self) -> Option<Vec<Slot>> {
        let all: Option<Vec<Vec<Slot>>> = (0..self.x.len()).map(|v| self.slots(v)).collect();
        let acts =
            |slot: &Slot| self.overlap(slot) > 0.0 || self.until_parted(slot).is_some_and(|left| left > 0.0);
        Some(all?.into_iter().flatten().filter(acts).collect())
    }

    /// Those of these pairs that overlap ahead.
    pub fn pushing(&self, slots: &[Slot]) -> Vec<Slot> {
        slots.iter().copied().filter(|slot| self.overlap(slot) > 0.0).collect()
    }

    /// That of the next substep, which begins at `state`.
    pub fn after(&self, slots: &[Slot], state: &State) -> Self {
        let mut next = Self::new(self.model, self.h);
        next.x = state.position.iter().map(|x| x.as_dvec3()).collect();
        next.v = state.velocity.iter().map(|v| v.as_dvec3()).collect();
        next.ahead = next.x.iter().zip(&next.v).map(|(x, v)| *x + self.h * *v).collect();
        for (slot, (pair, guess)) in slots.iter().zip(self.coupled(slots)) {
            let force = pair.stiffness[0] * self.overlap_at(&next.x, slot);
            let lack = self.lack.get(&slot.vertex).unwrap_or(&0.0);
            let before = next.lack.insert(slot.vertex, lack + GROWTH * (force - guess - lack));
            assert!(before.is_none());
        }
        next
    }

    /// The pairs of edges that touch, where nothing else does.
    pub fn edges(&self) -> Vec<Slot> {
        let skin = |f: &Fabric| Skin { thickness: f.thickness, friction: f.friction };
        let surface = Surface::of(self.model, self.fabrics.iter().map(skin).collect());
        let moves: Vec<DVec3> = self.v.iter().map(|v| 2.0 * self.h * *v).collect();
        let slots = search::slots(&surface, &self.x, &moves, &[]).into_iter();
        let slots: Vec<Slot> = slots.filter(|slot| self.overlap(slot) > 0.0).collect();
        assert!(slots.len() == 1 && slots.iter().all(|slot| slot.kind == Kind::Edges));
        slots
    }

    /// The pairs ahead, and sum_i |w_i| K_i / m_i of each [1/s^2], K_i the stiffness of all pairs at node i.
    fn touches(&self, slots: &[Slot]) -> Vec<(Touch, f64)> {
        let touches: Vec<Touch> = slots.iter().map(|slot| Touch::at(&self.ahead, slot)).collect();
        let mut loads = vec![0.0; self.x.len()];
        for (slot, touch) in slots.iter().zip(&touches) {
            for (&i, w) in touch.nodes.iter().zip(touch.weights) {
                loads[i] += w.abs() * self.between(slot.vertex, slot.corners[0]).stiffness;
            }
        }
        let yields = |i: usize| loads[i] * f64::from(self.model.inverse_mass(i));
        let yielded =
            |t: &Touch| -> f64 { t.nodes.iter().zip(t.weights).map(|(&i, w)| w.abs() * yields(i)).sum() };
        touches.into_iter().map(|touch| (touch, yielded(&touch))).collect()
    }

    /// What the pairs add to the velocity of each node [m/s], and how far rounding may lead from it.
    pub fn change(&self, slots: &[Slot]) -> Vec<(DVec3, f64)> {
        let largest = |v: &[DVec3]| v.iter().map(|v| v.length()).fold(0.0, f64::max);
        let (size, speed) = (largest(&self.x), largest(&self.v));
        let rounding = f64::from(f32::EPSILON);
        let mut sums = vec![(DVec3::ZERO, 0.0); self.x.len()];
        for (slot, (touch, yielded)) in slots.iter().zip(self.touches(slots)) {
            let Fabric { stiffness, friction, thickness, spacing, stopped } =
                self.between(slot.vertex, slot.corners[0]);
            let force = stiffness * (thickness - touch.distance);
            let along = self.h * touch.of(&self.v);
            let slip = along - along.dot(touch.normal) * touch.normal;
            let limit = friction * force;
            let divisor =
                slip.length().max(stopped * limit * yielded * self.h * self.h / stiffness).max(1e-6);
            let all = force * touch.normal - limit / divisor * slip;
            // Positions are rounded to parts of their size: weights and directions to parts of that over the spacing.
            let turned = 16.0 * rounding * size / spacing;
            let normal_error = stiffness * 16.0 * rounding * size + force.abs() * (turned + 4.0 * rounding);
            let slip_error = self.h * 2.0 * speed * (turned + 4.0 * rounding);
            let friction_error =
                friction * normal_error + limit.abs() * (2.0 * slip_error / divisor + turned);
            for (&i, w) in touch.nodes.iter().zip(touch.weights) {
                sums[i].0 += w * all;
                sums[i].1 +=
                    w.abs() * (normal_error + friction_error) + (turned + 8.0 * rounding) * all.length();
            }
        }
        let change = |(i, (force, error)): (usize, (DVec3, f64))| {
            let factor = self.h * f64::from(self.model.inverse_mass(i));
            (
                factor * force,
                factor * error
                    + 4.0 * rounding * (self.v[i].length() + factor * force.length() + self.h * 10.0),
            )
        };
        sums.into_iter().enumerate().map(change).collect()
    }
}

/// A pair in the matrix of a linear system.
struct Coupled {
    touch: Touch,
    /// Along the normal and along the surface [N/m].
    stiffness: [f64; 2],
    /// At the start, in the direction of the normal \[N\].
    force: f64,
}

impl Coupled {
    /// The force on the node of a displacement \[m\] of all nodes.
    fn times(&self, u: &[DVec3]) -> DVec3 {
        let ([along, across], normal, u) = (self.stiffness, self.touch.normal, self.touch.of(u));
        across * u + (along - across) * u.dot(normal) * normal
    }

    fn add(&self, force: DVec3, to: &mut [DVec3]) {
        self.touch.nodes.iter().zip(self.touch.weights).for_each(|(&i, w)| to[i] += w * force);
    }
}

impl Reference<'_> {
    /// The pairs of a substep of implicit Euler without outer forces, which begins where all nodes go alone, and what is guessed of the normal
    /// force of each \[N\].
    fn coupled(&self, slots: &[Slot]) -> Vec<(Coupled, f64)> {
        let coupled = |(slot, (touch, yielded)): (&Slot, (Touch, f64))| {
            let Fabric { stiffness, friction, thickness, stopped, .. } =
                self.between(slot.vertex, slot.corners[0]);
            let yielded = self.h * self.h * yielded;
            let force = stiffness * (thickness - touch.distance);
            let along = self.h * touch.of(&self.v);
            let slip = (along - along.dot(touch.normal) * touch.normal).length();
            let guess = force / (1.0 + yielded);
            let limit = friction * (guess + self.lack.get(&slot.vertex).unwrap_or(&0.0)).max(0.0);
            let held = limit / slip.max(slip - stopped * limit * yielded / stiffness).max(1e-6);
            (Coupled { touch, stiffness: [stiffness, held], force }, guess)
        };
        slots.iter().zip(self.touches(slots)).map(coupled).collect()
    }

    /// What pairs add to the velocities of a substep with pairs in its linear system [m/s].
    pub fn implicit_change(&self, settings: &Settings, slots: &[Slot]) -> Vec<DVec3> {
        let forces = Forces::of(self.model, settings);
        let state = State64 { position: self.x.clone(), velocity: self.v.clone(), time: 0.0 };
        let system = match settings.solver {
            SolverKind::SoftConstraint => self.averaged(&forces, &state),
            _ => {
                let system = Linearized::new(&forces, self.h, &state);
                (system.b.clone(), Box::new(move |u: &[DVec3]| system.product(u)) as Product)
            }
        };
        let coasting: Vec<DVec3> = self.v.iter().map(|v| self.h * *v).collect();
        let pairs: Vec<Coupled> = self.coupled(slots).into_iter().map(|(pair, _)| pair).collect();
        let solved = |pairs: &[Coupled]| {
            let mut b = system.0.clone();
            for pair in pairs {
                let rubbed = pair.times(&coasting);
                let along_surface = rubbed - rubbed.dot(pair.touch.normal) * pair.touch.normal;
                pair.add(pair.force * pair.touch.normal - along_surface, &mut b);
            }
            solve(b, |u| {
                let mut product = system.1(u);
                pairs.iter().for_each(|pair| pair.add(pair.times(u), &mut product));
                product
            })
        };
        let [off, on] = [solved(&[]), solved(&pairs)];
        on.iter().zip(off).map(|(on, off)| (*on - off) / self.h).collect()
    }

    /// Right-hand side and matrix of soft constraints where multipliers are eliminated, and not positions: from u = x+ - y,
    /// ```text
    /// (m / h^2 + sum q n n^T) u = -sum (k C + q n . h v) n,   q = k / 2
    /// ```
    fn averaged<'b>(&'b self, forces: &Forces<'b>, state: &State64) -> (Vec<DVec3>, Product<'b>) {
        let springs = self.model.springs().iter().map(|spring| {
            let nodes = spring.nodes.map(|i| i as usize);
            let along = state.position[nodes[0]] - state.position[nodes[1]];
            (
                nodes,
                along.normalize(),
                along.length() - f64::from(spring.rest_length),
                spring.stiffness.into(),
            )
        });
        let springs: Vec<([usize; 2], DVec3, f64, f64)> = springs.collect();
        let mut b = vec![DVec3::ZERO; self.x.len()];
        for &([i, j], n, stretch, k) in &springs {
            let rate = n.dot(state.velocity[i] - state.velocity[j]);
            let pull = k * (stretch + 0.5 * self.h * rate) * n;
            b[i] -= pull;
            b[j] += pull;
        }
        let inertia: Vec<f64> = (0..b.len()).map(|i| forces.mass(i) / (self.h * self.h)).collect();
        let product = move |u: &[DVec3]| {
            let mut product: Vec<DVec3> = inertia.iter().zip(u).map(|(m, u)| *m * *u).collect();
            for &([i, j], n, _, k) in &springs {
                let pull = 0.5 * k * n.dot(u[i] - u[j]) * n;
                product[i] += pull;
                product[j] -= pull;
            }
            product
        };
        (b, Box::new(product))
    }
}

/// A matrix times a vector.
type Product<'a> = Box<dyn Fn(&[DVec3]) -> Vec<DVec3> + 'a>;

/// Conjugate gradients.
fn solve(b: Vec<DVec3>, product: impl Fn(&[DVec3]) -> Vec<DVec3>) -> Vec<DVec3> {
    let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let (mut u, mut r, mut p) = (vec![DVec3::ZERO; b.len()], b.clone(), b);
    let goal = 1e-24 * dot(&r, &r);
    let mut left = dot(&r, &r);
    while left > goal {
        let a = product(&p);
        let step = left / dot(&p, &a);
        u.iter_mut().zip(&p).for_each(|(u, p)| *u += step * *p);
        r.iter_mut().zip(a).for_each(|(r, a)| *r -= step * a);
        let next = dot(&r, &r);
        p.iter_mut().zip(&r).for_each(|(p, r)| *p = *r + next / left * *p);
        left = next;
    }
    u
}
