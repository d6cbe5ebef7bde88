// Where nodes yield to for which the first round of the guard has found no proof: they move as they and their neighbors do on average.
//!import contact/bindings.wgsl
//!import core/launch.wgsl
//!import network/surface.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
@group(2) @binding(4) var<storage, read> parts: array<u32>;
@group(2) @binding(6) var<storage, read_write> means: array<vec4f>;     // [m]
@group(2) @binding(7) var<storage, read_write> guards: array<Guard>;

const WHOLE: u32 = 0x3f800000u;     // 1.0

// Reads moved, parts, the triangles around nodes; reads and writes guards; writes means of nodes without proof. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn average(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || parts[i] >= WHOLE) {
        return;
    }
    let own = moved[i].xyz;
    var total = own;
    var count = 1.0;
    for (var k = corner_start[i]; k < corner_start[i + 1u]; k += 1u) {
        total += moved[corners[k].x].xyz + moved[corners[k].y].xyz;
        count += 2.0;
    }
    let mean = total / count;
    means[i] = vec4f(mean, 0.0);
    let aside = abs(mean - own);
    atomicMax(&guards[copy_of(i)].yielding, bitcast<u32>(max(max(aside.x, aside.y), aside.z)));
}
