// The groups of contact on one coarse level of a grid, times the interpolated correction of the next coarser level.
//!import contact/groups/multiply.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/grid/interpolate.wgsl
//!import methods/newton_multigrid/grid/stored_correction.wgsl

@group(3) @binding(1) var<uniform> group_level: GroupLevel;

fn vector_at(node: u32) -> vec3f {
    let level = levels[group_level.index];
    let place = place_of(level, node - level.first);
    let coarse = levels[group_level.index + 1u];
    return interpolated(coarse, place.base / (level.columns * level.rows) * (coarse.columns * coarse.rows), place.at);
}

// Reads rows, group_stiffness, row 1 of the next coarser level's nodes; writes group_products. One thread per slot, of the first level of a listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_groups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = slot_of_thread(thread_index(id, groups));
    if (t < GROUP_SLOTS * group_level.nodes && !is_converged()) {
        multiply_group(GROUP_SLOTS * group_level.first + t);
    }
}
