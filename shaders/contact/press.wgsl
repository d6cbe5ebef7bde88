// The normal forces of all pairs, where nodes are after h v. In a matrix they are straight lines, f = k (D - d), from y, where inertia and outer
// forces alone take nodes, of those pairs for which
//     d_y < D and d_v < D, or d_0 < D and d_y < PARTED D
// with d_0 where the substep begins and d_v after h v. At y alone nodes are too near that springs hold, beside those that lie on something:
// gravity has moved them. A pair that touches goes on to where it has parted: else layers at rest would touch in one substep and not in
// the next, in turn.
//!import contact/law.wgsl
//!import contact/listed.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import contact/touch_slot.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(3) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read_write> presses: array<vec4f>;
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;

@group(2) @binding(6) var<storage, read> anchor: array<vec4f>;      // row 0: y - x_0

// Whether pairs are part of a linear system: of its matrix, or rows of constraints.
override IN_MATRIX: bool = false;

// How far a pair that touches may part on the way to y, as a part of its thickness.
const PARTED: f32 = 1.1;

fn coasting(i: u32, time: f32) -> vec3f {
    return position_in[i].xyz + time * velocity_in[i].xyz;
}

fn ahead(i: u32) -> vec3f {
    if (IN_MATRIX) {
        return position_in[i].xyz + anchor[i].xyz;
    }
    return coasting(i, world.step);
}

// Reads the state and slots; writes presses, press_normals. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn press(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        press_on(s, v);
    }
}

fn press_on(s: u32, v: u32) {
    let slot = slots[s];
    let x = ahead(v);
    let t = slot.triangle;
    let at = touch_slot(slot, v, ahead(t.x) - x, ahead(t.y) - x, ahead(t.z) - x);
    let fabric = paired(fabric_of(skins[v].body), fabric_of(skins[t.x].body));
    let thickness = thickness_of(slot);
    let stiffness = stiffness_between(fabric);
    var found = press_at(at.distance, thickness, stiffness);
    if (IN_MATRIX) {
        let slope = select(0.0, stiffness, acts(slot, v, at.distance, thickness));
        found = Press(slope * (thickness - at.distance), slope);
    }
    let part = part_of_slot(slot, at.weights);
    let friction = friction_of(slot, fabric);
    // In a matrix the coefficient, of which limit.wgsl makes the limit.
    let limit_or_coefficient = select(friction * part * found.force, friction, IN_MATRIX);
    presses[PRESSES * s + PRESS_FORCE] = vec4f(part * found.force * at.normal, limit_or_coefficient);
    presses[PRESSES * s + PRESS_WEIGHTS] = vec4f(at.weights, 0.0);
    press_normals[NORMALS * s + PRESS_NORMAL] = vec4f(at.normal, part * part * found.slope);
}

// In a matrix.
fn acts(slot: Slot, v: u32, ahead: f32, thickness: f32) -> bool {
    if (ahead >= PARTED * thickness) {
        return false;
    }
    if (distance_after(slot, v, 0.0) < thickness) {
        return true;
    }
    return ahead < thickness && distance_after(slot, v, world.step) < thickness;
}

fn distance_after(slot: Slot, v: u32, time: f32) -> f32 {
    let x = coasting(v, time);
    let t = slot.triangle;
    return touch_slot(slot, v, coasting(t.x, time) - x, coasting(t.y, time) - x, coasting(t.z, time) - x).distance;
}
