// Stores the multipliers of a node, up to four at a time. Same function as newton_keep_none.wgsl.
//!import shared/newton_nodes.wgsl

fn keep_multipliers(row: Row, slot: u32, multipliers: vec4f) {
    anchor[MULTIPLIERS + quad_of(row, slot / 4u)] = multipliers;
}
