// What pairs keep from one substep to the next: a stretch of friction's spring, and a load.
//     kept   <- u min(1, max(mu f / k, LEAST_SLIP) / |u|)
//     lambda <- f where that is less, else lambda + GROWTH (f - lambda)
// The spring holds for good what sticks. A pair is found again by its node and its layer: what was kept is of the pair whose triangle is
// nearest at rest to the one before.
//!import contact/layers.wgsl
//!import contact/listed.wgsl
//!import contact/onset.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import contact/stiffness.wgsl
//!import contact/touch_slot.wgsl
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import state/world.wgsl

struct Kept {
    stretch: vec3f,     // u [m]
    load: f32,          // lambda [N]
    triangle: vec3u,
    kind: u32,          // NOT_KEPT, of a PAIR, of a hinge or of edges
}

const NOT_KEPT: u32 = 0u;
const PAIR: u32 = 1u;
const CROSSING_EDGES: u32 = 3u;

fn kind_to_keep(slot: Slot) -> u32 {
    return select(select(PAIR, PAIR + 1u, is_hinge(slot)), CROSSING_EDGES, is_edges(slot));
}

// Corners on the other side.
fn other_side(kind: u32, triangle: vec3u) -> vec3u {
    return select(triangle, triangle.xyx, kind == CROSSING_EDGES);
}

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;     // where the substep ends, 1 / m
@group(2) @binding(3) var<storage, read> start: array<vec4f>;
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;
@group(2) @binding(9) var<storage, read_write> memory: array<Kept>;
// Of each slot that is not empty the force on the node's side [N], and the part of its thickness that is left [1], where it touches.
@group(2) @binding(5) var<storage, read_write> pushes: array<vec4f>;
@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
// How near each node is to what it may touch: 1 where it does, 0 at two thicknesses and beyond.
@group(2) @binding(6) var<storage, read_write> nearness: array<f32>;

const GROWTH: f32 = 0.3;

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

fn moved(i: u32) -> vec3f {
    return position_in[i].xyz - start[i].xyz;
}

fn yields(i: u32) -> f32 {
    return position_in[i].w * world.step * world.step;
}

// Before `keep`. Writes memory, nearness, a row of applied. One thread per node.
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
    if (TOUCH_ROW > 0u) {
        applied_out[TOUCH_ROW * world.node_count + v] = vec4f(0.0);
    }
}

// After the substep. Reads all but memory, pushes and nearness, which it writes. One thread per listed node.
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
        let own = fabric_of(skins[v].body);
        let other = fabric_of(skins[t.x].body);
        let fabric = paired(own, other);
        let friction = friction_of(slot, fabric);
        let before = press_normals[NORMALS * s + PRESS_KEPT];
        let thickness = thickness_of(slot);
        let sides = sides_of(slot, yields(v), vec3f(yields(t.x), yields(t.y), yields(t.z)));
        let of_pair = stiffness_of_pair(sides, own, other, before.w, thickness);
        let whole_force = respond(at.distance, thickness, of_pair, fabric.onset).press.force;
        // The node's.
        let part = part_of_slot(slot, at.weights);
        let k = part * part * of_pair;
        let force = part * whole_force;
        nearest = min(nearest, at.distance / thickness);
        if (force == 0.0) {
            pushes[s] = vec4f(0.0);
            continue;
        }
        let w = at.weights;
        let whole = before.xyz / part + moved(v) - w.x * moved(t.x) - w.y * moved(t.y) - w.z * moved(t.z);
        let slip = whole - dot(whole, at.normal) * at.normal;
        let most = max(friction * force / k, LEAST_SLIP / part);
        let load = min(whole_force, of_pair * thickness);
        let held = min(k, friction * force / max(length(slip), LEAST_SLIP / part));
        pushes[s] = vec4f((force * at.normal - held * slip) / part, at.distance / thickness);
        memory[s] = Kept(
            part * slip * (most / max(length(slip), most)),
            select(before.w + GROWTH * (load - before.w), load, load < before.w), t, kind_to_keep(slot));
    }
    nearness[v] = min(2.0 - nearest, 1.0);
}
