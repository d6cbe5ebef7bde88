// The coarsest level of a grid, solved exactly: its inverse matrix, computed once, times the right-hand side.
//!import core/dense.wgsl
//!import methods/newton_multigrid/grid/bending.wgsl
//!import methods/newton_multigrid/grid/level.wgsl

// A of the coarsest level: G + sum of (K + kappa) on the diagonal, minus those beside it.
fn assemble(level: Level, copy: u32, local: u32) {
    clear_dense(local);
    workgroupBarrier();
    let of_copy = level.columns * level.rows;
    for (var row = local; row < of_copy; row += DENSE_SIZE) {
        let place = place_of(level, copy * of_copy + row);
        let weights = level_weights(level, copy);
        var diagonal = ground_block(level, weights, place.index, place.at);
        for (var family = 0u; family < FAMILIES; family += 1u) {
            let ahead = place.at + offset_of(family);
            if (is_inside(ahead, level.columns, level.rows)) {
                let block = bent_block(level, weights, family, place.index, place.at);
                diagonal = sum(diagonal, block);
                set_lower(row, index_at(0u, ahead, level.columns), block);
            }
            let behind = place.at - offset_of(family);
            if (is_inside(behind, level.columns, level.rows)) {
                let other = index_at(0u, behind, level.columns);
                let block = bent_block(level, weights, family, place.base + other, behind);
                diagonal = sum(diagonal, block);
                set_lower(row, other, block);
            }
        }
        set_dense(row, row, full(diagonal));
        add_contact(row, level.first + place.index);
    }
    workgroupBarrier();
}

fn set_lower(i: u32, j: u32, block: Symmetric) {
    if (j < i) {
        set_dense(i, j, full(scaled(-1.0, block)));
    }
}

// K + kappa of a spring.
fn bent_block(level: Level, weights: vec3f, family: u32, index: u32, start: vec2i) -> Symmetric {
    let block = spring_block_of(level, family, index);
    return Symmetric(block.diagonal + vec3f(level_bend(level, weights, family, start)), block.off);
}

// The correction at a node of the coarsest level, from the inverse matrix.
fn coarsest_correction(level: Level, copy: u32, row: u32) -> vec3f {
    let of_copy = level.columns * level.rows;
    var e = vec3f(0.0);
    for (var j = 0u; j < of_copy; j += 1u) {
        e += inverse_block(row, j) * nodes[right_hand_side_place(level, copy * of_copy + j)].xyz;
    }
    return e;
}
