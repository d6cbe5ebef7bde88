// The surfaces that lie on a node, or are near it on either side, as colliders count them (forces/contact.wgsl).
//     M_i = 1/2 (sum over pairs of i and a triangle of part near sum |w| m + sum over pairs of a node v and a triangle with corner i of near |w_i| m_v)
// is their mass. `part` is what of the triangle lies in the node's area (stiffness.wgsl), w are the weights of the corners, and `near` is 1 where the pair
// touches now or after h v, and 0 from two thicknesses on. Both sums are of the same surfaces, hence the half. Pins weigh nothing.
//
// What arrives in this substep no pair has told of yet. A node that lies on something stops it, and is taken along as far as friction goes: with sums as
// in M over the pairs that stop, M_a that of their mass, c the speed that each of them stops, u the slip of the node's side, n the normal towards it, and
// m the node's mass,
//     P = sum M_a c n,   S = -sum M_a u,   L = sum mu M_a c,   T = S m / (m + M_a), no longer than L
//     A = b (P + T) / h,   b = 1 - h F . P / |P|^2, from 0 to 1
// with the force F of pairs that lasts (pushed.wgsl): what has arrived before and lies there is in F. Where T is shorter than L both go on as one block,
// and the node is the part p = 1 - b M_a / (m + M_a) of it; else p is 1.
//!import contact/bearing.wgsl
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

const TINY: f32 = 1e-30;

// The sums at a node.
struct Burden {
    mass: f32,          // [kg]
    arriving: f32,      // the part of it that arrives [kg]
    pressed: vec3f,     // P [kg m/s]
    slipping: vec3f,    // S [kg m/s]
    limit: f32,         // L [kg m/s]
}

fn mass_of(i: u32) -> f32 {
    let inverse = start[i].w;
    return select(0.0, 1.0 / inverse, inverse > 0.0);
}

// With the mass on the other side of a pair; `side`: 1 at its node, -1 at a corner.
fn plus(burden: Burden, mass: f32, side: f32, at: Bearing) -> Burden {
    let near = 0.5 * at.near * mass;
    if (!(at.stops > 0.0)) {
        return Burden(burden.mass + near, burden.arriving, burden.pressed, burden.slipping, burden.limit);
    }
    return Burden(
        burden.mass + near,
        burden.arriving + near,
        burden.pressed + side * near * at.stops * at.normal,
        burden.slipping - side * near * at.slip,
        burden.limit + at.friction * near * at.stops);
}

// At the start of a substep, before colliders. Reads start, velocity_in, slots, rows, skins, a row of applied; writes that row's fourth numbers, and the row of
// what arrives. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn weigh(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let i = listed(place);
    var burden = Burden(0.0, 0.0, vec3f(0.0), vec3f(0.0), 0.0);
    for (var s = SLOTS * i; s < SLOTS * (i + 1u) && slots[s].kind != EMPTY; s += 1u) {
        let t = slots[s].triangle;
        let at = bearing_of(s);
        let part = shared_part(fabric_of(skins[i].body), fabric_of(skins[t.x].body));
        burden = plus(burden, part * dot(at.weights, vec3f(mass_of(t.x), mass_of(t.y), mass_of(t.z))), 1.0, at);
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        let s = row_entries[k] / 4u;
        let at = bearing_of(s);
        burden = plus(burden, at.weights[row_entries[k] % 4u - 1u] * mass_of(s / SLOTS), -1.0, at);
    }
    let n = world.node_count;
    applied_out[TOUCH_ROW * n + i].w = burden.mass;
    applied_out[ARRIVAL_ROW * n + i] = arrival(burden, mass_of(i), applied_out[TOUCH_ROW * n + i].xyz);
}

// A and p. `lasting`: F.
fn arrival(burden: Burden, mass: f32, lasting: vec3f) -> vec4f {
    let square = dot(burden.pressed, burden.pressed);
    if (!(square > 0.0)) {
        return vec4f(0.0, 0.0, 0.0, 1.0);
    }
    let new_part = clamp(1.0 - world.step * dot(lasting, burden.pressed) / square, 0.0, 1.0);
    let own = mass / max(mass + burden.arriving, TINY);
    let taken = length(own * burden.slipping);
    let along = own * burden.slipping * min(burden.limit / max(taken, TINY), 1.0);
    let share = select(1.0, own, taken < burden.limit);
    return vec4f(new_part / world.step * (burden.pressed + along), mix(1.0, share, new_part));
}
