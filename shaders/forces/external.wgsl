// Air and contact of each node, frozen for a substep as f = push - B v with a drag matrix B.
// Air: a triangle with area A, unit normal N and velocity u relative to the wind (mean of its corners), u_n = u . N, has
//     f = -B u,  B = rho A / 2 ( c_n |u_n| N N^T + c_t |u_t| (I - N N^T) )
// A third of B goes to each corner and acts on the corner's own velocity: the sum over the corners is f.
// Contact: see contact.
// Reads position_in, velocity_in, moment, the surface; writes rows 1 to 3 of applied, whose end it reads in
// batches. One thread per node.
//!import shared/launch.wgsl
//!import shared/math.wgsl
//!import shared/moment.wgsl
//!import shared/surface.wgsl
//!import shared/surroundings.wgsl
//!import shared/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(3) var<storage, read> moment: Moment;

override HAS_AIR: bool = false;
override COLLIDERS: u32 = 0u;
// Whether z is frozen.
override IS_PLANAR: bool = false;
// Whether the solver takes B and springs at the end of the substep.
override IS_IMPLICIT: bool = false;

struct Drag {
    push: vec3f,        // [N]
    matrix: Symmetric,  // [N s/m]
}

fn both(a: Drag, b: Drag) -> Drag {
    return Drag(a.push + b.push, sum(a.matrix, b.matrix));
}

fn surroundings(i: u32) -> Surroundings {
    if (!OWN_SURROUNDINGS) {
        return surroundings_of_all();
    }
    let at = surroundings_at(i);
    return surroundings_from(applied_out[at], applied_out[at + 1u], applied_out[at + 2u]);
}

fn air(i: u32, x: vec3f, v: vec3f) -> Drag {
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
            total = sum(total, b);
        }
    }
    return Drag(multiply(total, around.wind), total);
}

// Penalty of a collider with surface velocity u, for a node of mass m at distance d < 0 from it, normal n, with velocity
// r = v - u relative to it:
//     f = -k d n - c_n (r . n) n - c_t (r - (r . n) n),  k = stiffness m,  c_n = damping m,
//     c_t = friction load / max(|r_t|, slip speed): Coulomb's friction, load = -k d.
// Implicit solvers take d where the node is at the substep's end, d + h r+ . n: to B comes h k n n^T. They know a contact
// that the node will only run into in this substep; load is then at least about what stops it. Explicit ones have c_n
// only where the node approaches, and bound c_t, so that friction stops a node and never turns it. (For implicit ones c_n
// must not hang on the sign of r . n, which at rest is rounding.)
fn contact(c: Collider, x: vec3f, v: vec3f, mass: f32) -> Drag {
    let h = world.step;
    let at = nearest_surface(c, x);
    let n = at.xyz;
    let d = at.w;
    let u = c.velocity + cross(c.spin, x - d * n - c.centre);
    let r = v - u;
    let along = dot(r, n);
    let ahead = select(d, d + h * min(along, 0.0), IS_IMPLICIT);
    if (ahead >= 0.0) {
        return Drag(vec3f(0.0), Symmetric(vec3f(0.0), vec3f(0.0)));
    }
    let k = c.stiffness * mass;
    let load = max(-k * d, -k * ahead / (1.0 + h * h * c.stiffness));
    var normal_drag = select(0.0, c.damping * mass, d < 0.0 && (IS_IMPLICIT || along < 0.0));
    var grip = c.friction * load / max(length(r - along * n), c.slip_speed);
    if (IS_IMPLICIT) {
        normal_drag += h * k;
    } else {
        grip = min(grip, 0.25 * mass / h);
    }
    let matrix = along_and_across(n, normal_drag, grip);
    return Drag(multiply(matrix, u) - k * d * n, matrix);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    let v = velocity_in[i].xyz;
    var total = Drag(vec3f(0.0), Symmetric(vec3f(0.0), vec3f(0.0)));
    if (HAS_AIR) {
        total = air(i, x.xyz, v);
    }
    if (COLLIDERS > 0u && x.w > 0.0) {
        for (var c = 0u; c < COLLIDERS; c += 1u) {
            total = both(total, contact(moment.colliders[c], x.xyz, v, 1.0 / x.w));
        }
    }
    if (IS_PLANAR) {
        // Colliders may have normals of any direction, and nodes keep their z to the last bit.
        total.push.z = 0.0;
        total.matrix.off = vec3f(0.0, 0.0, total.matrix.off.z);
    }
    applied_out[world.node_count + i] = vec4f(total.push, 0.0);
    if (HAS_DRAG) {
        applied_out[2u * world.node_count + i] = vec4f(total.matrix.diagonal, total.matrix.off.x);
        applied_out[3u * world.node_count + i] = vec4f(total.matrix.off.yz, 0.0, 0.0);
    }
}
