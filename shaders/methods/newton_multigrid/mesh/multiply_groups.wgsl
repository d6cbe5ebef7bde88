// The groups of contact on one coarse level of a network, times the interpolated correction of the next coarser level.
//!import contact/groups/multiply.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/mesh/bindings.wgsl

@group(3) @binding(2) var<uniform> group_level: GroupLevel;

fn vector_at(node: u32) -> vec3f {
    return nodes[LEVEL_INTERPOLATED * group_level.all_nodes + node].xyz;
}

// Reads rows, group_stiffness, row 1 of nodes; writes group_products. One thread per slot, of the first level of a listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_groups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = slot_of_thread(thread_index(id, groups));
    if (t < GROUP_SLOTS * group_level.nodes && !is_converged()) {
        multiply_group(GROUP_SLOTS * group_level.first + t);
    }
}
