// Quadratic bending of a coarse grid level: the bending energy on the level's own spacing. Hinges weigh as much as the finer
// hinges that they interpolate to (grid_table.rs); else corrections would overshoot.
//!import methods/newton_multigrid/grid/level.wgsl
//!import network/spring.wgsl

fn level_weights(level: Level, copy: u32) -> vec3f {
    if (!HAS_BENDING) {
        return vec3f(0.0);
    }
    return level_bends[level.first_bend + copy].xyz;
}

// Whether a hinge is centered on node k of a line of n.
fn hinge(k: i32, n: u32) -> f32 {
    return select(0.0, 1.0, k > 0 && k < i32(n) - 1);
}

fn border_share(k: i32, n: u32) -> f32 {
    return select(1.0, 0.5, k == 0 || k == i32(n) - 1);
}

// kappa of the pair of nodes that a spring of the family from `start` would join: the sum of -c_a c_b over the hinges
// (1, -2, 1) and the cells (1, -1, -1, 1) that hold both nodes. `weights` are those of `level_weights`.
fn level_bend(level: Level, weights: vec3f, family: u32, start: vec2i) -> f32 {
    if (!HAS_BENDING) {
        return 0.0;
    }
    let hinges_in_row = weights.x * border_share(start.y, level.rows);
    let hinges_in_column = weights.y * border_share(start.x, level.columns);
    switch family {
        case 0u: {
            let cells = 2.0 * weights.z * border_share(start.y, level.rows);
            return 2.0 * hinges_in_row * (hinge(start.x, level.columns) + hinge(start.x + 1, level.columns)) + cells;
        }
        case 1u: {
            let cells = 2.0 * weights.z * border_share(start.x, level.columns);
            return 2.0 * hinges_in_column * (hinge(start.y, level.rows) + hinge(start.y + 1, level.rows)) + cells;
        }
        case 2u, 3u: { return -weights.z; }
        case 4u: { return -hinges_in_row * hinge(start.x + 1, level.columns); }
        default: { return -hinges_in_column * hinge(start.y + 1, level.rows); }
    }
}

// G of a node. Where a node stands for pins only, zero is stored, and the node is held by its bending stiffness instead: a
// free node would turn a clamp into a hinge.
fn ground_block(level: Level, weights: vec3f, index: u32, at: vec2i) -> Symmetric {
    var block = load_block(level, GROUND, index);
    if (HAS_BENDING) {
        let is_empty = block.diagonal.x + block.diagonal.y + block.diagonal.z == 0.0;
        block.diagonal = select(block.diagonal, vec3f(level_majorant(level, weights, at)), is_empty);
    }
    return block;
}

// The sum of max(kappa, 0) over the pairs of a node. Only pairs along rows and columns have positive kappa.
fn level_majorant(level: Level, weights: vec3f, at: vec2i) -> f32 {
    var total = 0.0;
    for (var family = 0u; family < 2u; family += 1u) {
        let offset = offset_of(family);
        let ahead = level_bend(level, weights, family, at);
        let behind = level_bend(level, weights, family, at - offset);
        total += select(0.0, ahead, is_inside(at + offset, level.columns, level.rows));
        total += select(0.0, behind, is_inside(at - offset, level.columns, level.rows));
    }
    return total;
}
