// The rows in which each node has an entry: what contact/reverse.wgsl counted and placed is filled here, and then sorted there.
//!import contact/groups/extent.wgsl
//!import contact/groups/listed.wgsl
//!import core/launch.wgsl

@group(2) @binding(0) var<storage, read> ups: array<u32>;
@group(2) @binding(1) var<storage, read> own_rows: array<vec2u>;
@group(2) @binding(2) var<storage, read> other_rows: array<vec2u>;
@group(2) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(2) @binding(4) var<storage, read_write> group_products: array<vec4f>;
@group(2) @binding(5) var<storage, read> row_starts: array<u32>;
@group(2) @binding(6) var<storage, read_write> row_entries: array<u32>;

// Also stores sum |w| / 2 of each slot. Reads rows; writes row_entries, group_products. One thread per slot: of the listed nodes of the
// first level, and of all others.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fill_groups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = slot_of_thread(thread_index(id, groups));
    let first = select(GROUP_SLOTS * group_extent.first_nodes, 0u, IS_LISTED);
    if (thread >= GROUP_SLOTS * group_extent.nodes - first) {
        return;
    }
    let s = first + thread;
    var size = 0.0;
    for (var n = 0u; n < SIDE; n += 1u) {
        let entry = own_rows[SIDE * s + n];
        if (entry.x == NO_NODE) {
            break;
        }
        row_entries[row_starts[entry.x] + atomicAdd(&counts[entry.x], 1u)] = entry_of(s, n);
        size += abs(bitcast<f32>(entry.y));
    }
    for (var n = 0u; n < SIDE; n += 1u) {
        let entry = other_rows[SIDE * s + n];
        if (entry.x == NO_NODE) {
            break;
        }
        row_entries[row_starts[entry.x] + atomicAdd(&counts[entry.x], 1u)] = entry_of(s, SIDE + n);
        size += abs(bitcast<f32>(entry.y));
    }
    group_products[s] = vec4f(0.0, 0.0, 0.0, 0.5 * size);
}
