// Adds the correction of the first coarse level to the cloth's own.
// Reads row 1 of nodes; writes row 1 of work. One thread per node.
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/grid/interpolate.wgsl
//!import methods/newton_multigrid/grid/stored_correction.wgsl
//!import network/grid.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read_write> work: array<vec4f>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn prolong(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let e = work[world.node_count + i];
    if (e.w == 0.0) {
        return; // a pin
    }
    let level = levels[0];
    let row = row_of(i);
    let base = row.copy * level.columns * level.rows;
    work[world.node_count + i] = vec4f(e.xyz + abs(e.w) * interpolated(level, base, row.at), e.w);
}
