// The outcome of a pair in a method that meets it at each iterate (meet.wgsl), as its law says where the substep ends:
//     kept   <- u min(1, max(mu f / k, LEAST_SLIP) / |u|)
//     lambda <- f where that is less, else lambda + GROWTH (f - lambda)
// Friction's spring holds for good what sticks.
//!import contact/crossing.wgsl
//!import contact/moved.wgsl
//!import contact/onset.wgsl
//!import contact/outcome.wgsl
//!import contact/stiffness.wgsl

@group(2) @binding(3) var<storage, read> start: array<vec4f>;

// In the substep.
fn moved(i: u32) -> vec3f {
    return position_in[i].xyz - start[i].xyz;
}

fn yields(i: u32) -> f32 {
    return position_in[i].w * world.step * world.step;
}

fn outcome_of(s: u32, v: u32, at: Touch) -> Outcome {
    let slot = slots[s];
    let t = slot.triangle;
    let own = fabric_of(skins[v].body);
    let other = fabric_of(skins[t.x].body);
    let fabric = paired(own, other);
    let before = press_normals[NORMALS * s + PRESS_KEPT];
    let thickness = thickness_of(slot);
    let sides = sides_of(slot, yields(v), vec3f(yields(t.x), yields(t.y), yields(t.z)));
    let stiffness = stiffness_of_pair(sides, own, other, before.w, thickness);
    let force = respond(at.distance, thickness, stiffness, fabric.onset).press.force;
    if (force == 0.0) {
        return no_outcome();
    }
    // In what the node of the pair takes of it.
    let part = part_of_slot(slot, at.weights);
    let k = part * part * stiffness;
    let limit = friction_of(slot, fabric) * part * force;
    let slip = across(before.xyz / part + moved_against(v, t, at.weights), at.normal);
    let most = max(limit / k, LEAST_SLIP / part);
    let held = min(k, limit / max(length(slip), LEAST_SLIP / part));
    let stretch = part * slip * (most / max(length(slip), most));
    let load = min(force, stiffness * thickness);
    return Outcome(
        true, at.normal, force, -held / part * slip, stretch,
        select(mix(before.w, load, GROWTH), load, load < before.w));
}
