// Forces and pressures on selected nodes, behind external.wgsl.
// A pressure p on a triangle with area A and normal N is a force p A N, a third of it at each corner. Solvers whose
// springs act ahead use the triangle at x + h v: the force at x would hold back a skin that turns.
// Reads position_in, velocity_in, the surface, moment and the lists of loads, grouped by node; adds to row 1 of applied.
// One thread per loaded node.
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import network/surface.wgsl
//!import state/moment.wgsl
//!import state/world.wgsl

override HAS_PRESSURE: bool = false;
// Whether springs act along their directions at the substep's end.
override ACTS_AHEAD: bool = false;

struct LoadedNode {
    node: u32,
    first: u32,         // its loads: first .. first + count of node_loads
    count: u32,
}

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(3) var<storage, read> moment: Moment;
@group(2) @binding(4) var<storage, read> loaded_nodes: array<LoadedNode>;
@group(2) @binding(5) var<storage, read> node_loads: array<u32>;

// The vector from node i, at x with velocity v, to node j.
fn side(i: u32, j: u32, x: vec3f, v: vec3f) -> vec3f {
    let away = position_in[j].xyz - x;
    if (ACTS_AHEAD) {
        return away + world.step * (velocity_in[j].xyz - v);
    }
    return away;
}

// A third of the area of the triangles around node i, along their normals [m^2].
fn area_of(i: u32) -> vec3f {
    let x = position_in[i].xyz;
    let v = velocity_in[i].xyz;
    var area = vec3f(0.0);
    for (var c = corner_start[i]; c < corner_start[i + 1u]; c += 1u) {
        let others = corners[c];
        area += cross(side(i, others.x, x, v), side(i, others.y, x, v));
    }
    return area / 6.0;
}

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
    var push = sum.xyz;
    if (HAS_PRESSURE) {
        push += sum.w * area_of(node.node);
    }
    applied_out[APPLIED_PUSH * world.node_count + node.node] += vec4f(push, 0.0);
}
