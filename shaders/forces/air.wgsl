// Air: the drag matrix of each node from the triangles around it, frozen for a substep.
// Triangle with area A, unit normal N and velocity u relative to the wind (mean of its corners), u_n = u . N:
//     f = -B u,  B = rho A / 2 ( c_n |u_n| N N^T + c_t |u_t| (I - N N^T) )
// A third of B goes to each corner and acts on the corner's own velocity: the sum over the corners is f.
// Reads position_in, velocity_in, the surface; writes rows 1 and 2 of applied, whose end it reads in
// batches. One thread per node.
//!import shared/launch.wgsl
//!import shared/math.wgsl
//!import shared/surface.wgsl
//!import shared/surroundings.wgsl
//!import shared/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> applied_out: array<vec4f>;

fn surroundings(i: u32) -> Surroundings {
    if (!OWN_SURROUNDINGS) {
        return surroundings_of_all();
    }
    let at = surroundings_at(i);
    return surroundings_from(applied_out[at], applied_out[at + 1u], applied_out[at + 2u]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn drag_matrix(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i].xyz;
    let v = velocity_in[i].xyz;
    let around = surroundings(i);
    var total = Symmetric(vec3f(0.0), vec3f(0.0));
    for (var c = corner_start[i]; c < corner_start[i + 1u]; c += 1u) {
        let others = corners[c];
        let normal = cross(position_in[others.x].xyz - x, position_in[others.y].xyz - x);
        let double_area = length(normal);
        if (double_area > 0.0) {
            let mean = (v + velocity_in[others.x].xyz + velocity_in[others.y].xyz) / 3.0;
            let n = normal / double_area;
            let u = mean - around.wind;
            let along = dot(u, n);
            let third = double_area / 6.0;
            let b = along_and_across(
                n,
                third * around.air_normal * abs(along),
                third * around.air_tangential * length(u - along * n),
            );
            total.diagonal += b.diagonal;
            total.off += b.off;
        }
    }
    applied_out[world.node_count + i] = vec4f(total.diagonal, total.off.x);
    applied_out[2u * world.node_count + i] = vec4f(total.off.yz, 0.0, 0.0);
}
