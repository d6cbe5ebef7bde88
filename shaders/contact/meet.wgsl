// All pairs of a minimizing method at an iterate z: normal force, friction and their stiffness.
//     u   = (I - n n^T) (kept + sum w (z - x_n))
//     k_t = min(k, mu f / max(|u|, LEAST_SLIP))
//     force on the node: f n - k_t u,       S = e n n^T + k_t (I - n n^T)
// What is kept is how far the pair has stretched friction's spring before the substep (memory.wgsl). In the first iterations, k_t is foreseen
// (foreseen.wgsl).
// With HOLDS_OPENED, e of a pair of two bodies that does not touch at z, but overlaps on the way to y, is
//     e = k / INERTIAL (o / (g + r) - 1), from 0 to k
// with its gap g, the onset r (at least LEAST_ROOM of the thickness), and o, by how much it closes from z to y.
//!import contact/foreseen.wgsl
//!import contact/iterate_{numbered|swept}.wgsl
//!import contact/listed.wgsl
//!import contact/moved.wgsl
//!import contact/onset.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import contact/stiffness.wgsl
//!import contact/touch_slot.wgsl
//!import core/across.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read> start: array<vec4f>;           // x_n; 1 / m
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(9) var<storage, read_write> presses: array<vec4f>;   // with the energy of each pair
@group(2) @binding(6) var<storage, read> anchor: array<vec4f>;          // row 0: y, or y - x_n
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;
@group(2) @binding(0) var<storage, read> loads: array<f32>;             // L [N]

// Least part of the thickness for the onset there.
const LEAST_ROOM: f32 = 0.001;
// Whether pairs that do not touch have the gap between them in the place of an energy.
override KEEPS_GAPS: bool = false;

// Of the pair, along its normal.
fn stiffness_of(s: u32, v: u32, triangle: vec3u, own: Fabric, other: Fabric) -> f32 {
    let corners = vec3f(yield_of(triangle.x), yield_of(triangle.y), yield_of(triangle.z));
    let load = press_normals[NORMALS * s + PRESS_KEPT].w;
    let yields = sides_of(slots[s], yield_of(v), corners);
    return stiffness_of_pair(yields, own, other, load, thickness_of(slots[s]));
}

// Normal forces, and friction where no slip is foreseen. Reads the iterate, start, slots; writes presses, press_normals. One thread per listed
// node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn meet(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_over()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        press(s, v);
        if (iteration_index() >= FORESEEN) {
            rub(s, v, 0.0);
        }
    }
}

// Friction where slip is foreseen, once limits are gathered. Reads the iterate, start, anchor, slots, loads; reads and writes presses; reads
// press_normals. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn foresee(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_over()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        let t = slots[s].triangle;
        let w = presses[PRESSES * s + PRESS_WEIGHTS].xyz;
        let alone = slip_of(s, alone_against(v, t, w), part_of_slot(slots[s], w));
        rub(s, v, length(alone) - stopped_against(v, t, w));
    }
}

// Leaves in the place of the force: its size, energy, gap, and the limit of friction; in that of the stiffness along the surface the most that it
// can be.
fn press(s: u32, v: u32) {
    let slot = slots[s];
    let x = place_of(v);
    let t = slot.triangle;
    let at = touch_slot(slot, v, place_of(t.x) - x, place_of(t.y) - x, place_of(t.z) - x);
    let own = fabric_of(skins[v].body);
    let other = fabric_of(skins[t.x].body);
    let fabric = paired(own, other);
    let stiffness = stiffness_of(s, v, t, own, other);
    let found = respond(at.distance, thickness_of(slot), stiffness, fabric.onset);
    let part = part_of_slot(slot, at.weights);
    let force = part * found.press.force;
    let gap = max(at.distance - thickness_of(slot), 0.0);
    var foreseen = force;
    if (FORESEES_FORCE && force > 0.0 && iteration_index() < FORESEEN) {
        let load = press_normals[NORMALS * s + PRESS_KEPT].w;
        foreseen = min(force, foreseen_force(slot, v, at, stiffness, fabric.onset, load));
    }
    presses[PRESSES * s + PRESS_FORCE] = vec4f(force, found.energy, gap, friction_of(slot, fabric) * foreseen);
    presses[PRESSES * s + PRESS_WEIGHTS] = vec4f(at.weights, part * part * stiffness);
    var slope = found.press.slope;
    if (HOLDS_OPENED && force == 0.0) {
        slope = slope_of_opened(slot, v, at, gap + max(fabric.onset, LEAST_ROOM) * thickness_of(slot), stiffness);
    }
    press_normals[NORMALS * s + PRESS_NORMAL] = vec4f(at.normal, part * part * slope);
}

// Of a pair that has opened at this iterate, where both sides would come to touch on the way to y. k / INERTIAL is the stiffness of inertia, or more:
// by inertia they close by no more than `room`, to where the onset ends. Without that, a step that carries pairs too far would be followed by one that
// knows of none, and so on in turn. Springs decide about edges, and between parts of one body.
fn slope_of_opened(slot: Slot, v: u32, at: Touch, room: f32, stiffness: f32) -> f32 {
    let t = slot.triangle;
    if (is_edges(slot) || skins[v].body == skins[t.x].body) {
        return 0.0;
    }
    let way = alone_against(v, t, at.weights) - moved_against(v, t, at.weights);
    let closes = -part_of_slot(slot, at.weights) * dot(way, at.normal);
    return clamp(stiffness / INERTIAL * (closes / room - 1.0), 0.0, stiffness);
}

fn slip_of(s: u32, moves: vec3f, part: f32) -> vec3f {
    return across(press_normals[NORMALS * s + PRESS_KEPT].xyz / part + moves, press_normals[NORMALS * s + PRESS_NORMAL].xyz);
}

fn rub(s: u32, v: u32, foreseen: f32) {
    let pressed = presses[PRESSES * s + PRESS_FORCE];
    let weights = presses[PRESSES * s + PRESS_WEIGHTS];
    let w = weights.xyz;
    if (pressed.x == 0.0) {
        presses[PRESSES * s + PRESS_FORCE] = vec4f(0.0, 0.0, 0.0, select(0.0, pressed.z, KEEPS_GAPS));
        presses[PRESSES * s + PRESS_WEIGHTS].w = 0.0;
        return;
    }
    let t = slots[s].triangle;
    let part = part_of_slot(slots[s], w);
    let slip = slip_of(s, moved_against(v, t, w), part);
    let length = max(max(length(slip), foreseen), LEAST_SLIP / part);
    let held = min(weights.w, pressed.w / length);
    let n = press_normals[NORMALS * s + PRESS_NORMAL].xyz;
    presses[PRESSES * s + PRESS_FORCE] = vec4f(pressed.x * n - held * slip, pressed.y);
    presses[PRESSES * s + PRESS_WEIGHTS].w = held;
}
