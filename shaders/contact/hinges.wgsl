// Hinges that are nearly closed, in slots that the search has left empty: touch_slot.wgsl says what they are. The thickness is half of the
// distance that v has at rest from the point that it is kept from, at most.
//!import contact/bindings.wgsl
//!import contact/reach.wgsl
//!import contact/searching.wgsl
//!import contact/touch_slot.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(1) var<storage, read> moved: array<vec4f>;               // twice what a node moves with its velocity
@group(2) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(2) @binding(4) var<storage, read_write> slots: array<Slot>;
// Where each node's hinges begin, one entry more than nodes; then (p, q, b) of each.
@group(2) @binding(6) var<storage, read> hinges: array<u32>;

// Reads start, moved, skins, hinges; reads and writes slots and counts. One thread per node that searches.
@compute @workgroup_size(WORKGROUP_SIZE)
fn find_hinges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= searching_count()) {
        return;
    }
    let v = searching(place).x;
    let x = start[v].xyz;
    var count = 0u;
    while (count < SLOTS && slots[SLOTS * v + count].kind != EMPTY) {
        count += 1u;
    }
    for (var k = hinges[v]; k < hinges[v + 1u] && count < SLOTS; k += 1u) {
        let at = world.node_count + 1u + 3u * k;
        let hinge = vec3u(hinges[at], hinges[at + 1u], hinges[at + 2u]);
        let weights = weights_of_hinge(v, hinge);
        let rest = length(skins[v].rest - combined(weights, skins[hinge.x].rest, skins[hinge.y].rest, skins[hinge.z].rest));
        let distance = length(x - combined(weights, start[hinge.x].xyz, start[hinge.y].xyz, start[hinge.z].xyz));
        let moves = length(moved[v].xyz - combined(weights, moved[hinge.x].xyz, moved[hinge.y].xyz, moved[hinge.z].xyz));
        let fabric = fabric_of(skins[v].body);
        let thickness = min(fabric.thickness, 0.5 * rest);
        let is_tangled = is_of(start[v].w, TANGLED)
            && (is_of(start[hinge.x].w, TANGLED) || is_of(start[hinge.y].w, TANGLED) || is_of(start[hinge.z].w, TANGLED));
        if (distance < min(thickness + reach_beyond(fabric, moves), SQUEEZED * rest) && !is_tangled) {
            slots[SLOTS * v + count] = Slot(hinge, kind_of(HINGE, thickness));
            count += 1u;
            atomicAdd(&counts[hinge.x], 1u);
            atomicAdd(&counts[hinge.y], 1u);
            atomicAdd(&counts[hinge.z], 1u);
        }
    }
}

fn combined(weights: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    return weights.x * a + weights.y * b + weights.z * c;
}
