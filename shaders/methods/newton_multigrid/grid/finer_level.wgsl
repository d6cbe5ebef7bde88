// The finer level of `coarsen`: another coarse level. Same functions as newton_multigrid/grid/finer_cloth.wgsl.
//!import methods/newton_multigrid/grid/bending.wgsl
//!import methods/newton_multigrid/grid/level.wgsl

fn finer_level(level: Level) -> Level {
    var finer = level;
    finer.columns = level.finer_columns;
    finer.rows = level.finer_rows;
    finer.first = level.finer_first;
    finer.first_bend = level.first_bend - level.copies; // without bending neither is used
    return finer;
}

fn finer_base(level: Level, copy: u32) -> u32 {
    return copy * level.finer_columns * level.finer_rows;
}

// Stiffness of the spring of a family that starts at a node; nothing where there is no such node.
fn finer_block(level: Level, family: u32, base: u32, at: vec2i) -> Symmetric {
    if (!is_inside(at, level.finer_columns, level.finer_rows)) {
        return NOTHING;
    }
    return load_block(finer_level(level), family, index_at(base, at, level.finer_columns));
}

fn finer_ground(level: Level, base: u32, at: vec2i) -> Symmetric {
    let finer = finer_level(level);
    let weights = level_weights(finer, base / (finer.columns * finer.rows));
    return ground_block(finer, weights, index_at(base, at, finer.columns), at);
}

// What restriction sums: right-hand side and share of the objective.
fn finer_residual(level: Level, base: u32, at: vec2i) -> vec4f {
    return nodes[level.finer_first + index_at(base, at, level.finer_columns)];
}
