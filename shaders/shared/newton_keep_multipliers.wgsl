// Stores the multiplier of a node's slot. The four that stand together are all of this node: no other thread writes them.
// Same function as newton_keep_none.wgsl.
//!import shared/newton_nodes.wgsl

fn keep_multiplier(row: Row, slot: u32, multiplier: f32) {
    anchor[MULTIPLIERS + quad_of(row, slot / 4u)][slot % 4u] = multiplier;
}
