// The force of all pairs on each node at the end of a substep: colliders count it in the next one.
//!import contact/crossing.wgsl
//!import contact/listed.wgsl
//!import contact/pressed.wgsl
//!import contact/presses.wgsl
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(5) var<storage, read> pushes: array<vec4f>;

// The node's part of what a pair does.
fn push_at(s: u32) -> vec3f {
    return part_of_slot(slots[s], presses[PRESSES * s + PRESS_WEIGHTS].xyz) * pushes[s].xyz;
}

// With the weights of the last iterate; in a linear system those at y. Reads slots, presses, pushes, rows; writes a row of applied. One thread per listed node.
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
    applied_out[TOUCH_ROW * world.node_count + i] = vec4f(force, 0.0);
}
