// The Newton matrix of a coarse grid level, A = G + sum (K + kappa), at one node.
//!import methods/newton_multigrid/contact_block.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/grid/bending.wgsl
//!import methods/newton_multigrid/grid/level.wgsl

struct Stencil {
    product: vec3f,         // A e
    diagonal: Symmetric,    // D, with max(kappa, 0) for bending
}

fn stencil(level: Level, place: Place, u: vec3f) -> Stencil {
    let weights = level_weights(level, place.base / (level.columns * level.rows));
    var diagonal = ground_block(level, weights, place.index, place.at);
    var product = multiply(diagonal, u);
    for (var family = 0u; family < FAMILIES; family += 1u) {
        let offset = offset_of(family);
        let ahead = place.at + offset;
        if (is_inside(ahead, level.columns, level.rows)) {
            let block = spring_block_of(level, family, place.index);
            let bend = level_bend(level, weights, family, place.at);
            let d = u - correction_at(level, place.base, ahead);
            product += multiply(block, d) + bend * d;
            diagonal = sum(diagonal, block);
            diagonal.diagonal += vec3f(max(bend, 0.0));
        }
        let behind = place.at - offset;
        if (is_inside(behind, level.columns, level.rows)) {
            let other = index_at(place.base, behind, level.columns);
            let block = spring_block_of(level, family, other);
            let bend = level_bend(level, weights, family, behind);
            let d = u - correction_at(level, place.base, behind);
            product += multiply(block, d) + bend * d;
            diagonal = sum(diagonal, block);
            diagonal.diagonal += vec3f(max(bend, 0.0));
        }
    }
    if (HAS_CONTACT) {
        product += contact_product(level.stride, level.first + place.index);
        diagonal = sum(diagonal, contact_block(level.stride, level.first + place.index));
    }
    return Stencil(product, diagonal);
}

// OMEGA D^-1 r; zero where all finer nodes are pinned and D is zero.
fn smoothed(diagonal: Symmetric, r: vec3f) -> vec3f {
    let is_empty = diagonal.diagonal.x + diagonal.diagonal.y + diagonal.diagonal.z <= 0.0;
    let filled = Symmetric(diagonal.diagonal + select(0.0, 1.0, is_empty), diagonal.off);
    return select(OMEGA * solve(filled, r), vec3f(0.0), is_empty);
}
