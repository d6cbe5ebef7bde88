// All pairs of a minimizing method at an iterate z: normal force, friction and their stiffness.
//     u   = (I - n n^T) (kept + sum w (z - x_n)),    u* the same of y
//     k_t = min(k, mu f / max(|u|, |u*| - c, LEAST_SLIP)),    c = sum |w_i| L_i h^2 / m_i
//     force on the node: f n - k_t u,       S = e n n^T + k_t (I - n n^T)
// What is kept is how far the pair has stretched friction's spring before the substep (memory.wgsl).
// y is where nodes go alone, so that u* is the slip without friction. c is what friction shortens it by: L_i is the sum of |w_i| mu f of all
// pairs at node i (gather.wgsl). Where c is too large, |u| decides. Where it is too small, as springs carry friction from node to node, friction
// would be, too: after FORESEEN iterations |u| decides alone.
// With HOLDS_OPENED, e of a pair of two bodies that does not touch at z, but overlaps on the way to y, is
//     e = k / INERTIAL (o / (g + r) - 1), from 0 to k
// with its gap g, the onset r (at least LEAST_ROOM of the thickness), and o, by how much it closes from z to y.
//!import contact/iterate_{numbered|swept}.wgsl
//!import contact/listed.wgsl
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

const FORESEEN: u32 = 2u;
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
        rub(s, v, foreseen_slip(s, v));
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
    presses[PRESSES * s + PRESS_FORCE] = vec4f(force, found.energy, gap, friction_of(slot, fabric) * force);
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
    let back = left_alone(v) - at.weights.x * left_alone(t.x) - at.weights.y * left_alone(t.y) - at.weights.z * left_alone(t.z);
    let closes = -part_of_slot(slot, at.weights) * dot(back, at.normal);
    return clamp(stiffness / INERTIAL * (closes / room - 1.0), 0.0, stiffness);
}

// The way from the iterate to y.
fn left_alone(i: u32) -> vec3f {
    return moved_alone(i) - moved(i);
}

// |u*| - c.
fn foreseen_slip(s: u32, v: u32) -> f32 {
    let w = presses[PRESSES * s + PRESS_WEIGHTS].xyz;
    let t = slots[s].triangle;
    let moves = moved_alone(v) - w.x * moved_alone(t.x) - w.y * moved_alone(t.y) - w.z * moved_alone(t.z);
    let alone = slip_of(s, moves, part_of_slot(slots[s], w));
    return length(alone) - stopped_by(v) - dot(abs(w), vec3f(stopped_by(t.x), stopped_by(t.y), stopped_by(t.z)));
}

fn stopped_by(i: u32) -> f32 {
    return loads[i] * yield_of(i);
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
    let slip = slip_of(s, moved(v) - w.x * moved(t.x) - w.y * moved(t.y) - w.z * moved(t.z), part);
    let length = max(max(length(slip), foreseen), LEAST_SLIP / part);
    let held = min(weights.w, pressed.w / length);
    let n = press_normals[NORMALS * s + PRESS_NORMAL].xyz;
    presses[PRESSES * s + PRESS_FORCE] = vec4f(pressed.x * n - held * slip, pressed.y);
    presses[PRESSES * s + PRESS_WEIGHTS].w = held;
}
