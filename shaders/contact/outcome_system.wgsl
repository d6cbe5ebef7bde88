// The outcome of a pair in a linear system (press.wgsl, limit.wgsl, rub.wgsl): it is a straight line there, and pulls where it parts.
//     lack <- lack + GROWTH (f - guess - lack),   f between -k D and k D
// `guess` is what limit.wgsl took for its normal force f from where nodes go alone. The others of a stack press on a pair, too, as they did in
// the substeps before. Friction is kept as a force.
//!import contact/crossing.wgsl
//!import contact/moved.wgsl
//!import contact/outcome.wgsl
//!import contact/tangents.wgsl

@group(2) @binding(3) var<storage, read> moves: array<vec4f>;

// In the substep.
fn moved(i: u32) -> vec3f {
    return moves[i].xyz;
}

fn outcome_of(s: u32, v: u32, at: Touch) -> Outcome {
    if (press_normals[NORMALS * s + PRESS_NORMAL].w == 0.0 || at.distance >= NOT_NEAR) {
        return no_outcome();
    }
    let slot = slots[s];
    let t = slot.triangle;
    let rubbed = press_normals[NORMALS * s + PRESS_KEPT];
    let fabric = paired(fabric_of(skins[v].body), fabric_of(skins[t.x].body));
    let thickness = thickness_of(slot);
    // What the guard has held back, or springs have torn off, must not decide over friction for long.
    let force = stiffness_between(fabric) * clamp(thickness - at.distance, -thickness, thickness);
    // That of the system.
    let normal = press_normals[NORMALS * s + PRESS_NORMAL].xyz;
    let friction = tangents(normal) * rubbed.yz - rubbed.x * across(moved_against(v, t, at.weights), normal);
    return Outcome(true, normal, force, friction, friction, rubbed.w + GROWTH * force);
}
