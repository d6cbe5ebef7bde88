// Where the groups of all levels are. It is no constant, so that kernels need not be compiled anew for each scene.
struct GroupExtent {
    nodes: u32,         // of all coarser levels
    first_nodes: u32,   // of the first of them
    list: u32,          // where the list of listed.wgsl begins in `ups`
    tail_first: u32,    // the first node of the tail among those of all coarser levels
    tail_nodes: u32,
}

@group(0) @binding(2) var<uniform> group_extent: GroupExtent;
