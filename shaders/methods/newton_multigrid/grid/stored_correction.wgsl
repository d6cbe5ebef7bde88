// The final corrections of a coarse level, in the storage buffer.
//!import methods/newton_multigrid/grid/level.wgsl

fn coarse_correction(level: Level, index: u32) -> vec3f {
    return nodes[correction_place(level, index)].xyz;
}
