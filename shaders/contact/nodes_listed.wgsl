// Kernels for those nodes that have a pair or are in one. Same functions as contact/nodes_all.wgsl.
//!import contact/listed.wgsl

fn visited_count() -> u32 {
    return listed_count();
}

fn visited(k: u32) -> u32 {
    return listed(k);
}
