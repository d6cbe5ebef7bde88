// What pairs did in a substep, where it ends: what each keeps for the next one, its force, and how near nodes are to what they may touch.
//!import contact/kept.wgsl
//!import contact/listed.wgsl
//!import contact/outcome_{force|iterate|system}.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import contact/touch_slot.wgsl
//!import core/across.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;     // where the substep ends, 1 / m
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(8) var<storage, read> press_normals: array<vec4f>;
@group(2) @binding(9) var<storage, read_write> memory: array<Kept>;
// Of each slot that is not empty the force on the node's side [N], and the part of its thickness that is left [1], where it touches.
@group(2) @binding(5) var<storage, read_write> pushes: array<vec4f>;
// How near each node is to what it may touch: 1 where it does, 0 at two thicknesses and beyond.
@group(2) @binding(6) var<storage, read_write> nearness: array<f32>;

// After the substep, and after `forget`. Reads all but memory, pushes and nearness, which it writes. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn keep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    var nearest = 2.0;  // in thicknesses
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        let slot = slots[s];
        let t = slot.triangle;
        let x = position_in[v].xyz;
        let at = touch_slot(slot, v, position_in[t.x].xyz - x, position_in[t.y].xyz - x, position_in[t.z].xyz - x);
        let part_left = at.distance / thickness_of(slot);
        nearest = min(nearest, part_left);
        let outcome = outcome_of(s, v, at);
        if (!outcome.touches) {
            pushes[s] = vec4f(0.0);
            continue;
        }
        pushes[s] = vec4f(outcome.force * outcome.normal + outcome.friction, part_left);
        memory[s] = Kept(outcome.stretch, outcome.load, t, kind_to_keep(slot));
    }
    nearness[v] = min(2.0 - nearest, 1.0);
}
