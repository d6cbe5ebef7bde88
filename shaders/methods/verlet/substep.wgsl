// Verlet in increment form. The velocity buffers hold u = p / h, where p = x - x_prev is the increment:
// positions in f32 cannot hold h^2 g, the increment can.
//     u+ = exp(-drag h) u + h a(x, u),   x+ = x + h u+
// u is the velocity half a step before the time of x: u = v - h a / 2, v = u + h a / 2.
// Reads position_in, velocity_in, applied, the network; writes position_out, velocity_out.
// One thread per node.
//!import methods/explicit/acceleration.wgsl

@compute @workgroup_size(WORKGROUP_SIZE)
fn substep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    var u = velocity_in[i].xyz;
    if (x.w > 0.0) {
        u = surroundings(i).drag_factor * u + world.step * acceleration(i, x, u);
    }
    position_out[i] = vec4f(x.xyz + world.step * u, x.w);
    velocity_out[i] = vec4f(u, 0.0);
}

// From the velocity v at the time of x to u, half a step earlier.
@compute @workgroup_size(WORKGROUP_SIZE)
fn stagger(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    kick(thread_index(id, groups), -0.5);
}

// From u to the velocity v at the time of x.
@compute @workgroup_size(WORKGROUP_SIZE)
fn synchronize(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    kick(thread_index(id, groups), 0.5);
}

fn kick(i: u32, steps: f32) {
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    var u = velocity_in[i].xyz;
    if (x.w > 0.0) {
        u += steps * world.step * acceleration(i, x, u);
    }
    velocity_out[i] = vec4f(u, 0.0);
}
