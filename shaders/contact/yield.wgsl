// Where those nodes go that yield, since the first round of the guard has found no proof for them: they move as they and their neighbors do
// on average. Pins do not.
//!import contact/bounds.wgsl
//!import contact/bindings.wgsl
//!import core/launch.wgsl
//!import network/surface.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
@group(2) @binding(4) var<storage, read> parts: array<u32>;
@group(2) @binding(6) var<storage, read_write> means: array<vec4f>;     // ends.wgsl
@group(2) @binding(7) var<storage, read_write> guards: array<Guard>;

const WHOLE: u32 = 0x3f800000u;     // 1.0

// Reads start, moved, parts, the triangles around nodes; reads and writes guards; writes means of nodes without proof. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn average(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || parts[i] >= WHOLE || !is_free(start[i].w)) {
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
    let apart = abs(mean - own);
    let aside = max(max(apart.x, apart.y), apart.z);
    // What is not a number is anywhere.
    atomicMax(&guards[copy_of(i)].yielding, bitcast<u32>(select(FAR, aside, aside < FAR)));
}
