//! Forces that are constant in a substep.

use glam::DVec3;
use taffeta::State;
use taffeta::reference::contact::pair::Touch;
use taffeta::reference::contact::search::Slot;

use super::{Fabric, Reference, across};

/// What friction takes of a slip in a substep, and what of that its spring keeps \[1\].
const AT_ONCE: f64 = 0.5;
const STORED: f64 = 0.5;

/// What a pair does that is a force alone.
struct Push {
    touch: Touch,
    /// Along its normal \[N\].
    normal: f64,
    friction: DVec3,
    /// What friction's spring keeps \[N\].
    kept: DVec3,
    divisor: f64,
}

impl Reference<'_> {
    /// Force and friction of each pair that is a force alone: a spring that has kept a force, and a dashpot, no more than the limit
    /// together.
    fn pushes(&self, slots: &[Slot]) -> Vec<Push> {
        let touches = self.touches(slots);
        let limit_of = |(slot, touch): (&Slot, &Touch)| {
            let fabric = self.between(slot.vertex, slot.corners[0]);
            // Pairs of a linear system, which count for bounds, may pull.
            fabric.friction * fabric.stiffness * (fabric.thickness - touch.distance).abs()
        };
        let limits: Vec<f64> = slots.iter().zip(&touches).map(limit_of).collect();
        let stops = self.spread(&touches, &limits);
        let push = |p: usize| {
            let (slot, touch, limit) = (&slots[p], touches[p], limits[p]);
            let Fabric { stiffness, thickness, stopped, .. } = self.between(slot.vertex, slot.corners[0]);
            let slip = across(self.h * touch.of(&self.v), touch.normal);
            let before = across(self.kept.get(&slot.vertex).copied().unwrap_or_default(), touch.normal);
            let drag = AT_ONCE * limit / (stopped * stops[p]);
            let friction = before - drag * slip;
            Push {
                touch,
                normal: stiffness * (thickness - touch.distance),
                friction: friction.clamp_length_max(limit),
                kept: (before - STORED * drag * slip).clamp_length_max(limit),
                // A slip changes friction by its part of the limit over this.
                divisor: friction.length().max(limit) / drag,
            }
        };
        (0..slots.len()).map(push).collect()
    }

    /// Where the next substep begins, at `state`: what the pairs of this one keep.
    pub fn after_forces(&self, slots: &[Slot], state: &State) -> Self {
        let mut next = self.at(state);
        for (slot, push) in slots.iter().zip(self.pushes(slots)) {
            let before = next.kept.insert(slot.vertex, push.kept);
            assert!(before.is_none());
        }
        next
    }

    /// What the pairs add to the velocity of each node [m/s], and how far rounding may lead from it.
    pub fn change(&self, slots: &[Slot]) -> Vec<(DVec3, f64)> {
        let largest = |v: &[DVec3]| v.iter().map(|v| v.length()).fold(0.0, f64::max);
        let (size, speed) = (largest(&self.x), largest(&self.v));
        let rounding = f64::from(f32::EPSILON);
        let mut sums = vec![(DVec3::ZERO, 0.0); self.x.len()];
        for (slot, push) in slots.iter().zip(self.pushes(slots)) {
            let Fabric { stiffness, friction, spacing, .. } = self.between(slot.vertex, slot.corners[0]);
            let touch = push.touch;
            let all = push.normal * touch.normal + push.friction;
            // Positions are rounded to parts of their size: weights and directions to parts of that over the spacing.
            let turned = 16.0 * rounding * size / spacing;
            let normal_error =
                stiffness * 16.0 * rounding * size + push.normal.abs() * (turned + 4.0 * rounding);
            let slip_error = self.h * 2.0 * speed * (turned + 4.0 * rounding);
            let limit = friction * push.normal.abs();
            let friction_error = friction * normal_error + limit * (2.0 * slip_error / push.divisor + turned);
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
