// What friction of a pair foresees in the first iterations. y is where nodes go alone, without contact.
//     k_t = min(k, mu f* / max(|u|, |u*| - c, LEAST_SLIP)),    c = sum |w_i| L_i h^2 / m_i
//     f*  = min(f, f_n + k max(q(y) - q(x_n), 0) / (1 + SHARED k a)),    a = sum w_i^2 h^2 / m_i
// u* is the slip at y. c is what friction shortens it by: L_i is the sum of |w_i| mu f* of all pairs at node i (gather.wgsl). Where c is too large, |u| decides.
// Where it is too small, as springs carry friction from node to node, friction would be, too: after FORESEEN iterations |u| decides alone, and f.
// f is k times an overlap that the first iterates do not have yet: all of the way to y where layers land, many times as much as what stops them. Friction would
// stick, and let go slowly later, where |u| is short. f_n is the force at x_n, no more than the load that the pair has had lately, if any: what landed in the
// substep before still overlaps. q is the overlap, along n, from 0 on. What y adds to it a pair alone would stop with k q / (1 + k a). Nodes have more than one.
// Where springs or others press on both sides, f* is too small. Of sheets that meet in the air it is up to twice too large.
// Files that import this declare `start`, `anchor` and `loads` as contact/meet.wgsl.
//!import contact/iterate_{numbered|swept}.wgsl
//!import contact/moved.wgsl
//!import contact/onset.wgsl
//!import contact/touch_slot.wgsl

const FORESEEN: u32 = 2u;
// Not where the first iteration is often the last.
override FORESEES_FORCE: bool = true;
// Of a sheet that lands on an equal one, which something holds, a node moves by 2 f h^2 / m, with a pair of its own and about one as a corner. a is 4/3 h^2 / m.
const SHARED: f32 = 1.5;

// As moved_against, all the way to y.
fn alone_against(v: u32, t: vec3u, w: vec3f) -> vec3f {
    return moved_alone(v) - w.x * moved_alone(t.x) - w.y * moved_alone(t.y) - w.z * moved_alone(t.z);
}

// c.
fn stopped_against(v: u32, t: vec3u, w: vec3f) -> f32 {
    return stopped_by(v) + dot(abs(w), vec3f(stopped_by(t.x), stopped_by(t.y), stopped_by(t.z)));
}

fn stopped_by(i: u32) -> f32 {
    return loads[i] * yield_of(i);
}

// The bound on f. `load`: what the pair has kept of it.
fn foreseen_force(slot: Slot, v: u32, at: Touch, stiffness: f32, onset: f32, load: f32) -> f32 {
    let t = slot.triangle;
    let part = part_of_slot(slot, at.weights);
    let thickness = thickness_of(slot);
    let overlap = thickness - at.distance;
    let way = part * dot(moved_against(v, t, at.weights), at.normal);
    let began = overlap + way;
    let alone = began - part * dot(alone_against(v, t, at.weights), at.normal);
    let had = respond(thickness - began, thickness, stiffness, onset).press.force;
    let lasts = select(had, min(had, load), load > 0.0);
    let yields = vec3f(yield_of(t.x), yield_of(t.y), yield_of(t.z));
    let gives = part * part * (yield_of(v) + dot(at.weights * at.weights, yields));
    return part * (lasts + stiffness / (1.0 + SHARED * stiffness * gives) * max(max(alone, 0.0) - max(began, 0.0), 0.0));
}
