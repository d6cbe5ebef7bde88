// Pairs of surfaces in touch as rows of the system that soft_constraint/solve.wgsl has for springs. J is the row of a pair's weights, n its
// normal, e and t its stiffness along and across n, and F the force where nodes are at y (contact/press.wgsl, contact/rub.wgsl). What is left
// of it where they are at y + u' is a multiplier p [N] in another scale:
//     F - E J u' = H p,   E = e n n^T + t (I - n n^T),   H = n n^T + sqrt(t / e) (I - n n^T)
// E is e H^2, so that these rows are as symmetric as those of springs, and exist where nothing holds across n:
//     p / e + H J u' = H^-1 F / e,   u' = G^-1 (J^T H p + what springs do)
// The preconditioner is the diagonal, with the scalar part of G.
//!import contact/listed.wgsl
//!import contact/pressed.wgsl
//!import core/launch.wgsl
//!import methods/linear/control.wgsl
//!import methods/soft_constraint/bindings.wgsl
//!import methods/soft_constraint/nodes.wgsl

// Two vectors of each slot: p [N], and the preconditioner along n [N/m]; the residual r [m], and the preconditioner across n.
@group(2) @binding(0) var<storage, read_write> pair_solution: array<vec4f>;
// Two more: the search direction d [N], and its product with the matrix [m].
@group(2) @binding(1) var<storage, read_write> pair_search: array<vec4f>;
@group(2) @binding(8) var<storage, read> press_normals: array<vec4f>;

// Whether this is the first iteration: there is no search direction yet.
override IS_FIRST: bool = false;

struct Pair {
    normal: vec3f,
    along: f32,         // e; 0: does not touch
    across: f32,        // sqrt(t / e)
    weights: vec3f,     // of the corners
}

fn pair_at(s: u32) -> Pair {
    let normal = press_normals[NORMALS * s + PRESS_NORMAL];
    let weights = presses[PRESSES * s + PRESS_WEIGHTS];
    return Pair(normal.xyz, normal.w, select(0.0, sqrt(weights.w / normal.w), normal.w > 0.0), weights.xyz);
}

// v, multiplied along n and across it.
fn split(pair: Pair, v: vec3f, along: f32, across: f32) -> vec3f {
    let part = dot(pair.normal, v) * pair.normal;
    return along * part + across * (v - part);
}

// Whether s is a slot before `end` that has a pair.
fn has_pair(s: u32, end: u32) -> bool {
    return s < end && !is_empty(s);
}

// P^-1 r.
fn preconditioned(pair: Pair, s: u32) -> vec3f {
    return split(pair, pair_solution[2u * s + 1u].xyz, pair_solution[2u * s].w, pair_solution[2u * s + 1u].w);
}

// Both ends of a spring count it, so pairs count twice, too.
fn add_sums(v: u32, sums: vec3f) {
    anchor[SUMS * world.node_count + v] += vec4f(2.0 * sums, 0.0);
}

// p = 0, the residual and the preconditioner. Reads slots, presses, press_normals; reads and writes anchor; writes pair_solution. One thread per
// listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn begin_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    var sums = vec2f(0.0);
    for (var s = SLOTS * v; has_pair(s, SLOTS * (v + 1u)); s += 1u) {
        let pair = pair_at(s);
        pair_solution[2u * s] = vec4f(0.0);
        pair_solution[2u * s + 1u] = vec4f(0.0);
        if (pair.along == 0.0) {
            continue;
        }
        let t = slots[s].triangle;
        let mobility = anchor[v].w + dot(pair.weights * pair.weights, vec3f(anchor[t.x].w, anchor[t.y].w, anchor[t.z].w));
        let square = pair.across * pair.across;
        let inverse = vec2f(1.0, 1.0) / (vec2f(1.0 / pair.along) + mobility * vec2f(1.0, square));
        let held = select(0.0, 1.0 / (pair.across * pair.along), pair.across * pair.along > 0.0);
        let r = split(pair, presses[PRESSES * s + PRESS_FORCE].xyz, 1.0 / pair.along, held);
        pair_solution[2u * s].w = inverse.x;
        pair_solution[2u * s + 1u] = vec4f(r, inverse.y);
        sums += vec2f(dot(r, preconditioned(pair, s)), dot(r, r));
    }
    add_sums(v, vec3f(0.0, sums));
}

// d = P^-1 r + beta d, and H d. Reads slots, press_normals, pair_solution, linear; reads and writes pair_search, presses. One thread per listed
// node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_pair_directions(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_solved(listed(place))) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; has_pair(s, SLOTS * (v + 1u)); s += 1u) {
        let pair = pair_at(s);
        var d = preconditioned(pair, s);
        if (!IS_FIRST) {
            d += linear[copy_of(v)].beta * pair_search[2u * s].xyz;
        }
        pair_search[2u * s] = vec4f(d, 0.0);
        presses[PRESSES * s + PRESS_FORCE] = vec4f(split(pair, d, 1.0, pair.across), 0.0);
    }
}

// H p. Reads slots, press_normals, pair_solution; reads and writes presses. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn scatter_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; has_pair(s, SLOTS * (v + 1u)); s += 1u) {
        let pair = pair_at(s);
        presses[PRESSES * s + PRESS_FORCE] = vec4f(split(pair, pair_solution[2u * s].xyz, 1.0, pair.across), 0.0);
    }
}

// What pairs add to row MOVED. Reads slots, presses, rows, linear; reads and writes anchor. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn move_by_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_solved(listed(place))) {
        return;
    }
    let i = listed(place);
    anchor[MOVED * world.node_count + i] += vec4f(moved_by(i, sum_of_presses(i)), 0.0);
}

// The matrix times d. Reads slots, presses, press_normals, linear; reads and writes pair_search, anchor. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_solved(listed(place))) {
        return;
    }
    let v = listed(place);
    let first = MOVED * world.node_count;
    var curvature = 0.0;
    for (var s = SLOTS * v; has_pair(s, SLOTS * (v + 1u)); s += 1u) {
        let pair = pair_at(s);
        if (pair.along == 0.0) {
            continue;
        }
        let t = slots[s].triangle;
        let w = pair.weights;
        let apart = anchor[first + v].xyz - w.x * anchor[first + t.x].xyz - w.y * anchor[first + t.y].xyz - w.z * anchor[first + t.z].xyz;
        let d = pair_search[2u * s].xyz;
        let product = split(pair, apart, 1.0, pair.across) + d / pair.along;
        pair_search[2u * s + 1u] = vec4f(product, 0.0);
        curvature += dot(d, product);
    }
    add_sums(v, vec3f(curvature, 0.0, 0.0));
}

// p += alpha d, r -= alpha times its product. Reads slots, presses, press_normals, pair_search, linear; reads and writes pair_solution, anchor. One
// thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_solved(listed(place))) {
        return;
    }
    let v = listed(place);
    let alpha = linear[copy_of(v)].alpha;
    var sums = vec2f(0.0);
    for (var s = SLOTS * v; has_pair(s, SLOTS * (v + 1u)); s += 1u) {
        let pair = pair_at(s);
        if (pair.along == 0.0) {
            continue;
        }
        pair_solution[2u * s] += vec4f(alpha * pair_search[2u * s].xyz, 0.0);
        pair_solution[2u * s + 1u] -= vec4f(alpha * pair_search[2u * s + 1u].xyz, 0.0);
        let r = pair_solution[2u * s + 1u].xyz;
        sums += vec2f(dot(r, preconditioned(pair, s)), dot(r, r));
    }
    add_sums(v, vec3f(0.0, sums));
}
