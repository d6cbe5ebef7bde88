// The nodes that have a pair or are in one. Kernels that have to do with no others are dispatched for them, and read their numbers from
// `slots` of the importing file. listing.wgsl writes them, in no fixed order; no result depends on it.
//!import contact/lists.wgsl

fn listed_count() -> u32 {
    return slots[slot_of_counts()].triangle.x;
}

fn listed(k: u32) -> u32 {
    let four = slots[first_listed() + k / 4u];
    return vec4u(four.triangle, four.kind)[k % 4u];
}
