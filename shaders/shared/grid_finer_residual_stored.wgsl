// What restriction sums on a finer level that is a coarse one: residual and share of the objective, from storage.
//!import shared/grid_levels.wgsl

fn finer_residual(level: Level, base: u32, at: vec2i) -> vec4f {
    return nodes[2u * level.stride + level.finer_first + index_at(base, at, level.finer_columns)];
}
