// The two floors under every kernel: moving bytes, and launching.
//!import core/launch.wgsl

@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> sink: array<vec4f>;

// Reads 16 bytes and writes 16 bytes a thread.
@compute @workgroup_size(WORKGROUP_SIZE)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < arrayLength(&sink)) {
        sink[i] = source[i];
    }
}

// Next to no work, but it waits for the dispatch before it. One workgroup.
@compute @workgroup_size(WORKGROUP_SIZE)
fn launch(@builtin(global_invocation_id) id: vec3u) {
    sink[id.x] += vec4f(1.0);
}
