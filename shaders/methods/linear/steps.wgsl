// Solvers for A u = b, A symmetric, over the nodes: preconditioned conjugate gradients (M. Hestenes, E. Stiefel, "Methods
// of Conjugate Gradients for Solving Linear Systems", J. Res. Natl. Bur. Stand. 49(6), 1952,
// doi:10.6028/jres.049.044), steepest descent, which forgets the direction before, Jacobi and colored Gauss-Seidel
// sweeps. linear/sums.wgsl adds up what needs sums.
//!import core/launch.wgsl
//!import methods/linear/bindings.wgsl
//!import methods/linear/product.wgsl

// Row of u that a Jacobi sweep reads and the one it writes.
override FROM: u32 = 1u;
override TO: u32 = 2u;

fn is_idle(i: u32) -> bool {
    return i >= world.node_count || is_solved(i);
}

// q = A p. Reads position_in, anchor, row p of work, the network; writes row q. One thread per node.
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

// u += a p, r -= a q, z = P^-1 r in the place of q. Reads linear and rows of work; writes rows of work. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn descend(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    let along = linear[copy_of(i)].along;
    store(SOLUTION, i, vector(SOLUTION, i) + along * vector(DIRECTION, i));
    let r = vector(RESIDUAL, i) - along * vector(PRODUCT, i);
    store(RESIDUAL, i, r);
    store(PRODUCT, i, preconditioned(i, r));
}

// p = z + b p. Reads linear and rows of work; writes row p. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn turn(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    store(DIRECTION, i, vector(PRODUCT, i) + linear[copy_of(i)].kept * vector(DIRECTION, i));
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

// Behind an odd number of Jacobi sweeps: brings the solution where it belongs. Reads and writes rows of work. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn settle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    store(SOLUTION, i, vector(DIRECTION, i));
}

// The nodes of one color of a Gauss-Seidel sweep, in place. A couples no two of them. Reads and writes as `sweep`; one
// thread per node of the color.
@compute @workgroup_size(WORKGROUP_SIZE)
fn visit(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= color.count) {
        return;
    }
    let i = order[color.first + t];
    if (anchor[i].w > 0.0 && !is_solved(i)) {
        let left = vector(RESIDUAL, i) - matrix_times(i, SOLUTION);
        store(SOLUTION, i, vector(SOLUTION, i) + preconditioned(i, left));
    }
}

// What sweeps have left of b, in row q. Reads as `sweep`; writes row q. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn take_residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (is_idle(i)) {
        return;
    }
    if (anchor[i].w > 0.0) {
        store(PRODUCT, i, vector(RESIDUAL, i) - matrix_times(i, SOLUTION));
    }
}
