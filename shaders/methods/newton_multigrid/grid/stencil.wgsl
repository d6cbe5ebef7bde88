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
    var node: Stencil;
    node.diagonal = ground_block(level, weights, place.index, place.at);
    node.product = multiply(node.diagonal, u);
    // Written out, so that no driver makes a loop of it in which one load waits for another.
    node = with_family(node, level, weights, 0u, place, u);
    node = with_family(node, level, weights, 1u, place, u);
    node = with_family(node, level, weights, 2u, place, u);
    node = with_family(node, level, weights, 3u, place, u);
    if (FAMILIES > 4u) {
        node = with_family(node, level, weights, 4u, place, u);
        node = with_family(node, level, weights, 5u, place, u);
    }
    if (HAS_CONTACT) {
        node.product += contact_product(level.stride, level.first + place.index);
        node.diagonal = sum(node.diagonal, contact_block(level.stride, level.first + place.index));
    }
    return node;
}

// Adds both springs of a family.
fn with_family(node: Stencil, level: Level, weights: vec3f, family: u32, place: Place, u: vec3f) -> Stencil {
    let offset = offset_of(family);
    let ahead = with_spring(node, level, weights, family, place, place.at + offset, u, false);
    return with_spring(ahead, level, weights, family, place, place.at - offset, u, true);
}

// Adds the spring to the node at `other`, from there or to there. Where the grid has no such node, that of the place itself stands
// for it and counts nothing: loads that depend on no condition are on their way together.
fn with_spring(
    node: Stencil, level: Level, weights: vec3f, family: u32, place: Place, other: vec2i, u: vec3f, is_from: bool,
) -> Stencil {
    let is_there = is_inside(other, level.columns, level.rows);
    let near = select(place.at, other, is_there);
    let start = select(place.at, near, is_from);
    let share = select(0.0, 1.0, is_there);
    let block = scaled(share, spring_block_of(level, family, index_at(place.base, start, level.columns)));
    let bend = share * level_bend(level, weights, family, start);
    let d = u - correction_at(level, place.base, near);
    var more = sum(node.diagonal, block);
    more.diagonal += vec3f(max(bend, 0.0));
    return Stencil(node.product + (multiply(block, d) + bend * d), more);
}

// OMEGA D^-1 r; zero where all finer nodes are pinned and D is zero.
fn smoothed(diagonal: Symmetric, r: vec3f) -> vec3f {
    let is_empty = diagonal.diagonal.x + diagonal.diagonal.y + diagonal.diagonal.z <= 0.0;
    let filled = Symmetric(diagonal.diagonal + select(0.0, 1.0, is_empty), diagonal.off);
    return select(OMEGA * solve(filled, r), vec3f(0.0), is_empty);
}
