// The finer level of `coarsen`: the cloth itself, with stiffness from the positions. Same functions as
// newton_multigrid/grid/finer_level.wgsl.
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/grid/level.wgsl
//!import methods/newton_multigrid/held.wgsl
//!import methods/newton_multigrid/work_read.wgsl

fn finer_base(level: Level, copy: u32) -> u32 {
    return copy * level.finer_columns * level.finer_rows;
}

// Stiffness of the spring of a family that starts at a node; nothing where it ends at a pin.
fn finer_block(level: Level, family: u32, base: u32, at: vec2i) -> Symmetric {
    let end = at + offset_of(family);
    if (!is_inside(at, grid.columns, grid.rows) || !is_inside(end, grid.columns, grid.rows)) {
        return NOTHING;
    }
    let a = index_at(base, at, grid.columns);
    let b = index_at(base, end, grid.columns);
    if (position_in[a].w == 0.0 || position_in[b].w == 0.0) {
        return NOTHING;
    }
    let link = family_link(a, at, family);
    let slot = grid.families[family].slot;
    if (is_augmented(a)) {
        return spring_block(a, b, slot, link, multiplier_of(row_of(a), slot, true), true);
    }
    return spring_block(a, b, slot, link, 0.0, false);
}

fn finer_ground(level: Level, base: u32, at: vec2i) -> Symmetric {
    let i = index_at(base, at, grid.columns);
    return ground_block_with_pins(i, work[CORRECTION * world.node_count + i].w);
}

fn finer_residual(level: Level, base: u32, at: vec2i) -> vec4f {
    return work[RESIDUAL * world.node_count + index_at(base, at, grid.columns)];
}
