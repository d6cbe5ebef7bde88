// The node terms of an implicit method, for kernels that only read them.
//!import core/symmetric.wgsl
//!import methods/implicit/anchor_contact.wgsl
//!import methods/implicit/rows.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> anchor: array<vec4f>;

fn anchor_drag(i: u32) -> Symmetric {
    let at = ANCHOR_DRAG * world.node_count + i;
    return from_halves(anchor[at], anchor[at + world.node_count]);
}
