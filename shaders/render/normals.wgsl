// Smooth normals: the sum of the area vectors of the triangles around a node, normalized.
//
// Reads positions and corners, writes normals (zero where a node has no triangle). One thread per node.
// w: mean curvature times the mean edge length, positive if the front is hollow.
//!import core/launch.wgsl
//!import network/surface.wgsl

@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> normals: array<vec4f>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn smooth_normals(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    // corner_start has one entry more than there are nodes.
    if i + 1u >= arrayLength(&corner_start) {
        return;
    }
    let p = positions[i].xyz;
    let first = corner_start[i];
    let end = corner_start[i + 1u];
    var area = vec3f(0.0);
    var around = vec3f(0.0);
    var edges = 0.0;
    for (var c = first; c < end; c++) {
        let a = positions[corners[c].x].xyz - p;
        let b = positions[corners[c].y].xyz - p;
        area += cross(a, b);
        around += a + b;
        edges += length(a) + length(b);
    }
    let size = length(area);
    if size == 0.0 {
        normals[i] = vec4f(0.0);
        return;
    }
    let n = area / size;
    normals[i] = vec4f(n, clamp(dot(n, around) / max(edges, 1e-20), -1.0, 1.0));
}
