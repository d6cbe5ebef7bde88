// The nodes that have a pair or are in one. Kernels that have to do with no others are dispatched for them, and read their numbers from
// `slots` of the importing file, behind those that search (searching.wgsl): four of them a slot; how many there are stands before both.
// listing.wgsl writes them, in no fixed order; no result depends on it.
//!import contact/slots.wgsl
//!import state/world.wgsl

fn listed_count() -> u32 {
    return slots[SLOTS * world.node_count].triangle.x;
}

fn listed(k: u32) -> u32 {
    let four = slots[SLOTS * world.node_count + 1u + (world.node_count + 1u) / 2u + k / 4u];
    return vec4u(four.triangle, four.kind)[k % 4u];
}
