// The nodes of the first coarser level whose groups are not the same as before: those with groups, now or in the substep before. In `ups` of
// the importing file they stand behind all nodes: how many, then each. The groups of others are nothing, and stay so.
//!import contact/groups/extent.wgsl
//!import contact/groups/layout.wgsl

// Whether a kernel runs for them alone.
override IS_LISTED: bool = false;

// The slot of a level that a thread has to do with; more than there are if it has none.
fn slot_of_thread(thread: u32) -> u32 {
    if (!IS_LISTED) {
        return thread;
    }
    let k = thread / GROUP_SLOTS;
    if (k >= ups[group_extent.list]) {
        return NO_NODE;
    }
    return GROUP_SLOTS * ups[group_extent.list + 1u + k] + thread % GROUP_SLOTS;
}
