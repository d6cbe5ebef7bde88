//! What pairs keep from one substep to the next.

use glam::DVec3;

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
}

impl Memory {
    /// What `contacts` keep that end at `z` \[m\] after a substep that began with this memory.
    pub fn after(&self, surface: &Surface, contacts: &Contacts, z: &[DVec3]) -> Self {
        let keep = |active: Active| {
            let (slot, law) = (contacts.slots[active.slot], &contacts.laws[active.slot]);
            let slip = friction::kept(active.slip, law.friction * active.force, law.stiffness);
            let force = active.force.min(law.stiffness * law.thickness);
            Kept { slot, slip, load: stiffness::next_load(self.of(surface, &slot).1, force) }
        };
        Self { kept: contacts.active(z).into_iter().map(keep).collect() }
    }

    /// The slip \[m\] and the load \[N\] that a pair has kept: those of the same vertex with the same layer.
    pub fn of(&self, surface: &Surface, slot: &Slot) -> (DVec3, f64) {
        let from = self.kept.partition_point(|kept| kept.slot.vertex < slot.vertex);
        let own = self.kept[from..].iter().take_while(|kept| kept.slot.vertex == slot.vertex);
        let same = |kept: &&Kept| search::is_same_layer(surface, kept.slot.corners, slot.corners);
        own.clone().find(same).map_or_else(Default::default, |kept| (kept.slip, kept.load))
    }
}
