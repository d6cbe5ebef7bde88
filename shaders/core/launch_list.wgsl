// Workgroups of an indirect dispatch over a list that kernels add to.
//!import core/launch.wgsl

@group(2) @binding(12) var<storage, read_write> launch: array<atomic<u32>, 3>;

// Begins a list. Called by one thread.
fn launch_none() {
    atomicStore(&launch[0], 0u);
    atomicStore(&launch[1], 1u);
    atomicStore(&launch[2], 1u);
}

// Makes room for a thread with this index.
fn launch_thread(index: u32) {
    let group = index / WORKGROUP_SIZE;
    atomicMax(&launch[0], min(group + 1u, MOST_GROUPS));
    atomicMax(&launch[1], group / MOST_GROUPS + 1u);
}
