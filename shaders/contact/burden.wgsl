// The mass of the surfaces that lie on a node, or are near it on either side: colliders count it where it is many times the node's own (forces/contact.wgsl).
//     B_i = 1/2 (sum over pairs of i and a triangle of part near sum |w| m + sum over pairs of a node v and a triangle with corner i of near |w_i| m_v)
// `part` is what of the triangle lies in the node's area (stiffness.wgsl), w are the weights of the corners, and `near` is 1 where the pair touches now or after
// h v, and 0 from two thicknesses on. Both sums are of the same surfaces, hence the half. Pins weigh nothing.
//!import contact/listed.wgsl
//!import contact/stiffness.wgsl
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(3) var<storage, read> start: array<vec4f>;           // x, 1 / m, which is 0 of pins
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read> row_starts: array<u32>;
@group(2) @binding(6) var<storage, read> row_entries: array<u32>;

struct Bearing {
    near: f32,
    weights: vec3f,
}

fn mass_of(i: u32) -> f32 {
    let inverse = start[i].w;
    return select(0.0, 1.0 / inverse, inverse > 0.0);
}

fn after(i: u32, time: f32) -> vec3f {
    return start[i].xyz + time * velocity_in[i].xyz;
}

fn touch_after(s: u32, time: f32) -> Touch {
    let v = s / SLOTS;
    let t = slots[s].triangle;
    let x = after(v, time);
    return touch_slot(slots[s], v, after(t.x, time) - x, after(t.y, time) - x, after(t.z, time) - x);
}

// Of a pair of a node and a triangle; else nothing.
fn bearing_of(s: u32) -> Bearing {
    if (is_hinge(slots[s]) || is_edges(slots[s])) {
        return Bearing(0.0, vec3f(0.0));
    }
    let now = touch_after(s, 0.0);
    let distance = min(now.distance, touch_after(s, world.step).distance);
    return Bearing(clamp(2.0 - distance / thickness_of(slots[s]), 0.0, 1.0), abs(now.weights));
}

// At the start of a substep, before colliders. Reads start, velocity_in, slots, rows, skins; writes the fourth numbers of a row of applied. One thread per
// listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn weigh(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let i = listed(place);
    var burden = 0.0;
    for (var s = SLOTS * i; s < SLOTS * (i + 1u) && slots[s].kind != EMPTY; s += 1u) {
        let t = slots[s].triangle;
        let at = bearing_of(s);
        let part = shared_part(fabric_of(skins[i].body), fabric_of(skins[t.x].body));
        burden += part * at.near * dot(at.weights, vec3f(mass_of(t.x), mass_of(t.y), mass_of(t.z)));
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        let s = row_entries[k] / 4u;
        let at = bearing_of(s);
        burden += at.near * at.weights[row_entries[k] % 4u - 1u] * mass_of(s / SLOTS);
    }
    applied_out[TOUCH_ROW * world.node_count + i].w = 0.5 * burden;
}
