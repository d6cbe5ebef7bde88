// Handles: the pull on each grabbed node, f = K (target - x), K bounded by K reach / |target - x|.
// All pulls on a node together are one pull of stiffness sum K toward the mean of their targets, weighted by K. The
// mean is computed relative to the first target: if all targets have the same z, the mean has it to the last bit. Reads
// position_in and the list of pulls, grouped by node; writes row 0 of applied. One thread per grabbed node.
//!import core/launch.wgsl
//!import forces/surroundings_out.wgsl
//!import state/world.wgsl

struct PulledNode {
    node: u32,
    first: u32,         // its pulls: first .. first + count
    count: u32,
}

struct Pull {
    grabbed_at: vec3f,  // position of the node when it was grabbed [m]
    stiffness: f32,     // weight times stiffness of the handle [N/m]
    handle: u32,
}

const MOST_HANDLES: u32 = 64u;

struct Handles {
    // Displacement since the grab [m], and 1 while the handle is active, else 0.
    displacement: array<vec4f, MOST_HANDLES>,
}

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(2) var<storage, read> pulled_nodes: array<PulledNode>;
@group(2) @binding(3) var<storage, read> pulls: array<Pull>;
@group(3) @binding(0) var<uniform> handles: Handles;

fn target_of(one: Pull) -> vec3f {
    return one.grabbed_at + handles.displacement[one.handle].xyz;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_pulls(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&pulled_nodes)) {
        return;
    }
    let node = pulled_nodes[t];
    let x = position_in[node.node].xyz;
    let reach = surroundings(node.node).reach;
    let first = target_of(pulls[node.first]);
    var stiffness = 0.0;
    var apart = vec3f(0.0);
    for (var p = node.first; p < node.first + node.count; p += 1u) {
        let one = pulls[p];
        let target_point = target_of(one);
        let is_active = handles.displacement[one.handle].w;
        let bounded = is_active * one.stiffness * min(1.0, reach / max(length(target_point - x), 1e-20));
        stiffness += bounded;
        apart += bounded * (target_point - first);
    }
    applied_out[node.node] = vec4f(first + apart / max(stiffness, 1e-30), stiffness);
}
