// Ridges: edges whose two triangles are folded, or that have one alone. Only they may touch other edges (edges.wgsl).
//!import contact/edge_list.wgsl
//!import contact/fold.wgsl
//!import contact/patches.wgsl
//!import contact/skins.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(5) var<storage, read> boxes: array<vec4f>;
@group(2) @binding(7) var<storage, read> rests: array<vec4f>;       // in w a patch that the node is a corner in
@group(2) @binding(6) var<storage, read_write> edges: array<u32>;   // edge_list.wgsl

// Reads start, boxes, rests, skins; reads and writes edges. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn mark_ridges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = thread_index(id, groups);
    if (v >= world.node_count) {
        return;
    }
    var ridges = 0u;
    let count = edge_count(v);
    var is_alone = is_in_patch_alone(v);
    // What is near an edge need not be near a patch that only its end is in.
    for (var k = 0u; k < count && is_alone; k += 1u) {
        is_alone = is_in_patch_alone(edge_at(v, k).ends.y);
    }
    if (skins[v].body != NO_BODY && !is_alone) {
        for (var k = 0u; k < count; k += 1u) {
            ridges |= select(0u, 1u << k, is_ridge(edge_at(v, k)));
        }
    }
    edges[v] = ridges;
}

fn is_in_patch_alone(i: u32) -> bool {
    return region_of(u32(rests[i].w)).state == ALONE;
}

fn is_ridge(edge: Edge) -> bool {
    if (edge.thirds.y == NO_NODE) {
        return true;
    }
    let x = start[edge.ends.x].xyz;
    let along = start[edge.ends.y].xyz - x;
    let one = square_to(along, start[edge.thirds.x].xyz - x);
    let other = square_to(along, start[edge.thirds.y].xyz - x);
    return dot(one, other) >= (2.0 * SHARP * SHARP - 1.0) * length(one) * length(other);
}
