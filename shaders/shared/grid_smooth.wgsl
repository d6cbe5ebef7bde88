// The Newton matrix of a coarse grid level, A = G + sum K, at one node.
//!import shared/grid_levels.wgsl
//!import shared/grid_correction.wgsl
//!import shared/multigrid.wgsl

struct Stencil {
    taken: vec3f,           // A e
    diagonal: Symmetric,    // D
}

fn stencil(level: Level, place: Place, u: vec3f) -> Stencil {
    var diagonal = load_block(level, GROUND, place.index);
    var taken = multiply(diagonal, u);
    for (var family = 0u; family < FAMILIES; family += 1u) {
        let offset = offset_of(family);
        let ahead = place.at + offset;
        if (is_inside(ahead, level.columns, level.rows)) {
            let block = load_block(level, family, place.index);
            let other = index_at(place.base, ahead, level.columns);
            taken += multiply(block, u - correction_at(level, place.base, other));
            diagonal = sum(diagonal, block);
        }
        let behind = place.at - offset;
        if (is_inside(behind, level.columns, level.rows)) {
            let other = index_at(place.base, behind, level.columns);
            let block = load_block(level, family, other);
            taken += multiply(block, u - correction_at(level, place.base, other));
            diagonal = sum(diagonal, block);
        }
    }
    return Stencil(taken, diagonal);
}

// OMEGA D^-1 r; nothing where all finer nodes are pinned and D is zero.
fn smoothed(diagonal: Symmetric, r: vec3f) -> vec3f {
    let is_empty = diagonal.diagonal.x + diagonal.diagonal.y + diagonal.diagonal.z <= 0.0;
    let filled = Symmetric(diagonal.diagonal + select(0.0, 1.0, is_empty), diagonal.off);
    return select(OMEGA * solve(filled, r), vec3f(0.0), is_empty);
}

// D alone.
fn diagonal_of(level: Level, place: Place) -> Symmetric {
    var diagonal = load_block(level, GROUND, place.index);
    for (var family = 0u; family < FAMILIES; family += 1u) {
        let offset = offset_of(family);
        if (is_inside(place.at + offset, level.columns, level.rows)) {
            diagonal = sum(diagonal, load_block(level, family, place.index));
        }
        let behind = place.at - offset;
        if (is_inside(behind, level.columns, level.rows)) {
            diagonal = sum(diagonal, load_block(level, family, index_at(place.base, behind, level.columns)));
        }
    }
    return diagonal;
}
