// The force of all pairs on each node at the end of a substep, less what has arrived in it (burden.wgsl): that is an impulse, which the next substep does not
// have. Colliders count what is left as the force that lasts.
//!import contact/crossing.wgsl
//!import contact/listed.wgsl
//!import contact/pressed.wgsl
//!import contact/presses.wgsl
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(5) var<storage, read> pushes: array<vec4f>;

const TINY: f32 = 1e-30;

// The node's part of what a pair does.
fn push_at(s: u32) -> vec3f {
    return part_of_slot(slots[s], presses[PRESSES * s + PRESS_WEIGHTS].xyz) * pushes[s].xyz;
}

// With the weights of the last iterate; in a linear system those at y. Reads slots, presses, pushes, rows; reads what has arrived in a row of applied, and writes it. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_pushes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let i = listed(place);
    var force = vec3f(0.0);
    for (var s = SLOTS * i; s < SLOTS * (i + 1u) && !is_empty(s); s += 1u) {
        force += push_at(s);
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        force -= weight_of_entry(k) * push_at(slot_of_entry(k));
    }
    let at = TOUCH_ROW * world.node_count + i;
    applied_out[at] = vec4f(lasting(force, applied_out[at].xyz), 0.0);
}

// No more than what has arrived is taken off, and nothing where the force turned out to be against it.
fn lasting(force: vec3f, arrived: vec3f) -> vec3f {
    let part = dot(force, arrived) / max(dot(arrived, arrived), TINY);
    return force - clamp(part, 0.0, 1.0) * arrived;
}
