// The outcome of a pair whose force is constant in a substep (press.wgsl, rub.wgsl): the normal force is that of its law where the substep ends,
// friction what its spring holds, which is kept.
//!import contact/crossing.wgsl
//!import contact/law.wgsl
//!import contact/outcome.wgsl

fn outcome_of(s: u32, v: u32, at: Touch) -> Outcome {
    if (press_normals[NORMALS * s + PRESS_NORMAL].w == 0.0) {
        return no_outcome();
    }
    let slot = slots[s];
    let fabric = paired(fabric_of(skins[v].body), fabric_of(skins[slot.triangle.x].body));
    let force = press_at(at.distance, thickness_of(slot), stiffness_between(fabric)).force;
    if (force == 0.0) {
        return no_outcome();
    }
    let friction = press_normals[NORMALS * s + PRESS_KEPT].xyz;
    return Outcome(true, at.normal, force, friction, friction, 0.0);
}
