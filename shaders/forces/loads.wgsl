// Forces on selected nodes, behind external.wgsl.
// Reads moment and the lists of loads, grouped by node; adds to row 1 of applied. One thread per loaded node.
//!import shared/launch.wgsl
//!import shared/moment.wgsl
//!import shared/world.wgsl

struct LoadedNode {
    node: u32,
    first: u32,         // its loads: first .. first + count of node_loads
    count: u32,
}

@group(2) @binding(2) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(3) var<storage, read> moment: Moment;
@group(2) @binding(4) var<storage, read> loaded_nodes: array<LoadedNode>;
@group(2) @binding(5) var<storage, read> node_loads: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn add_loads(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&loaded_nodes)) {
        return;
    }
    let node = loaded_nodes[t];
    var sum = vec4f(0.0);
    for (var l = node.first; l < node.first + node.count; l += 1u) {
        sum += moment.loads[node_loads[l]];
    }
    applied_out[world.node_count + node.node] += sum;
}
