// What pairs kept in the substep before (keep.wgsl). A pair is found again by its node and its layer: what was kept is of the pair whose
// triangle is nearest at rest to the one before.
//!import contact/kept.wgsl
//!import contact/layers.wgsl
//!import contact/listed.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import state/world.wgsl

// Corners on the other side.
fn other_side(kind: u32, triangle: vec3u) -> vec3u {
    return select(triangle, triangle.xyx, kind == CROSSING_EDGES);
}

@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;
@group(2) @binding(9) var<storage, read_write> memory: array<Kept>;
@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
// In implicit methods colliders have emptied the row (forces/contact.wgsl).
override IS_IMPLICIT: bool = false;
// How near each node is to what it may touch: 1 where it does, 0 at two thicknesses and beyond.
@group(2) @binding(6) var<storage, read_write> nearness: array<f32>;

// Before the solver. Reads slots, skins, memory; writes press_normals. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn recall(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    if (slots[SLOTS * v].kind == EMPTY) {
        return;
    }
    var found = array<vec4f, SLOTS>();
    var apart = array<f32, SLOTS>(FAR, FAR, FAR, FAR);
    // Own memory first; then of each pair of edges that of the second end, which has had the pair where the edge crossed nearer to it.
    for (var k = 0u; k < SLOTS * (SLOTS + 1u); k += 1u) {
        var owner = v;
        if (k >= SLOTS) {
            let slot = slots[SLOTS * v + k / SLOTS - 1u];
            if (!is_edges(slot)) {
                continue;
            }
            owner = slot.triangle.z;
        }
        let kept = memory[SLOTS * owner + k % SLOTS];
        let is_turned = owner != v;
        if (kept.kind == NOT_KEPT || (is_turned && !(kept.kind == CROSSING_EDGES && kept.triangle.z == v))) {
            continue;
        }
        let end = select(kept.triangle.z, owner, is_turned);
        var nearest = SLOTS;
        var least = FAR;
        for (var s = 0u; s < SLOTS && slots[SLOTS * v + s].kind != EMPTY; s += 1u) {
            let slot = slots[SLOTS * v + s];
            let kind = kind_to_keep(slot);
            let other = other_side(kind, slot.triangle);
            let before = other_side(kind, kept.triangle);
            let between = middle_of(other) - middle_of(before);
            // Of edges that of the own one, too.
            let moved_on = select(vec3f(0.0), skins[slot.triangle.z].rest - skins[end].rest, kind == CROSSING_EDGES);
            let way = dot(between, between) + dot(moved_on, moved_on);
            let is_alike = kept.kind == kind && are_same_layer(layer_of(before), layer_of(other));
            if (way < least && is_alike) {
                least = way;
                nearest = s;
            }
        }
        if (nearest < SLOTS && least < apart[nearest]) {
            apart[nearest] = least;
            found[nearest] = vec4f(kept.stretch, kept.load);
        }
    }
    for (var s = 0u; s < SLOTS && slots[SLOTS * v + s].kind != EMPTY; s += 1u) {
        press_normals[NORMALS * (SLOTS * v + s) + PRESS_KEPT] = found[s];
    }
}

const FAR: f32 = 1e30;

// Three times the middle of a triangle at rest.
fn middle_of(triangle: vec3u) -> vec3f {
    return skins[triangle.x].rest + skins[triangle.y].rest + skins[triangle.z].rest;
}

// Before `keep`, and before forces of explicit methods. Writes memory, nearness, a row of applied. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn forget(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = thread_index(id, groups);
    if (v >= world.node_count) {
        return;
    }
    for (var s = SLOTS * v; s < SLOTS * (v + 1u); s += 1u) {
        memory[s].kind = NOT_KEPT;
    }
    nearness[v] = 0.0;
    if (TOUCH_ROW > 0u && !IS_IMPLICIT) {
        applied_out[TOUCH_ROW * world.node_count + v] = vec4f(0.0);
    }
}
