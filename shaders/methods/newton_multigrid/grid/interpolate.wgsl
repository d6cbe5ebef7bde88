// Linear interpolation from a coarse level to the next finer one.
//!import methods/newton_multigrid/grid/level.wgsl

// The correction of `level`, a coarse one, at a node of the finer level.
fn interpolated(level: Level, base: u32, at: vec2i) -> vec3f {
    let factor = vec2i(level.factor);
    let low = at / factor;
    let odd = at - low * factor;
    var total = vec3f(0.0);
    for (var r = 0; r <= odd.y; r += 1) {
        for (var c = 0; c <= odd.x; c += 1) {
            total += coarse_correction(level, index_at(base, low + vec2i(c, r), level.columns));
        }
    }
    return total / f32((1 + odd.x) * (1 + odd.y));
}
