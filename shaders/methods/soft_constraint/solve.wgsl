// Conjugate gradients over springs for the multipliers of soft_constraint/nodes.wgsl, gathered by node: each node reads p
// from its own slots. The preconditioner is the diagonal of S, 1/g_i + 1/g_j + 1/q.
//!import core/launch.wgsl
//!import methods/linear/control.wgsl
//!import methods/soft_constraint/bindings.wgsl
//!import methods/soft_constraint/nodes.wgsl
//!import network/{grid|mesh}.wgsl

// Whether this is the first iteration: lambda = 0, and there is no search direction yet.
override IS_FIRST: bool = false;

fn is_idle(i: u32) -> bool {
    return i >= world.node_count || is_solved(i);
}

// q = k/2 + c/h; a spring with neither is none.
fn grip(link: Link) -> f32 {
    return 0.5 * link.stiffness + link.dashpot / world.step;
}

// 1/q; 0 of an inextensible spring.
fn compliance(link: Link) -> f32 {
    return select(1.0 / grip(link), 0.0, is_inextensible(link.stiffness));
}

fn extent_of(i: u32, link: Link) -> Extent {
    return extent(start[i].xyz - start[link.node].xyz, link.rest_length);
}

// The right-hand side, which is the residual where lambda = 0, the preconditioner and z. Reads start, rows of anchor, the
// network; writes residual, inverse, product and the row of sums. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn compute_right_hand_side(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let row = row_of(i);
    let ahead = anchor[i].xyz;
    var sums = vec2f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let slot = slot_of(row, s);
        let q = grip(link);
        let mobility = anchor[i].w + anchor[link.node].w;
        var r = 0.0;
        var w = 0.0;
        if (q > 0.0 && mobility > 0.0) {
            let spring = extent_of(i, link);
            let apart = dot(spring.direction, ahead - anchor[link.node].xyz);
            let missing = spring.length - link.rest_length;
            if (is_inextensible(link.stiffness)) {
                // As a spring with the damping time h/2: k/q = 1, which brings it to its length within the step.
                r = -missing - apart;
                w = 1.0 / mobility;
            } else {
                r = -link.stiffness / q * missing - apart;
                w = q / (q * mobility + 1.0);
            }
        }
        residual[slot] = r;
        inverse[slot] = w;
        product[slot] = w * r;
        sums += vec2f(w * r * r, r * r);
    }
    anchor[SUMS * world.node_count + i] = vec4f(0.0, sums, 0.0);
}

// p = z + beta p, and G^-1 J^T p. Reads start, anchor, product, linear, the network; writes direction and row MOVED. One
// thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    let row = row_of(i);
    var force = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let slot = slot_of(row, s);
        var p = product[slot];
        if (!IS_FIRST) {
            p += linear[copy_of(i)].beta * direction[slot];
        }
        direction[slot] = p;
        force += p * extent_of(i, link).direction;
    }
    anchor[MOVED * world.node_count + i] = vec4f(moved_by(i, force), 0.0);
}

// S p. Reads start, direction, row MOVED, the network; writes product and the row of sums. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    let row = row_of(i);
    let moved = anchor[MOVED * world.node_count + i].xyz;
    var curvature = 0.0;
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let slot = slot_of(row, s);
        let p = direction[slot];
        var s_p = 0.0;
        if (grip(link) > 0.0) {
            let n = extent_of(i, link).direction;
            s_p = dot(n, moved - anchor[MOVED * world.node_count + link.node].xyz) + p * compliance(link);
        }
        product[slot] = s_p;
        curvature += p * s_p;
    }
    anchor[SUMS * world.node_count + i] = vec4f(curvature, 0.0, 0.0, 0.0);
}

// lambda += alpha p, r -= alpha S p, z = P^-1 r. Reads direction, product, inverse, linear; writes lambda, residual, product
// and the row of sums. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_solution(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    // The first iteration clears the lambda of the substep before, even where there is nothing to solve.
    if (i >= world.node_count || (!IS_FIRST && is_solved(i))) {
        return;
    }
    let row = row_of(i);
    let alpha = linear[copy_of(i)].alpha;
    var sums = vec2f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let slot = slot_of(row, s);
        let step = alpha * direction[slot];
        var had = 0.0;
        if (!IS_FIRST) {
            had = lambda[slot];
        }
        lambda[slot] = had + step;
        let r = residual[slot] - alpha * product[slot];
        let z = inverse[slot] * r;
        residual[slot] = r;
        product[slot] = z;
        sums += vec2f(r * z, r * r);
    }
    anchor[SUMS * world.node_count + i] = vec4f(0.0, sums, 0.0);
}

// G^-1 J^T lambda. Reads start, anchor, lambda, the network; writes row MOVED. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn scatter(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let row = row_of(i);
    var force = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        force += lambda[slot_of(row, s)] * extent_of(i, link_at(row, s)).direction;
    }
    anchor[MOVED * world.node_count + i] = vec4f(moved_by(i, force), 0.0);
}
