// Groups of the levels of the tail once more, in one buffer, because its kernel has no more storage buffers to spare. Nodes and slots
// count from the first of the tail.
//!import contact/groups/extent.wgsl
//!import contact/groups/layout.wgsl

@group(2) @binding(9) var<storage, read_write> tail_groups: array<u32>;

// Bits of S, six numbers of a slot.
fn place_of_stiffness(s: u32) -> u32 {
    return 6u * s;
}

// Bits of S w . e.
fn place_of_product(s: u32) -> u32 {
    return 6u * GROUP_SLOTS * group_extent.tail_nodes + 3u * s;
}

// The row of a slot: node, or NO_NODE, and bits of its weight; the other side behind the own one.
fn place_of_row(s: u32, n: u32) -> u32 {
    return 9u * GROUP_SLOTS * group_extent.tail_nodes + 2u * (2u * SIDE * s + n);
}

fn place_of_start(node: u32) -> u32 {
    return (9u + 4u * SIDE) * GROUP_SLOTS * group_extent.tail_nodes + node;
}

fn place_of_entry(k: u32) -> u32 {
    return (9u + 4u * SIDE) * GROUP_SLOTS * group_extent.tail_nodes + group_extent.tail_nodes + 1u + k;
}
