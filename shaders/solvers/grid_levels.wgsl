// One coarse level of a grid on the way up: interpolation from the level below it, then a sweep.
// One thread per node.
//!import shared/grid_interpolate.wgsl
//!import shared/grid_smooth.wgsl
//!import shared/launch.wgsl

struct AtLevel {
    index: u32,
}

@group(3) @binding(1) var<uniform> at_level: AtLevel;

// The correction of the next coarser level, interpolated. Reads its row 2 of nodes; writes row 1.
@compute @workgroup_size(WORKGROUP_SIZE)
fn prolong(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level) && !is_converged()) {
        let place = place_of(level, index);
        let coarse = levels[at_level.index + 1u];
        let base = place.base / (level.columns * level.rows) * (coarse.columns * coarse.rows);
        nodes[level.stride + level.first + index] = vec4f(interpolated(coarse, base, place.at), 0.0);
    }
}

// The sweep e <- e + OMEGA D^-1 (r - A e). Reads blocks, rows 0 and 1 of nodes; writes row 2.
@compute @workgroup_size(WORKGROUP_SIZE)
fn relax(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level) && !is_converged()) {
        let e = nodes[level.stride + level.first + index].xyz;
        let node = stencil(level, place_of(level, index), e);
        let better = e + smoothed(node.diagonal, nodes[level.first + index].xyz - node.taken);
        nodes[2u * level.stride + level.first + index] = vec4f(better, 0.0);
    }
}
