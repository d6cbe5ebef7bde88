// One coarse level of a grid on the way up the V-cycle: the interpolated correction of the next coarser level, and one
// smoothing sweep from it. Each node interpolates the corrections of its neighbors again: that takes a few coarse nodes each,
// and a dispatch that stored them would cost more.
//!import core/launch.wgsl
//!import methods/newton_multigrid/grid/interpolate.wgsl
//!import methods/newton_multigrid/grid/stencil.wgsl
//!import methods/newton_multigrid/grid/stored_correction.wgsl
//!import methods/newton_multigrid/stored_contact.wgsl

struct AtLevel {
    index: u32,
}

@group(3) @binding(1) var<uniform> at_level: AtLevel;

fn correction_at(level: Level, base: u32, at: vec2i) -> vec3f {
    let coarse = levels[at_level.index + 1u];
    return interpolated(coarse, base / (level.columns * level.rows) * (coarse.columns * coarse.rows), at);
}

// e <- e + OMEGA D^-1 (r - A e). Reads blocks, row 0 of nodes, row 1 of the next coarser level; writes row 1. One thread
// per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_level(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index < size_of(level) && !is_converged()) {
        let place = place_of(level, index);
        let e = correction_at(level, place.base, place.at);
        let node = stencil(level, place, e);
        let better = e + smoothed(node.diagonal, nodes[right_hand_side_place(level, index)].xyz - node.product);
        nodes[correction_place(level, index)] = vec4f(better, 0.0);
    }
}
