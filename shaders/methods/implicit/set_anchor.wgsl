// Stores the node terms: row 0 and the rows of B. Files that import this declare `anchor`.
//!import core/symmetric.wgsl
//!import methods/implicit/inertial.wgsl
//!import methods/implicit/rows.wgsl

// With y, or y - x_0 (rows.wgsl).
fn set_anchor(i: u32, y: vec3f, node: Inertial) {
    anchor[i] = vec4f(y, node.inverse);
    if (HAS_DRAG) {
        anchor[ANCHOR_DRAG * world.node_count + i] = first_half(node.drag);
        anchor[(ANCHOR_DRAG + 1u) * world.node_count + i] = second_half(node.drag);
    }
}
