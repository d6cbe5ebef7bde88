// Corrections of a coarse level in storage.
//!import shared/grid_levels.wgsl

fn correction_at(level: Level, base: u32, index: u32) -> vec3f {
    return nodes[level.stride + level.first + index].xyz;
}
