// The nodes that search for pairs, since something may be near them: no other node has a pair or is in one. The finders of pairs are
// dispatched for them, and read their numbers from `slots` of the importing file, each with a tile that it is a corner in: these kernels have
// no storage buffer to spare. listing.wgsl writes them, in no fixed order; no result depends on it.
//!import contact/lists.wgsl

fn searching_count() -> u32 {
    return slots[slot_of_counts()].kind;
}

// A node, and its tile.
fn searching(k: u32) -> vec2u {
    let pair = slots[first_searching() + k / 2u];
    return select(pair.triangle.xy, vec2u(pair.triangle.z, pair.kind), k % 2u == 1u);
}
