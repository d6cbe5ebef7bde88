// Makes a coarse level of a network from the next finer one: K, G and the right-hand side.
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/mesh/coarse_operator.wgsl
//!import methods/newton_multigrid/work_read.wgsl

// Reads and writes blocks, row 0 of nodes. One thread per node, and one more per spring.
@compute @workgroup_size(WORKGROUP_SIZE)
fn coarsen(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (is_converged()) {
        return;
    }
    if (t < level.nodes) {
        coarsen_ground(level, t);
        nodes[level.first + t] = restricted(level, t);
    } else if (t < level.nodes + level.springs) {
        coarsen_spring(level, t - level.nodes);
    }
}

// G and the right-hand side of the first level. Reads row RESIDUAL of work; reads and writes blocks, row 0 of nodes. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn coarsen_nodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= level.nodes || is_converged()) {
        return;
    }
    coarsen_ground(level, i);
    nodes[level.first + i] = first_right_hand_side(i);
}

fn first_right_hand_side(i: u32) -> vec4f {
    var total = vec4f(0.0);
    let end = rows[level.restriction + i + 1u];
    for (var k = rows[level.restriction + i]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let entry = entry_at(k, k + n, end);
            total += weight_of(entry) * work[RESIDUAL * level.finer_nodes + entry.words.x];
        }
    }
    return total;
}

// Restriction alone, where K and G are those of the cycle before: to the first level, and to any other. Reads row RESIDUAL
// of work, or row 0 of nodes; writes row 0 of nodes. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn restrict_network_residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < level.nodes && !is_converged()) {
        nodes[level.first + i] = first_right_hand_side(i);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn restrict_residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < level.nodes && !is_converged()) {
        nodes[level.first + i] = restricted(level, i);
    }
}
