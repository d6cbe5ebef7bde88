// Where lists of nodes stand in `slots`, behind the slots of all nodes: first a slot with the number of nodes that search (in kind) and of
// nodes in pairs (in triangle.x); then the nodes that search, two a slot; then those in pairs, four a slot.
//!import contact/slots.wgsl
//!import state/world.wgsl

fn slot_of_counts() -> u32 {
    return SLOTS * world.node_count;
}

fn first_searching() -> u32 {
    return slot_of_counts() + 1u;
}

fn first_listed() -> u32 {
    return first_searching() + (world.node_count + 1u) / 2u;
}
