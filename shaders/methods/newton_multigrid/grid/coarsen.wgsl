// Makes a coarse level of a grid from the next finer one: K, G and the right-hand side.
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/grid/coarse_operator.wgsl
//!import methods/newton_multigrid/grid/finer_{cloth|level}.wgsl

struct AtLevel {
    index: u32,
}

@group(3) @binding(1) var<uniform> at_level: AtLevel;

// Reads the finer level (cloth or level); writes blocks and row 0 of nodes. part_count() threads per node of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn coarsen(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    let level = levels[at_level.index];
    if (t >= part_count() * size_of(level) || is_converged()) {
        return;
    }
    let place = place_of(level, t % size_of(level));
    let part = t / size_of(level);
    let finer = finer_base(level, place.base / (level.columns * level.rows));
    coarsen_blocks(level, place, finer, part);
    if (is_part(part, STIFF_FAMILIES + 1u)) {
        nodes[right_hand_side_place(level, place.index)] = restricted(level, place, finer);
    }
}

// Restriction alone, where K and G are those of the cycle before. Reads the finer level; writes row 0 of nodes. One thread per
// node of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn restrict_residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let level = levels[at_level.index];
    if (index >= size_of(level) || is_converged()) {
        return;
    }
    let place = place_of(level, index);
    let finer = finer_base(level, place.base / (level.columns * level.rows));
    nodes[right_hand_side_place(level, index)] = restricted(level, place, finer);
}
