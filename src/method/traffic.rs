//! The bytes that each kernel must move by design: vectors, blocks and lists once a dispatch. Positions of neighbors do not
//! count again, since caches hold them. The figures are for networks without bending, dashpots, air and handles.

/// Bytes of a kernel whose dispatches do not tell them themselves.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// File and entry point.
    pub kernel: &'static str,
    /// Of each thread.
    pub thread: u64,
    /// Of each node of the model, whatever the threads.
    pub node: u64,
    /// Of each spring's end at a node: what the solver itself stores there.
    pub slot: u64,
    /// Whether it visits the springs, which the mesh form stores.
    pub springs: bool,
}

/// A kernel that visits nodes.
pub const fn nodes(kernel: &'static str, thread: u64) -> Traffic {
    Traffic { kernel, thread, node: 0, slot: 0, springs: false }
}

/// A kernel that visits nodes and their springs.
pub const fn springs(kernel: &'static str, thread: u64) -> Traffic {
    Traffic { kernel, thread, node: 0, slot: 0, springs: true }
}

/// The same that stores something at each spring's end.
pub const fn slots(kernel: &'static str, thread: u64, slot: u64) -> Traffic {
    Traffic { kernel, thread, node: 0, slot, springs: true }
}

/// A kernel that adds up parts, which are few beside the nodes.
pub const fn sums(kernel: &'static str, node: u64) -> Traffic {
    Traffic { kernel, thread: 0, node, slot: 0, springs: false }
}
