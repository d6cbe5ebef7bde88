// Air: a triangle with area A, unit normal N and velocity u relative to the wind (mean of its corners), u_n = u . N, has
//     f = -B u,  B = rho A / 2 ( c_n |u_n| N N^T + c_t |u_t| (I - N N^T) )
// A third of B goes to each corner and acts on the corner's own velocity: the sum over the corners is f.
//!import forces/drag.wgsl
//!import network/surface.wgsl
//!import state/surroundings.wgsl

// Air on node i at x with velocity v. Its neighbors are in position_in and velocity_in of the importing file.
fn air(i: u32, x: vec3f, v: vec3f, around: Surroundings) -> Drag {
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
            total = sum(total, b);
        }
    }
    return Drag(multiply(total, around.wind), total);
}
