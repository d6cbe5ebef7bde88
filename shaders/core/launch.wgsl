// Launch geometry. Every kernel is launched with one or two dimensions of workgroups of this size.

const WORKGROUP_SIZE: u32 = 64u;

// Index of this thread among all threads of the launch.
fn thread_index(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * groups.x * WORKGROUP_SIZE;
}
