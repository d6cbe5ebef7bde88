// Ridges: edges whose two triangles are folded, or that have one alone. Only they may touch other edges (edges.wgsl).
//!import contact/edge_list.wgsl
//!import contact/fold.wgsl
//!import contact/searching.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(6) var<storage, read_write> edges: array<u32>;   // edge_list.wgsl

// Reads start, slots; reads and writes edges. One thread per node that searches: others have none, since an edge that something is near has two
// ends that search.
@compute @workgroup_size(WORKGROUP_SIZE)
fn mark_ridges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= searching_count()) {
        return;
    }
    let v = searching(place).x;
    var ridges = 0u;
    for (var k = 0u; k < edge_count(v); k += 1u) {
        ridges |= select(0u, 1u << k, is_ridge(edge_at(v, k)));
    }
    edges[v] = ridges;
}

fn is_ridge(edge: Edge) -> bool {
    if (edge.thirds.y == NO_NODE) {
        return true;
    }
    let x = start[edge.ends.x].xyz;
    let along = start[edge.ends.y].xyz - x;
    let one = square_to(along, start[edge.thirds.x].xyz - x);
    let other = square_to(along, start[edge.thirds.y].xyz - x);
    return dot(one, other) >= (2.0 * BLUNT * BLUNT - 1.0) * length(one) * length(other);
}
