// Copies the groups of the tail's levels to one buffer (contact/groups/tail_layout.wgsl).
//!import contact/groups/extent.wgsl
//!import contact/groups/stored_stiffness.wgsl
//!import contact/groups/tail_layout.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl

@group(2) @binding(1) var<storage, read> own_rows: array<vec2u>;
@group(2) @binding(2) var<storage, read> other_rows: array<vec2u>;
@group(2) @binding(6) var<storage, read> row_starts: array<u32>;
@group(2) @binding(7) var<storage, read> row_entries: array<u32>;

fn put_entry(place: u32, entry: vec2u) {
    tail_groups[place] = select(entry.x - group_extent.tail_first, NO_NODE, entry.x == NO_NODE);
    tail_groups[place + 1u] = entry.y;
}

// Once a substep: rows, and in which rows each node has an entry. One thread per slot.
@compute @workgroup_size(WORKGROUP_SIZE)
fn pack_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = thread_index(id, groups);
    if (s >= GROUP_SLOTS * group_extent.tail_nodes) {
        return;
    }
    let begin = SIDE * (GROUP_SLOTS * group_extent.tail_first + s);
    for (var n = 0u; n < SIDE; n += 1u) {
        put_entry(place_of_row(s, n), own_rows[begin + n]);
        put_entry(place_of_row(s, SIDE + n), other_rows[begin + n]);
    }
    if (s % GROUP_SLOTS > 0u) {
        return;
    }
    let node = s / GROUP_SLOTS;
    let base = row_starts[group_extent.tail_first];
    let first = row_starts[group_extent.tail_first + node];
    let end = row_starts[group_extent.tail_first + node + 1u];
    tail_groups[place_of_start(node)] = first - base;
    for (var k = first; k < end; k += 1u) {
        tail_groups[place_of_entry(k - base)] = row_entries[k] - entry_of(GROUP_SLOTS * group_extent.tail_first, 0u);
    }
    if (node + 1u == group_extent.tail_nodes) {
        tail_groups[place_of_start(group_extent.tail_nodes)] = end - base;
    }
}

// Once an iteration: S. One thread per slot.
@compute @workgroup_size(WORKGROUP_SIZE)
fn pack_stiffness(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = thread_index(id, groups);
    if (s >= GROUP_SLOTS * group_extent.tail_nodes || is_converged()) {
        return;
    }
    let m = group_stiffness_of(GROUP_SLOTS * group_extent.tail_first + s);
    let at = place_of_stiffness(s);
    for (var k = 0u; k < 3u; k += 1u) {
        tail_groups[at + k] = bitcast<u32>(m.diagonal[k]);
        tail_groups[at + 3u + k] = bitcast<u32>(m.off[k]);
    }
}
