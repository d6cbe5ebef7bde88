// Adds the interpolated correction of the first coarse level to the correction of the cloth.
// Reads row 1 of nodes; writes row CORRECTION of work. One thread per node.
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/grid/interpolate.wgsl
//!import methods/newton_multigrid/grid/stored_correction.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import network/grid.wgsl
//!import state/world.wgsl

@compute @workgroup_size(WORKGROUP_SIZE)
fn prolongate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let e = work[CORRECTION * world.node_count + i];
    if (is_pin(e.w)) {
        return;
    }
    let level = levels[0];
    let row = row_of(i);
    let base = row.copy * level.columns * level.rows;
    work[CORRECTION * world.node_count + i] = vec4f(e.xyz + part_of(e.w) * interpolated(level, base, row.at), e.w);
}
