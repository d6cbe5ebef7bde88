// Explicit (forward) Euler: x+ = x + h v, v+ = (v + h a(x, v)) exp(-drag h).
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
    let v = velocity_in[i].xyz;
    var v_next = v;
    if (x.w > 0.0) {
        v_next = (v + world.step * acceleration(i, x, v)) * surroundings(i).drag_factor;
    }
    position_out[i] = vec4f(x.xyz + world.step * v, x.w);
    velocity_out[i] = vec4f(v_next, 0.0);
}
