// Launch geometry. Every kernel is launched with one or two dimensions of workgroups of this size.

const WORKGROUP_SIZE: u32 = 64u;
// Most workgroups along one dimension.
const MOST_GROUPS: u32 = 65535u;

// Index of this thread among all threads of the launch. Direct3D tells no number of workgroups where the GPU has chosen it: there it is
// MOST_GROUPS, if there is more than one row of them.
fn thread_index(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * select(groups.x, MOST_GROUPS, groups.x == 0u) * WORKGROUP_SIZE;
}
