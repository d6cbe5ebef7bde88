// Solvers for A u = b, A symmetric, over the nodes: preconditioned conjugate gradients (M. Hestenes, E. Stiefel, "Methods
// of Conjugate Gradients for Solving Linear Systems", J. Res. Natl. Bur. Stand. 49(6), 1952,
// doi:10.6028/jres.049.044), steepest descent (the same with beta = 0), Jacobi and colored Gauss-Seidel sweeps. Names as in
// Y. Saad, "Iterative Methods for Sparse Linear Systems", 2nd ed., 2003, algorithm 9.1. linear/sums.wgsl has the dot products.
//!import core/launch.wgsl
//!import methods/linear/bindings.wgsl
//!import methods/linear/product.wgsl

// The rows of u that a Jacobi sweep reads and writes.
override FROM: u32 = 1u;
override TO: u32 = 2u;

fn is_idle(i: u32) -> bool {
    return i >= world.node_count || is_solved(i);
}

// q = A p. Reads position_in, anchor, row DIRECTION of work, the network; writes row PRODUCT. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    if (anchor[i].w > 0.0) {
        store(PRODUCT, i, matrix_times(i, DIRECTION));
    }
}

// u += alpha p, r -= alpha q, z = P^-1 r, which replaces q. Reads linear and rows of work; writes rows of work.
// One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_solution(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    let alpha = linear[copy_of(i)].alpha;
    store(SOLUTION, i, vector(SOLUTION, i) + alpha * vector(DIRECTION, i));
    let r = vector(RESIDUAL, i) - alpha * vector(PRODUCT, i);
    store(RESIDUAL, i, r);
    store(PRODUCT, i, preconditioned(i, r));
}

// p = z + beta p. Reads linear and rows of work; writes row DIRECTION. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn update_direction(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    store(DIRECTION, i, vector(PRODUCT, i) + linear[copy_of(i)].beta * vector(DIRECTION, i));
}

// A Jacobi sweep, u + P^-1 (b - A u). Reads position_in, anchor, rows of work, the network; writes row TO. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn sweep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    if (anchor[i].w > 0.0) {
        store(TO, i, vector(FROM, i) + preconditioned(i, vector(RESIDUAL, i) - matrix_times(i, FROM)));
    }
}

// Copies the solution to its own row after an odd number of Jacobi sweeps. Reads and writes rows of work. One thread per
// node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn copy_solution(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    store(SOLUTION, i, vector(DIRECTION, i));
}

// A Gauss-Seidel sweep over the nodes of one color, in place. A couples no two of these nodes. Reads what `sweep` reads;
// writes row SOLUTION. One thread per node of the color.
@compute @workgroup_size(WORKGROUP_SIZE)
fn sweep_color(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= color.count) {
        return;
    }
    let i = order[color.first + t];
    if (anchor[i].w > 0.0 && !is_solved(i)) {
        let r = vector(RESIDUAL, i) - matrix_times(i, SOLUTION);
        store(SOLUTION, i, vector(SOLUTION, i) + preconditioned(i, r));
    }
}

// The residual b - A u of sweeps. Reads what `sweep` reads; writes row PRODUCT. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn compute_residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    if (anchor[i].w > 0.0) {
        store(PRODUCT, i, vector(RESIDUAL, i) - matrix_times(i, SOLUTION));
    }
}
