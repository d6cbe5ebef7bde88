// What contact adds to A e at a node of a coarse level (contact/groups/gather.wgsl). Files that import this declare `nodes`.
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl

fn contact_product(stride: u32, node: u32) -> vec3f {
    return nodes[LEVEL_CONTACT * stride + node].xyz;
}
