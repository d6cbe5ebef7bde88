// S of each group, the sum over its members.
//!import contact/groups/listed.wgsl
//!import contact/groups/stored_stiffness.wgsl
//!import contact/presses.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl

@group(2) @binding(0) var<storage, read> ways: array<u32>;
@group(2) @binding(1) var<storage, read> ups: array<u32>;
@group(2) @binding(6) var<storage, read> presses: array<vec4f>;
@group(2) @binding(8) var<storage, read> press_normals: array<vec4f>;

@group(3) @binding(1) var<uniform> group_level: GroupLevel;

// Of the first coarser level. Reads ways, ups, presses; writes group_stiffness. One thread per slot of a listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = slot_of_thread(thread_index(id, groups));
    let i = t / GROUP_SLOTS;
    if (i >= group_level.nodes || is_converged()) {
        return;
    }
    var total = NOTHING;
    for (var c = ways[group_level.child_starts + i]; c < ways[group_level.child_starts + i + 1u]; c += 1u) {
        let child = ways[group_level.children + c];
        let up = ups[child];
        for (var k = 0u; k < slot_count(up); k += 1u) {
            let s = SLOTS * child + k;
            let normal = press_normals[NORMALS * s + PRESS_NORMAL];
            if (joined_slot(up, k) == t % GROUP_SLOTS && normal.w > 0.0) {
                let held = presses[PRESSES * s + PRESS_WEIGHTS].w;
                total = sum(total, along_and_across(normal.xyz, normal.w, held));
            }
        }
    }
    put_group_stiffness(GROUP_SLOTS * group_level.first + t, total);
}

// Of any other. Reads ways, ups; reads and writes group_stiffness. One thread per slot of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_groups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    let i = t / GROUP_SLOTS;
    if (i >= group_level.nodes || is_converged()) {
        return;
    }
    var total = NOTHING;
    for (var c = ways[group_level.child_starts + i]; c < ways[group_level.child_starts + i + 1u]; c += 1u) {
        let child = group_level.finer_first + ways[group_level.children + c];
        let up = ups[group_level.finest_nodes + child];
        for (var k = 0u; k < slot_count(up); k += 1u) {
            if (joined_slot(up, k) == t % GROUP_SLOTS) {
                total = sum(total, group_stiffness_of(GROUP_SLOTS * child + k));
            }
        }
    }
    put_group_stiffness(GROUP_SLOTS * group_level.first + t, total);
}
