//! A substep with contact of cloth with cloth.

use glam::DVec3;

use super::{Options, iterate, start};
use crate::hierarchy::Hierarchy;
use crate::reference::contact::{Contacts, Groups, Memory, Surface, rigid};
use crate::reference::objective::{Objective, finish};
use crate::reference::{Forces, State64};

/// One substep of length `h` \[s\] with contact, without multipliers. `hierarchy` and `surface` belong to the model of
/// `forces`; `memory` is that of the substep before.
pub fn step_in_contact(
    forces: &Forces<'_>,
    hierarchy: &Hierarchy,
    options: &Options,
    surface: &Surface,
    memory: &mut Memory,
    h: f64,
    state: &mut State64,
) {
    let objective = Objective::of_step(forces, h, state);
    let mut contacts = Contacts::of(forces, h, state, surface, &objective, memory);
    contacts.holds_opened = true;
    let groups = Groups::of(hierarchy, surface, &contacts, |i| forces.is_free(i));
    let start = start(forces, &objective, h, state);
    let mut objective = objective.in_contact(contacts.clone(), groups);
    let reached = iterate(&mut objective, hierarchy, start, options, |_: &mut [DVec3]| ());
    let reached = rigid::settled(&objective, &contacts, &reached);
    *memory = Memory::after(&contacts, &reached);
    finish(forces, h, state, reached);
}
