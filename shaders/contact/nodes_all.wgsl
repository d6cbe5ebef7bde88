// Kernels for all nodes. Same functions as contact/nodes_listed.wgsl.
//!import state/world.wgsl

fn visited_count() -> u32 {
    return world.node_count;
}

fn visited(k: u32) -> u32 {
    return k;
}
