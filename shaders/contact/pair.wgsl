// A pair of features in a round of the guard (guard.wgsl, which has the buffers): how its nodes move, whether there is a proof that
// they do not cross, and the parts that they take where there is none.
//!import contact/asking.wgsl
//!import contact/bindings.wgsl
//!import contact/witness.wgsl

// How the five nodes of a pair move: a node twice or an edge, and a triangle or an edge and its second node again.
struct Five {
    start: Corners,
    whole: Corners,         // as the solver wants
    part_p: vec2f,          // the part of it that each takes; negative for pins, which take all of it
    part_q: vec3f,
}

fn part_of_node(i: u32) -> f32 {
    return select(-1.0, part_taken(moved[i].w), is_free(start[i].w));
}

fn five_of(p: vec2u, q: vec3u) -> Five {
    let origin = start[p.x].xyz;
    let first = Corners(
        vec3f(0.0), start[p.y].xyz - origin,
        start[q.x].xyz - origin, start[q.y].xyz - origin, start[q.z].xyz - origin);
    let whole = Corners(
        motion_of(p.x), motion_of(p.y), motion_of(q.x), motion_of(q.y), motion_of(q.z));
    let part_p = vec2f(part_of_node(p.x), part_of_node(p.y));
    return Five(first, whole, part_p, vec3f(part_of_node(q.x), part_of_node(q.y), part_of_node(q.z)));
}

fn motion_of(i: u32) -> vec3f {
    return position_in[i].xyz - start[i].xyz;
}

// Where the five are if none that is free takes a larger part than `most`.
fn ends(five: Five, most: f32) -> Corners {
    let p = select(min(five.part_p, vec2f(most)), vec2f(1.0), five.part_p < vec2f(0.0));
    let q = select(min(five.part_q, vec3f(most)), vec3f(1.0), five.part_q < vec3f(0.0));
    return Corners(
        five.start.p0 + p.x * five.whole.p0, five.start.p1 + p.y * five.whole.p1,
        five.start.q0 + q.x * five.whole.q0, five.start.q1 + q.y * five.whole.q1, five.start.q2 + q.z * five.whole.q2);
}

// The smallest part that a free one takes; 1 if none is free.
fn smallest_part(five: Five) -> f32 {
    let p = select(five.part_p, vec2f(1.0), five.part_p < vec2f(0.0));
    let q = select(five.part_q, vec3f(1.0), five.part_q < vec3f(0.0));
    return min(min(min(p.x, p.y), q.x), min(q.y, q.z));
}

// The largest part that a free one takes; not above 0 if none is free.
fn largest_part(five: Five) -> f32 {
    let p = max(five.part_p.x, five.part_p.y);
    return max(p, max(max(five.part_q.x, five.part_q.y), five.part_q.z));
}

// Bounds of the coordinates of the five, seen from the first of them.
fn reach_of(five: Five) -> vec3f {
    let p = max(abs(five.start.p0) + abs(five.whole.p0), abs(five.start.p1) + abs(five.whole.p1));
    let a = max(abs(five.start.q0) + abs(five.whole.q0), abs(five.start.q1) + abs(five.whole.q1));
    return max(max(p, a), abs(five.start.q2) + abs(five.whole.q2));
}

// What is kept of a small gap between nodes that have yielded.
const YIELDED_KEEP: f32 = 0.9;

fn is_tangled(i: u32) -> bool {
    return is_of(start[i].w, TANGLED);
}

fn tangle(i: u32) {
    atomicOr(&tangled[i / 32u], 1u << (i % 32u));
}

// Looks for a proof that a pair does not cross; where there is none, lowers the parts that its nodes take in the next round.
fn look_at(copy: u32, p: vec2u, q: vec3u, is_edges: bool, least_gap: f32) {
    // The first in which parts are taken.
    let is_first = round.index == 1u;
    let is_last_look = round.index == LAST_LOOK;
    if (round.index > 0u && !(is_asking(p.x) || is_asking(p.y) || is_asking(q.x) || is_asking(q.y) || is_asking(q.z))) {
        return;
    }
    let five = five_of(p, q);
    let taken = ends(five, 1.0);
    let reach = reach_of(five);
    let rounding = ROUNDING * sum_of(abs(start[p.x].xyz) + reach);
    if (is_apart_along_axes(five.start, taken, max(least_gap, rounding))) {
        return;
    }
    if ((is_tangled(p.x) || is_tangled(p.y)) && (is_tangled(q.x) || is_tangled(q.y) || is_tangled(q.z))) {
        return;
    }
    let largest = largest_part(five);
    let held = ends(five, 0.0);
    if (largest <= 0.0 && is_same(held, five.start)) {
        return;
    }
    if (is_last_look && largest < 0.0) {
        // The first round has told of pairs of pins alone.
        return;
    }
    let is_nothing_left = is_last_look || largest <= 0.0;   // to hold back
    let smallest = smallest_part(five);
    let apart = offset_of_corners(five.start, is_edges);
    let gap = length(apart);
    // A gap that is smaller than the least one, or that rounding has made smaller, may shrink by no more than rounding.
    // Nodes that have yielded hardly move against each other; were none of that allowed, they would stay where they are while the
    // body goes on.
    var kept = select(gap - rounding, YIELDED_KEEP * gap, round.index > 0u);
    if (is_last_look) {
        // It is enough that they do not cross.
        kept = 0.0;
    }
    let least = max(min(least_gap, kept), rounding);
    // Below rounding there is only a proof for those that part.
    let from_gap = select(least, ROUNDING_OF_PAIR * sum_of(reach), gap < least);
    var most = 1.0;
    var proven = 0.0;
    // First what they take now. Then, in later rounds, halfway from there to what the slowest takes, and as much as the slowest.
    for (var attempt = 0u; attempt < 3u; attempt += 1u) {
        if (attempt == 1u) {
            most = 0.5 + 0.5 * smallest;
        } else if (attempt == 2u) {
            most = smallest;
        }
        proven = proven_part(five.start, held, ends(five, most), is_edges, apart, from_gap, least);
        if (proven == 1.0 || round.index < 2u || is_nothing_left || attempt == 2u) {
            break;
        }
    }
    if (is_first && !(gap >= least)) {
        // Only all of their motion or none of it.
        atomicMin(&guards[copy].whole, 0u);
    }
    if (proven == 1.0 && most == 1.0) {
        return;
    }
    if (is_nothing_left) {
        // Pins close the gap.
        atomicAdd(&guards[copy].forced, 1u);
        tangle(p.x);
        tangle(p.y);
        tangle(q.x);
        tangle(q.y);
        tangle(q.z);
        return;
    }
    // Where pins alone close the gap, it does not help to stop the others.
    if (is_first && (proven > 0.0 || is_same(held, five.start))) {
        atomicMin(&guards[copy].whole, bitcast<u32>(proven));
    }
    let bits = bitcast<u32>(most * proven);
    atomicMin(&parts[p.x], bits);
    atomicMin(&parts[p.y], bits);
    atomicMin(&parts[q.x], bits);
    atomicMin(&parts[q.y], bits);
    atomicMin(&parts[q.z], bits);
    atomicAdd(&guards[copy].unproven[round.index], 1u);
}
