// All pairs of a minimizing method at an iterate z: normal force, friction and their stiffness.
//     u   = (I - n n^T) (kept + sum w (z - x_n)),    u* the same of y
//     k_t = min(k, mu f / max(|u|, |u*| - c, LEAST_SLIP)),    c = 2 F sum |w_i| h^2 / m_i
//     force on the node: f n - k_t u,       S = e n n^T + k_t (I - n n^T)
// What is kept is how far the pair has stretched friction's spring before the substep (memory.wgsl).
// y is where nodes go alone, so that u* is the slip without friction. c is what friction shortens it by: F is the sum of mu f over the
// node's own pairs, and those in which it is a corner are as many again. Where c is too large, |u| decides. Where it is too small, as
// springs carry friction from node to node, friction would be, too: after FORESEEN iterations |u| decides alone.
//!import contact/across.wgsl
//!import contact/iterate_{numbered|swept}.wgsl
//!import contact/listed.wgsl
//!import contact/onset.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import contact/stiffness.wgsl
//!import contact/touch_slot.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read> start: array<vec4f>;           // x_n; 1 / m
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(9) var<storage, read_write> presses: array<vec4f>;   // with the energy of each pair
@group(2) @binding(6) var<storage, read> anchor: array<vec4f>;          // row 0: y, or y - x_n
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;

const FORESEEN: u32 = 2u;
// Whether pairs that do not touch have the gap between them in the place of an energy.
override KEEPS_GAPS: bool = false;

// Of the pair, along its normal.
fn stiffness_of(s: u32, v: u32, triangle: vec3u, own: Fabric, other: Fabric) -> f32 {
    let corners = vec3f(yield_of(triangle.x), yield_of(triangle.y), yield_of(triangle.z));
    let load = press_normals[NORMALS * s + PRESS_KEPT].w;
    let yields = sides_of(slots[s], yield_of(v), corners);
    return stiffness_of_pair(yields, own, other, load, thickness_of(slots[s]));
}

// Reads the iterate, start, anchor, slots; writes presses, press_normals. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn meet(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_over()) {
        return;
    }
    let v = listed(place);
    var limits = 0.0;
    var count = 0u;
    for (; count < SLOTS; count += 1u) {
        let s = SLOTS * v + count;
        let slot = slots[s];
        if (slot.kind == EMPTY) {
            break;
        }
        let x = place_of(v);
        let t = slot.triangle;
        let at = touch_slot(slot, v, place_of(t.x) - x, place_of(t.y) - x, place_of(t.z) - x);
        let own = fabric_of(skins[v].body);
        let other = fabric_of(skins[t.x].body);
        let fabric = paired(own, other);
        let found = respond(at.distance, thickness_of(slot), stiffness_of(s, v, t, own, other), fabric.onset);
        let friction = friction_of(slot, fabric);
        let part = part_of_slot(slot, at.weights);
        limits += friction * part * found.press.force;
        let gap = max(at.distance - thickness_of(slot), 0.0);
        presses[PRESSES * s + PRESS_FORCE] = vec4f(part * found.press.force, friction, gap, found.energy);
        presses[PRESSES * s + PRESS_WEIGHTS] = vec4f(at.weights, 0.0);
        press_normals[NORMALS * s + PRESS_NORMAL] = vec4f(at.normal, part * part * found.press.slope);
    }
    for (var k = 0u; k < count; k += 1u) {
        rub(SLOTS * v + k, v, limits);
    }
}

fn rub(s: u32, v: u32, limits: f32) {
    let pressed = presses[PRESSES * s + PRESS_FORCE];
    let limit = pressed.x * pressed.y;
    let n = press_normals[NORMALS * s + PRESS_NORMAL].xyz;
    if (pressed.x == 0.0) {
        presses[PRESSES * s + PRESS_FORCE] = vec4f(0.0, 0.0, 0.0, select(0.0, pressed.z, KEEPS_GAPS));
        return;
    }
    let w = presses[PRESSES * s + PRESS_WEIGHTS].xyz;
    let t = slots[s].triangle;
    let part = part_of_slot(slots[s], w);
    let kept = press_normals[NORMALS * s + PRESS_KEPT].xyz / part;
    let slip = across(kept + moved(v) - w.x * moved(t.x) - w.y * moved(t.y) - w.z * moved(t.z), n);
    let alone = across(
        kept + moved_alone(v) - w.x * moved_alone(t.x) - w.y * moved_alone(t.y) - w.z * moved_alone(t.z), n);
    let yields = yield_of(v) + dot(abs(w), vec3f(yield_of(t.x), yield_of(t.y), yield_of(t.z)));
    let foreseen = select(length(alone) - 2.0 * limits * yields, 0.0, iteration_index() >= FORESEEN);
    let length = max(max(length(slip), foreseen), LEAST_SLIP / part);
    let k = stiffness_of(s, v, t, fabric_of(skins[v].body), fabric_of(skins[t.x].body));
    let held = min(part * part * k, limit / length);
    presses[PRESSES * s + PRESS_FORCE] = vec4f(pressed.x * n - held * slip, pressed.w);
    presses[PRESSES * s + PRESS_WEIGHTS].w = held;
}
