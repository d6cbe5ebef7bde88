// Stores the multiplier of a node's slot. The four of a quad belong to one node: no other thread writes them.
// Same function as newton_multigrid/keep_none.wgsl.
//!import methods/newton_multigrid/anchor_write.wgsl
//!import methods/newton_multigrid/nodes.wgsl

fn keep_multiplier(row: Row, slot: u32, multiplier: f32) {
    anchor[multiplier_places.quads + quad_of(row, slot / 4u)][slot % 4u] = multiplier;
}
