// Sweeps on one coarse level of a grid, and interpolation from the level below it. One thread per node.
//!import shared/grid_interpolate.wgsl
//!import shared/grid_smooth.wgsl
//!import shared/launch.wgsl

struct AtLevel {
    index: u32,
}

@group(3) @binding(0) var<uniform> at_level: AtLevel;

// The first sweep, from zero: e = OMEGA D^-1 r. Reads blocks, row 0 of nodes; writes row 1.
@compute @workgroup_size(WORKGROUP_SIZE)
fn begin(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level)) {
        let r = nodes[level.first + index].xyz;
        let e = smoothed(diagonal_of(level, place_of(level, index)), r);
        nodes[level.stride + level.first + index] = vec4f(e, 0.0);
    }
}

// What is left: r - A e. Reads blocks, rows 0 and 1 of nodes; writes row 2.
@compute @workgroup_size(WORKGROUP_SIZE)
fn residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level)) {
        let r = nodes[level.first + index];
        let e = nodes[level.stride + level.first + index].xyz;
        let left = r.xyz - stencil(level, place_of(level, index), e).taken;
        nodes[2u * level.stride + level.first + index] = vec4f(left, r.w);
    }
}

// Adds the correction of the next coarser level. Reads its row 2 of nodes; writes row 1.
@compute @workgroup_size(WORKGROUP_SIZE)
fn prolong(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level)) {
        let place = place_of(level, index);
        let coarse = levels[at_level.index + 1u];
        let base = place.base / (level.columns * level.rows) * (coarse.columns * coarse.rows);
        let e = nodes[level.stride + level.first + index].xyz + interpolated(coarse, base, place.at);
        nodes[level.stride + level.first + index] = vec4f(e, 0.0);
    }
}

// The last sweep. Reads blocks, rows 0 and 1 of nodes; writes row 2.
@compute @workgroup_size(WORKGROUP_SIZE)
fn end(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level)) {
        let e = nodes[level.stride + level.first + index].xyz;
        let node = stencil(level, place_of(level, index), e);
        let better = e + smoothed(node.diagonal, nodes[level.first + index].xyz - node.taken);
        nodes[2u * level.stride + level.first + index] = vec4f(better, 0.0);
    }
}
