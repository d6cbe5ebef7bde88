// What contact adds to the smoother's diagonal at a node of a coarse level. Files that import this declare `nodes`.
//!import core/symmetric.wgsl
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl

fn contact_block(stride: u32, node: u32) -> Symmetric {
    let at = (LEVEL_CONTACT + 1u) * stride + node;
    return from_halves(nodes[at], nodes[at + stride]);
}
