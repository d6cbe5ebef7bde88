// Batches: several independent copies of a scene. The nodes of copy c are c COPY_NODES .. (c + 1) COPY_NODES.

override COPIES: u32 = 1u;
// Nodes of a copy, if there are several copies.
override COPY_NODES: u32 = 1u;

// The copy that node i belongs to.
fn copy_of(i: u32) -> u32 {
    if (COPIES == 1u) {
        return 0u;
    }
    return i / COPY_NODES;
}

// Index of node i among those of its copy.
fn index_in_copy(i: u32) -> u32 {
    return i - copy_of(i) * COPY_NODES;
}
