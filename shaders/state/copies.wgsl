// Batches: several independent copies of a scene, one after the other in memory. How many there are, and of how many nodes, is no
// constant of the pipeline: a driver would otherwise compile most kernels anew for each size of a scene.
//!import state/world.wgsl

// Whether there are several.
override IS_BATCH: bool = false;

fn copies() -> u32 {
    return select(1u, world.copies, IS_BATCH);
}

// Nodes of each copy.
fn copy_nodes() -> u32 {
    return select(world.node_count, world.copy_nodes, IS_BATCH);
}

// The copy that node i belongs to.
fn copy_of(i: u32) -> u32 {
    if (!IS_BATCH) {
        return 0u;
    }
    return i / world.copy_nodes;
}

// Index of node i among those of its copy.
fn index_in_copy(i: u32) -> u32 {
    if (!IS_BATCH) {
        return i;
    }
    return i - copy_of(i) * world.copy_nodes;
}
