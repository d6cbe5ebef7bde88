// G of a node, from `anchor` of the importing file.
//!import core/symmetric.wgsl
//!import methods/implicit/rows.wgsl
//!import state/world.wgsl

fn drag_block(i: u32) -> Symmetric {
    let at = ANCHOR_DRAG * world.node_count + i;
    return from_halves(anchor[at], anchor[at + world.node_count]);
}

// G, given its scalar part.
fn own_ground(i: u32, g: f32) -> Symmetric {
    var block = Symmetric(vec3f(g), vec3f(0.0));
    if (HAS_DRAG) {
        block = sum(block, scaled(g, drag_block(i)));
    }
    return block;
}
