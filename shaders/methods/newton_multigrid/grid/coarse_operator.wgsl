// The coarse-grid operator, which is averages of stiffness and sums of ground blocks, and the restriction of residuals.
//!import core/width.wgsl
//!import methods/newton_multigrid/grid/level.wgsl

// The coarsening factors of all levels that a pipeline is used for, where these agree; 0: they do not. With constants the
// driver unrolls the loops below and loads each position once.
override FACTOR_COLUMNS: u32 = 0u;
override FACTOR_ROWS: u32 = 0u;

fn factor_of(level: Level) -> vec2u {
    return select(level.factor, vec2u(FACTOR_COLUMNS, FACTOR_ROWS), FACTOR_COLUMNS > 0u);
}

// The finer springs or nodes that a coarse one sums, along one direction.
struct Taps {
    first: i32,
    count: i32,
    outer: f32,     // weight of the first and the last of three; all others weigh 1
}

// Springs of offset `offset` that lie inside a coarse one, or nodes around a coarse one (offset 0).
fn taps(at: i32, offset: i32, factor: u32) -> Taps {
    if (factor == 1u) {
        return Taps(at, 1, 1.0);
    }
    if (offset == 0) {
        return Taps(2 * at - 1, 3, 0.5);
    }
    if (abs(offset) == 1) {
        return Taps(2 * at + min(offset, 0), 2, 1.0);
    }
    return Taps(2 * at, 3, 0.5);
}

fn weight(t: Taps, k: i32) -> f32 {
    return select(1.0, t.outer, t.count == 3 && k != 1);
}

struct Tap {
    at: vec2i,      // column, row
    weight: f32,
}

// One of the taps. Where there is no such node, the first node of all counts nothing: loads that depend on no condition are on their
// way together.
fn tap_at(level: Level, across: Taps, down: Taps, k: vec2i) -> Tap {
    let at = vec2i(across.first + k.x, down.first + k.y);
    let is_there = is_inside(at, level.finer_columns, level.finer_rows);
    return Tap(select(vec2i(0), at, is_there), select(0.0, weight(across, k.x) * weight(down, k.y), is_there));
}

// Sum over the finer springs of one family by their taps.
fn gathered(level: Level, family: u32, base: u32, across: Taps, down: Taps) -> Symmetric {
    var total = NOTHING;
    for (var r = 0; r < down.count; r += 1) {
        for (var c = 0; c < across.count; c += 1) {
            let block = finer_block(level, family, base, vec2i(across.first + c, down.first + r));
            total = sum(total, scaled(weight(across, c) * weight(down, r), block));
        }
    }
    return total;
}

// K of a coarse spring. It is twice as long and sums two rows: a quarter of the sum keeps a constant K.
fn coarse_block(level: Level, family: u32, base: u32, at: vec2i) -> Symmetric {
    let offset = offset_of(family);
    let across = taps(at.x, offset.x, factor_of(level).x);
    let down = taps(at.y, offset.y, factor_of(level).y);
    // Interpolation halves the difference along each direction that a spring runs in and that is coarser.
    let is_along = vec2f(abs(sign(vec2f(offset))));
    let is_coarser = vec2f(factor_of(level) - vec2u(1u));
    let halved = dot(is_along, is_coarser);
    let is_strip = factor_of(level).x != factor_of(level).y;
    var scale = select(1.0, 0.25, halved > 0.0);
    if (is_strip && all(offset != vec2i(0))) {
        scale = 0.5;
    }
    var block = scaled(scale, gathered(level, family, base, across, down));
    if (is_strip && family < 2u) {
        block = sum(block, from_diagonals(level, family == select(1u, 0u, factor_of(level).x == 2u), base, at));
    }
    return block;
}

// Where only one direction becomes coarser (strips), a diagonal does not fit into one coarse spring: with linear
// interpolation along the strip half of it goes to the coarse diagonal, half to the spring across the strip at its
// even end, and -1/4 to the spring along the strip at its odd end.
fn from_diagonals(level: Level, is_along: bool, base: u32, at: vec2i) -> Symmetric {
    let runs_in_columns = factor_of(level).x == 2u;
    let step = select(vec2i(0, 1), vec2i(1, 0), runs_in_columns);
    let aside = vec2i(1) - step;
    let even = at * vec2i(factor_of(level));
    var total = NOTHING;
    // Two of each family: (1, 1) leaves even along the strip and arrives even from one before; (-1, 1) runs the other way in columns.
    for (var family = 2u; family < 4u; family += 1u) {
        var first = select(even, even - aside, is_along);
        if (family == 3u) {
            first = select(even + aside, select(even + step, even + 2 * step - aside, is_along), runs_in_columns);
        }
        let second = select(first - step, even + step, is_along);
        total = sum(total, sum(finer_block(level, family, base, first), finer_block(level, family, base, second)));
    }
    return scaled(select(0.5, -0.25, is_along), total);
}

// What is made of a coarse node are its matrices, one after another, and its right-hand side. On a wide adapter a thread makes one of
// these parts only. Threads for each coarse node:
fn part_count() -> u32 {
    return select(1u, STIFF_FAMILIES + 2u, IS_WIDE);
}

fn is_part(part: u32, wanted: u32) -> bool {
    return !IS_WIDE || part == wanted;
}

// Stores K and G of a coarse node, or the part of them that is asked for.
fn coarsen_blocks(level: Level, place: Place, finer: u32, part: u32) {
    for (var family = 0u; family < STIFF_FAMILIES; family += 1u) {
        if (is_part(part, family)) {
            store_block(level, family, place.index, coarse_block(level, family, finer, place.at));
        }
    }
    if (!is_part(part, STIFF_FAMILIES)) {
        return;
    }
    let across = taps(place.at.x, 0, factor_of(level).x);
    let down = taps(place.at.y, 0, factor_of(level).y);
    var ground = NOTHING;
    for (var r = 0; r < down.count; r += 1) {
        for (var c = 0; c < across.count; c += 1) {
            let tap = tap_at(level, across, down, vec2i(c, r));
            ground = sum(ground, scaled(tap.weight, finer_ground(level, finer, tap.at)));
        }
    }
    store_block(level, GROUND, place.index, ground);
}

// Restriction, the transpose of linear interpolation. The weights of each finer node sum to one, and so does the
// objective in the fourth component.
fn restricted(level: Level, place: Place, finer: u32) -> vec4f {
    let across = taps(place.at.x, 0, factor_of(level).x);
    let down = taps(place.at.y, 0, factor_of(level).y);
    var total = vec4f(0.0);
    for (var r = 0; r < down.count; r += 1) {
        for (var c = 0; c < across.count; c += 1) {
            let tap = tap_at(level, across, down, vec2i(c, r));
            total += tap.weight * finer_residual(level, finer, tap.at);
        }
    }
    return total;
}
