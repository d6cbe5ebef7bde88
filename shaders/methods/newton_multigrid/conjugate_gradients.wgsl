// Conjugate gradients in an iteration of newton-multigrid: A p = g to a few steps, each direction what a cycle makes
// of the residual r, conjugate to the last one. The cycle is not quite symmetric, so that its part along the last
// direction is taken out by a product instead of by the recurrence (Y. Notay, "Flexible Conjugate Gradients", SIAM J.
// Sci. Comput. 22(4), 2000, doi:10.1137/S1064827599362314):
//     d = z - (z . q) / (d . q) d,   q = A d,   p += a d,   r -= a q,   a = (d . r) / (d . q)
// newton_multigrid/dots.wgsl finds both factors. On hard networks A is the projected Newton matrix
// itself, and only the cycle has at least LEAST_ACROSS across springs, which holds bodies up as a membrane does; but springs
// with multipliers have it in both, since Newton steps with none at all throw them far beyond the minimum.
//!import core/launch.wgsl
//!import methods/newton_multigrid/product.wgsl
//!import state/copies.wgsl

// Whether cycles are slow on the network (src/hierarchy/hardness.rs).
override IS_HARD: bool = false;

// e after one more sweep for the right side of row 0: e + OMEGA D^-1 (r - A e), e of row 1.
fn smoothed_correction(i: u32) -> vec3f {
    let e = product(i, CORRECTION, least_across(i));
    if (position_in[i].w == 0.0) {
        return vec3f(0.0);
    }
    return e.own + OMEGA * solve(e.diagonal, work[i].xyz - e.taken);
}

// The first direction: the cycle of the gradient. Reads position_in, anchor, rows 0 and 1 of work, the network; writes
// rows 4 and 5 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn set_out(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    work[TAKEN * world.node_count + i] = vec4f(0.0);
    work[DIRECTION * world.node_count + i] = vec4f(smoothed_correction(i), 0.0);
}

// z, the cycle of what is left. Reads position_in, anchor, rows 0 and 1 of work, the network; writes row 2 of work.
// One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn precondition(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    work[LEFT * world.node_count + i] = vec4f(smoothed_correction(i), 0.0);
}

// The next direction. Reads rows 2 and 5 of work; writes row 5. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn turn(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let kept = control[copy_of(i)].kept;
    let d = work[LEFT * world.node_count + i].xyz + kept * work[DIRECTION * world.node_count + i].xyz;
    work[DIRECTION * world.node_count + i] = vec4f(d, 0.0);
}

// q = A d. Reads position_in, anchor, row 5 of work, the network; writes row 6 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let least = select(least_across(i), 0.0, IS_HARD);
    work[PRODUCT * world.node_count + i] = vec4f(product(i, DIRECTION, least).taken, 0.0);
}

// Goes along the direction, and begins the next cycle: its first sweep. Reads position_in, anchor, rows 0, 4, 5 and 6
// of work, the network; writes rows 0, 1 and 4 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn descend(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let along = control[copy_of(i)].along;
    let n = world.node_count;
    work[TAKEN * n + i] += along * work[DIRECTION * n + i];
    let r = work[i].xyz - along * work[PRODUCT * n + i].xyz;
    work[i] = vec4f(r, work[i].w);
    let e = OMEGA * solve(product(i, DIRECTION, least_across(i)).diagonal, r);
    let is_free = anchor[i].w != 0.0;
    work[CORRECTION * n + i] = vec4f(select(vec3f(0.0), e, is_free), work[CORRECTION * n + i].w);
}
