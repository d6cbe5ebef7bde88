// Linear interpolation from a coarse level to the next finer one.
//!import methods/newton_multigrid/grid/level.wgsl

// The correction of `level`, a coarse one, at a node of the finer level. Always loads four nodes, some of them twice: loads that
// depend on no condition are on their way together.
fn interpolated(level: Level, base: u32, at: vec2i) -> vec3f {
    let factor = vec2i(level.factor);
    let low = at / factor;
    let odd = at - low * factor;
    let here = coarse_correction(level, index_at(base, low, level.columns));
    let right = coarse_correction(level, index_at(base, low + vec2i(odd.x, 0), level.columns));
    let below = coarse_correction(level, index_at(base, low + vec2i(0, odd.y), level.columns));
    let across = coarse_correction(level, index_at(base, low + odd, level.columns));
    let to_right = odd.x == 1;
    let to_below = odd.y == 1;
    let nothing = vec3f(0.0);
    let total = here + select(nothing, right, to_right) + select(nothing, below, to_below)
        + select(nothing, across, to_right && to_below);
    return total / f32((1 + odd.x) * (1 + odd.y));
}
