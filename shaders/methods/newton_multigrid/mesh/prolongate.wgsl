// The coarse levels of a network on the way up the V-cycle: the correction of a level is interpolated to the next finer one,
// and smoothed there.
//!import core/launch.wgsl
//!import methods/newton_multigrid/mesh/stencil.wgsl
//!import methods/newton_multigrid/stored_contact.wgsl
//!import methods/newton_multigrid/work_write.wgsl

// Reads row 2 of nodes; writes row 1 of the finer level's. One thread per node of the finer level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn prolongate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < level.finer_nodes && !is_converged()) {
        nodes[LEVEL_INTERPOLATED * level.stride + level.finer_first + i] = vec4f(interpolated(level, i), 0.0);
    }
}

// Reads blocks, rows 0 and 1 of nodes; writes row 2. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_level(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < level.nodes && !is_converged()) {
        smooth_node(level, i);
    }
}

// Adds the interpolated correction of the first level to the correction of the network. Reads row 2 of nodes; writes row
// CORRECTION of work. One thread per node of the network.
@compute @workgroup_size(WORKGROUP_SIZE)
fn prolongate_to_network(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= level.finer_nodes || is_converged()) {
        return;
    }
    let e = work[CORRECTION * level.finer_nodes + i];
    if (is_pin(e.w)) {
        return;
    }
    work[CORRECTION * level.finer_nodes + i] = vec4f(e.xyz + part_of(e.w) * interpolated(level, i), e.w);
}
