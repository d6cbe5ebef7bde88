// Newton-multigrid, the finest level. An iteration is x <- z - e. e is one V(1,1) cycle of the projected Newton matrix
// A = G + sum K at z, applied to the gradient g, or a few steps of conjugate gradients that such cycles precondition. g is
// the gradient of
//     phi(x) = 1/2 (x - y)^T G (x - y) + sum k/2 (l - r)^2 + sum c/(2h) (n_0 . (e - e_0))^2 + x^T Q x / 2,
// Q bending; G, y and n_0 as in local_global/sweep.wgsl. The smoother is block Jacobi, e <- e + OMEGA D^-1 (g - A e).
// `gradient` pre-smooths, `residual` makes what is restricted, the coarser levels add the coarse-grid correction, and
// `advance` post-smooths and takes the step.
//!import core/launch.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl
//!import methods/newton_multigrid/product.wgsl
//!import methods/newton_multigrid/step_{cycle|cg}.wgsl

@group(2) @binding(3) var<storage, read_write> position_out: array<vec4f>;  // the next z

// The residual r - A e after pre-smoothing, times the node's part, as it is restricted.
// Reads position_in, anchor, rows 0 and 1 of work, the network; writes row 2 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let r = work[i];
    let part = part_of(work[CORRECTION * world.node_count + i].w);
    work[RESIDUAL * world.node_count + i] = vec4f(part * (r.xyz - product(i, CORRECTION, least_across(i)).product), r.w);
}

fn is_touching(i: u32) -> bool {
    return HAS_CONTACT && control[copy_of(i)].is_touching == 1u;
}

// Whether the substep's last iteration is done. The converged iteration still takes its step.
fn is_over() -> bool {
    if (!USE_TOLERANCE) {
        return false;
    }
    return control[0].last < this_iteration.index;
}

// z, or z - x_0.
fn stored(i: u32) -> vec3f {
    if (KEEPS_MOVES) {
        return work[MOVES * world.node_count + i].xyz;
    }
    return position_in[i].xyz;
}

fn put(i: u32, next: vec3f) {
    var z = next;
    if (KEEPS_MOVES) {
        work[MOVES * world.node_count + i] = vec4f(next, 0.0);
        z += anchor[ORIGIN * world.node_count + i].xyz;
    }
    position_out[i] = vec4f(z, position_in[i].w);
}

// The step, where the next iteration starts from x itself.
// Reads position_in, anchor, rows of work, the network; writes position_out. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn advance(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count && !is_over()) {
        put(i, stepped(i, stored(i)));
    }
}

// The step with momentum: the next z is x + momentum (x - x of the iteration before). Reads and writes what `advance` does,
// and row 3 of work.
@compute @workgroup_size(WORKGROUP_SIZE)
fn advance_with_momentum(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_over()) {
        return;
    }
    let z = stored(i);
    let x = stepped(i, z);
    // In the first iteration with momentum, z is still the x before.
    let before = select(
        work[BEFORE * world.node_count + i].xyz, z, this_iteration.is_first_momentum == 1u);
    // A converged iteration ends at x itself. Copies with multipliers have no momentum: it would continue a motion that the
    // multipliers have just undone. Nor have those whose surfaces touch: it would carry pairs on that have just opened.
    let is_last = is_converged() || is_augmented(i) || is_touching(i);
    let momentum = select(this_iteration.momentum, 0.0, is_last);
    put(i, x + momentum * (x - before));
    work[BEFORE * world.node_count + i] = vec4f(x, 0.0);
}
