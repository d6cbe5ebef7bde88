// The coarse-grid operator of a level of a network, which is K and G, and the restriction of residuals.
//!import methods/newton_multigrid/mesh/level.wgsl

// K of a coarse spring from a finer level's.
fn coarsen_spring(level: NetworkLevel, s: u32) {
    var block = NOTHING;
    let end = rows[level.gather + s + 1u];
    for (var k = rows[level.gather + s]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let entry = entry_at(k, k + n, end);
            let finer = load_block(level.finer_stiffness, level.finer_springs, entry.words.x);
            block = sum(block, scaled(weight_of(entry), finer));
        }
    }
    store_block(level.stiffness, level.springs, s, block);
}

// G of a coarse node.
fn coarsen_ground(level: NetworkLevel, i: u32) {
    var block = NOTHING;
    let end = rows[level.restriction + i + 1u];
    for (var k = rows[level.restriction + i]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let entry = entry_at(k, k + n, end);
            let finer = load_block(level.finer_ground, level.finer_nodes, entry.words.x);
            block = sum(block, scaled(weight_of(entry), finer));
        }
    }
    if (HAS_BENDING && block.diagonal.x + block.diagonal.y + block.diagonal.z == 0.0) {
        // A node that stands for pins only: left free it would turn a clamp into a hinge.
        for (var k = rows[level.links + i]; k < rows[level.links + i + 1u]; k += 1u) {
            block.diagonal += vec3f(max(level_bend(level, entries[k].y), 0.0));
        }
    }
    store_block(level.ground, level.nodes, i, block);
}

// Restriction. The weights of each finer node sum to one, and so does the objective in the fourth component.
fn restricted(level: NetworkLevel, i: u32) -> vec4f {
    var total = vec4f(0.0);
    let end = rows[level.restriction + i + 1u];
    for (var k = rows[level.restriction + i]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let entry = entry_at(k, k + n, end);
            total += weight_of(entry) * nodes[level.finer_first + entry.words.x];
        }
    }
    return total;
}
