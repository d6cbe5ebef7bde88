// Beginning and end of a substep of vbd.
//!import core/launch.wgsl
//!import methods/implicit/adaptive_start.wgsl

// The minimizer y of the node terms, their matrix G, and the start vector. Reads position, velocity, applied, gained; writes anchor and iterate. One
// thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        begin_adaptively(i);
    }
}

// v+ = (x+ - x_0) / h exp(-drag h). Reads iterate and anchor; writes position, velocity, gained. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        end_adaptively(i, iterate[i].xyz);
    }
}
