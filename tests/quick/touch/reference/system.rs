//! Pairs in the matrix of a linear system.

use glam::DVec3;
use taffeta::reference::Forces;
use taffeta::reference::contact::pair::Touch;
use taffeta::reference::contact::search::Slot;
use taffeta::reference::implicit_euler::Linearized;
use taffeta::settings::SolverKind;
use taffeta::state::State64;
use taffeta::{Settings, State};

use super::{Fabric, Reference, across};

/// How far a pair that touches may part ahead and still be in a linear system, as a part of its thickness.
const PARTED: f64 = 1.1;
/// What the newest substep counts of what a guess lacks.
const GROWTH: f64 = 0.3;

/// A pair in the matrix of a linear system.
struct Coupled {
    touch: Touch,
    /// Along the normal and along the surface [N/m].
    stiffness: [f64; 2],
    /// At the start, in the direction of the normal \[N\].
    force: f64,
    /// Friction at no slip, of a pair that sticks \[N\].
    kept: DVec3,
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

impl<'a> Reference<'a> {
    /// How far a pair has still to part ahead until it is in no linear system \[m\]; `None` where it does not touch at the start.
    pub(super) fn until_parted(&self, slot: &Slot) -> Option<f64> {
        let more = (PARTED - 1.0) * self.between(slot.vertex, slot.corners[0]).thickness;
        (self.overlap_at(&self.x, slot) > 0.0).then(|| self.overlap(slot) + more)
    }

    /// All pairs of a linear system; `None` where rounding may decide.
    pub fn in_a_system(&self) -> Option<Vec<Slot>> {
        let overlaps = |slot: &Slot| self.overlap(slot) > 0.0 && self.overlap_at(&self.coasting, slot) > 0.0;
        let acts = |slot: &Slot| overlaps(slot) || self.until_parted(slot).is_some_and(|left| left > 0.0);
        Some(self.all_slots()?.into_iter().filter(acts).collect())
    }

    /// That of the next substep, which begins at `state`.
    pub fn after(&self, slots: &[Slot], state: &State) -> Self {
        let mut next = self.at(state);
        for (slot, (pair, guess)) in slots.iter().zip(self.coupled(slots)) {
            let force = pair.stiffness[0] * self.overlap_at(&next.x, slot);
            let lack = self.lack.get(&slot.vertex).unwrap_or(&0.0);
            let before = next.lack.insert(slot.vertex, lack + GROWTH * (force - guess - lack));
            assert!(before.is_none());
            let slip = across(self.h * pair.touch.of(&next.v), pair.touch.normal);
            next.kept.insert(slot.vertex, pair.kept - pair.stiffness[1] * slip);
        }
        next
    }

    /// The pairs of a substep of implicit Euler, and what is guessed of the normal force of each \[N\].
    fn coupled(&self, slots: &[Slot]) -> Vec<(Coupled, f64)> {
        let touches = self.touches(slots);
        let fabrics: Vec<Fabric> =
            slots.iter().map(|slot| self.between(slot.vertex, slot.corners[0])).collect();
        let stiffness: Vec<f64> = fabrics.iter().map(|fabric| fabric.stiffness).collect();
        let forces: Vec<f64> = fabrics
            .iter()
            .zip(&touches)
            .map(|(fabric, touch)| fabric.stiffness * (fabric.thickness - touch.distance))
            .collect();
        let yielded = self.spread(&touches, &stiffness);
        let guesses: Vec<f64> = forces.iter().zip(yielded).map(|(force, y)| force / (1.0 + y)).collect();
        let limit_of = |((slot, fabric), guess): ((&Slot, &Fabric), &f64)| {
            fabric.friction * (guess + self.lack.get(&slot.vertex).unwrap_or(&0.0)).max(0.0)
        };
        let limits: Vec<f64> = slots.iter().zip(&fabrics).zip(&guesses).map(limit_of).collect();
        let stops = self.spread(&touches, &limits);
        let coupled = |p: usize| {
            let touch = touches[p];
            let moves = |to: &[DVec3]| touch.of(to) - touch.of(&self.x);
            let [slip, alone] =
                [&self.coasting, &self.ahead].map(|to| across(moves(to), touch.normal).length());
            let least = (5e-5 * self.h).max(1e-7);
            let expected = slip.max(alone - fabrics[p].stopped * stops[p]);
            let mut kept = DVec3::ZERO;
            if expected <= least {
                let before = self.kept.get(&slots[p].vertex).copied().unwrap_or_default();
                kept = across(before, touch.normal).clamp_length_max(limits[p]);
            }
            // What sticks has the rest of the limit at the least slip, and some of it at any rate.
            let held = (limits[p] - kept.length()).max(0.05 * limits[p]) / expected.max(least);
            (Coupled { touch, stiffness: [stiffness[p], held], force: forces[p], kept }, guesses[p])
        };
        (0..slots.len()).map(coupled).collect()
    }

    /// What pairs add to the velocities of a substep with pairs in its linear system [m/s].
    pub fn implicit_change(&self, settings: &Settings, slots: &[Slot]) -> Vec<DVec3> {
        let forces = Forces::of(self.model, settings);
        let state = State64 { position: self.x.clone(), velocity: self.v.clone(), time: 0.0 };
        // And from where it counts displacements.
        let (system, from) = match settings.solver {
            SolverKind::SoftConstraint => (self.averaged(&forces, &state), &self.ahead),
            _ => {
                let system = Linearized::new(&forces, self.h, &state);
                let b = system.b.clone();
                let product = Box::new(move |u: &[DVec3]| system.product(u)) as Product;
                ((b, product), &self.coasting)
            }
        };
        let moved: Vec<DVec3> = from.iter().zip(&self.x).map(|(to, x)| *to - *x).collect();
        let less: Vec<DVec3> = from.iter().zip(&self.ahead).map(|(from, ahead)| *from - *ahead).collect();
        let held = |mut of: Vec<DVec3>| {
            of.iter_mut()
                .enumerate()
                .filter(|(i, _)| !self.is_free(*i))
                .for_each(|(_, of)| *of = DVec3::ZERO);
            of
        };
        let pairs: Vec<Coupled> = self.coupled(slots).into_iter().map(|(pair, _)| pair).collect();
        let solved = |pairs: &[Coupled]| {
            let mut b = system.0.clone();
            for pair in pairs {
                let normal = pair.touch.normal;
                let pressed = pair.times(&less).dot(normal) * normal;
                let slipped = across(pair.times(&moved), normal);
                pair.add(pair.force * normal + pair.kept - pressed - slipped, &mut b);
            }
            solve(held(b), |u| {
                let mut product = system.1(u);
                pairs.iter().for_each(|pair| pair.add(pair.times(u), &mut product));
                held(product)
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
