// Conjugate gradients in an iteration of newton-multigrid: a few steps for A u = g, g the gradient. The preconditioner is a
// V-cycle, z = cycle(r). The cycle is not quite symmetric, so beta comes from a product with q instead of from the
// recurrence (Y. Notay, "Flexible Conjugate Gradients", SIAM J. Sci. Comput. 22(4), 2000, doi:10.1137/S1064827599362314):
//     p = z + beta p,   beta = -(z . q) / (p . q),   q = A p,   u += alpha p,   r -= alpha q,   alpha = (p . r) / (p . q)
// with the p and q of the step before in beta. newton_multigrid/dots.wgsl has the dot products. On hard networks A is the
// projected Newton matrix itself, and only the cycle has at least LEAST_ACROSS across springs, which supports a body as the
// tension of a membrane does. Springs with multipliers have LEAST_ACROSS in both: Newton steps without it overshoot the
// minimum by far.
//!import core/launch.wgsl
//!import methods/newton_multigrid/product.wgsl
//!import state/copies.wgsl

// Whether cycles are slow on the network (src/hierarchy/hardness.rs).
override IS_HARD: bool = false;

// Post-smoothing of the cycle: e + OMEGA D^-1 (r - A e), e of row CORRECTION and r of row 0.
fn smoothed_correction(i: u32) -> vec3f {
    let e = product(i, CORRECTION, least_across(i));
    if (position_in[i].w == 0.0) {
        return vec3f(0.0);
    }
    return e.own + OMEGA * solve(e.diagonal, work[i].xyz - e.product);
}

// The first search direction, the cycle of the gradient, and u = 0. Reads position_in, anchor, rows 0 and 1 of work, the
// network; writes rows 4 and 5 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn first_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    work[SOLUTION * world.node_count + i] = vec4f(0.0);
    work[DIRECTION * world.node_count + i] = vec4f(smoothed_correction(i), 0.0);
}

// z, the cycle of the residual. Reads position_in, anchor, rows 0 and 1 of work, the network; writes row 2 of work. One
// thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn precondition(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    work[RESIDUAL * world.node_count + i] = vec4f(smoothed_correction(i), 0.0);
}

// p = z + beta p. Reads rows 2 and 5 of work; writes row 5. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let beta = control[copy_of(i)].beta;
    let p = work[RESIDUAL * world.node_count + i].xyz + beta * work[DIRECTION * world.node_count + i].xyz;
    work[DIRECTION * world.node_count + i] = vec4f(p, 0.0);
}

// q = A p. Reads position_in, anchor, row 5 of work, the network; writes row 6 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let least = select(least_across(i), 0.0, IS_HARD);
    work[PRODUCT * world.node_count + i] = vec4f(product(i, DIRECTION, least).product, 0.0);
}

// u += alpha p, r -= alpha q, and the pre-smoothing of the next cycle. Reads position_in, anchor, rows 0, 4, 5 and 6 of
// work, the network; writes rows 0, 1 and 4 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_solution(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let alpha = control[copy_of(i)].alpha;
    let n = world.node_count;
    work[SOLUTION * n + i] += alpha * work[DIRECTION * n + i];
    let r = work[i].xyz - alpha * work[PRODUCT * n + i].xyz;
    work[i] = vec4f(r, work[i].w);
    let e = OMEGA * solve(product(i, DIRECTION, least_across(i)).diagonal, r);
    let is_free = anchor[i].w != 0.0;
    work[CORRECTION * n + i] = vec4f(select(vec3f(0.0), e, is_free), work[CORRECTION * n + i].w);
}
