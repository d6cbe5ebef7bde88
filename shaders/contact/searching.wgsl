// The nodes that search for pairs, since something may be near them: no other node has a pair or is in one. The finders of pairs are
// dispatched for them, and read their numbers from `slots` of the importing file, behind those of all nodes: first how many (in kind),
// then two of them a slot, each with a tile that it is a corner in. These kernels have no storage buffer to spare. listing.wgsl writes
// them, in no fixed order; no result depends on it.
//!import contact/slots.wgsl
//!import state/world.wgsl

fn searching_count() -> u32 {
    return slots[SLOTS * world.node_count].kind;
}

// A node, and its tile.
fn searching(k: u32) -> vec2u {
    let pair = slots[SLOTS * world.node_count + 1u + k / 2u];
    return select(pair.triangle.xy, vec2u(pair.triangle.z, pair.kind), k % 2u == 1u);
}
