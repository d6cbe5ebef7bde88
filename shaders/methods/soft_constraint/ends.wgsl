// Beginning and end of a soft-constraint substep.
//!import core/launch.wgsl
//!import methods/implicit/constraint_ends.wgsl
//!import methods/soft_constraint/bindings.wgsl

// y and the matrix G of the node terms. Reads position, velocity, applied, the network; writes rows of anchor. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        let node = begin_free(i, row_of(i));
        anchor[AHEAD * world.node_count + i] = vec4f(node.ahead, 0.0);
    }
}

// x+ and v+. Reads rows of anchor; writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        end_free(i, anchor[AHEAD * world.node_count + i].xyz + anchor[MOVED * world.node_count + i].xyz);
    }
}
