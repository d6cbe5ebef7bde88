//! What pairs keep from one substep to the next.

use std::mem::discriminant;

use glam::DVec3;

use super::search::Kind;
use super::{Active, Contacts, Slot, Surface, friction, search, stiffness};

/// What a pair keeps for the next substep.
#[derive(Clone, Copy, Debug)]
struct Kept {
    slot: Slot,
    slip: DVec3,
    load: f64,
}

/// What all pairs keep from one substep to the next.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    kept: Vec<Kept>,
    /// All pairs of the substep, touching or not.
    pub slots: Vec<Slot>,
}

impl Memory {
    /// What `contacts` keep that end at `z` \[m\] after a substep.
    pub fn after(contacts: &Contacts, z: &[DVec3]) -> Self {
        let keep = |active: Active| {
            let (slot, law) = (contacts.slots[active.slot], &contacts.laws[active.slot]);
            let slip = friction::kept(active.slip, law.friction * active.force, law.stiffness);
            let force = active.force.min(law.stiffness * law.thickness);
            Kept { slot, slip, load: stiffness::next_load(contacts.loads[active.slot], force) }
        };
        let repels = contacts.active(z).into_iter().filter(|active| active.force > 0.0);
        Self { kept: repels.map(keep).collect(), slots: contacts.slots.clone() }
    }

    /// The slip \[m\] and the load \[N\] that each of the pairs has kept: those of a pair of the same vertex and layer, if no other
    /// one now has a triangle that is nearer at rest to that of the pair before.
    pub fn of(&self, surface: &Surface, slots: &[Slot]) -> Vec<(DVec3, f64)> {
        let middle = |slot: &Slot| {
            // Of edges the first end counts twice: any weights would do.
            let [a, b, c] = slot.corners;
            let third = if slot.kind == Kind::Edges { a } else { c };
            [a, b, third].into_iter().map(|i| surface.rest[i]).sum::<DVec3>() / 3.0
        };
        // Whether the same edge has the pair at its other end.
        let is_turned = |now: &Slot, before: &Slot| {
            now.kind == Kind::Edges
                && before.kind == Kind::Edges
                && (now.vertex, now.corners[2]) == (before.corners[2], before.vertex)
        };
        let mut found = vec![(f64::INFINITY, (DVec3::ZERO, 0.0)); slots.len()];
        for kept in &self.kept {
            let now = slots.iter().enumerate().filter(|(_, slot)| {
                (slot.vertex == kept.slot.vertex || is_turned(slot, &kept.slot))
                    && discriminant(&slot.kind) == discriminant(&kept.slot.kind)
                    && search::is_same_layer(surface, kept.slot.other_side(), slot.other_side())
            });
            // Of the own edges it is the distance of their other ends.
            let moved_on = |slot: &Slot| match slot.kind {
                Kind::Edges if is_turned(slot, &kept.slot) => 0.0,
                Kind::Edges => surface.rest[slot.corners[2]].distance(surface.rest[kept.slot.corners[2]]),
                _ => 0.0,
            };
            let apart =
                now.map(|(s, slot)| (3.0 * middle(slot).distance(middle(&kept.slot)), moved_on(slot), s));
            let apart = apart.map(|(other, own, s)| (other.hypot(own), s));
            if let Some((apart, s)) = apart.min_by(|a, b| a.0.total_cmp(&b.0))
                && apart < found[s].0
            {
                found[s] = (apart, (kept.slip, kept.load));
            }
        }
        found.into_iter().map(|(_, kept)| kept).collect()
    }
}
