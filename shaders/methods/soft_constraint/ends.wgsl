// Beginning and end of a soft-constraint substep.
//!import core/launch.wgsl
//!import methods/implicit/constraint_ends.wgsl
//!import methods/soft_constraint/bindings.wgsl

// y - x_0 and the matrix G of the node terms. Reads position, velocity, applied, the network; writes rows of anchor. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        let node = free(i, row_of(i));
        set_anchor(i, node.ahead, node);
    }
}

// x+ and v+. Reads rows of anchor; writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        end_free(i, anchor[i].xyz + anchor[MOVED * world.node_count + i].xyz);
    }
}
