// The classical Runge-Kutta method: four stages of y' = (v, a(x, v)).
//     Y_1 = y,   Y_2 = y + h/2 k_1,   Y_3 = y + h/2 k_2,   Y_4 = y + h k_3,   k_s = (v, a) at Y_s
//     y+ = y + h/6 (k_1 + 2 k_2 + 2 k_3 + k_4),   then v+ <- v+ exp(-drag h)
// What air, colliders, loads and the user's force do is that of the substep's start, f = push - B v.
// `slope` reads a stage, applied and the network, and writes row SLOPE of work. `first` to `third` read it, the stage and the
// start, add to the sums and write the next stage; `fourth` ends the substep in the buffers in which it began. Two kernels a
// stage, since one that visits springs and keeps sums would bind nine buffers, one more than every GPU allows.
// One thread per node.
//!import methods/explicit/acceleration.wgsl
//!import methods/rk4/bindings.wgsl

fn at(row: u32, i: u32) -> u32 {
    return row * world.node_count + i;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn slope(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    // Pinned nodes go on with their velocity.
    var a = vec3f(0.0);
    if (x.w > 0.0) {
        a = acceleration(i, x, velocity_in[i].xyz);
    }
    work[at(SLOPE, i)] = vec4f(a, 0.0);
}

// The next stage, h `ahead` k from the start.
fn go(i: u32, v: vec3f, a: vec3f, ahead: f32) {
    let h = ahead * world.step;
    let start = start_position[i];
    position_out[i] = vec4f(start.xyz + h * v, start.w);
    velocity_out[i] = vec4f(start_velocity[i].xyz + h * a, 0.0);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn first(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let v = start_velocity[i].xyz;
    let a = work[at(SLOPE, i)].xyz;
    work[at(SUM_X, i)] = vec4f(v, 0.0);
    work[at(SUM_V, i)] = vec4f(a, 0.0);
    go(i, v, a, 0.5);
}

fn middle(i: u32, ahead: f32) {
    if (i >= world.node_count) {
        return;
    }
    let v = velocity_in[i].xyz;
    let a = work[at(SLOPE, i)].xyz;
    work[at(SUM_X, i)] += vec4f(2.0 * v, 0.0);
    work[at(SUM_V, i)] += vec4f(2.0 * a, 0.0);
    go(i, v, a, ahead);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn second(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    middle(thread_index(id, groups), 0.5);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn third(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    middle(thread_index(id, groups), 1.0);
}

// Position and velocity out are those of the start until they are written.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fourth(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let sixth = world.step / 6.0;
    let x = position_out[i];
    let v = velocity_out[i].xyz + sixth * (work[at(SUM_V, i)].xyz + work[at(SLOPE, i)].xyz);
    let drag = select(1.0, surroundings(i).drag_factor, x.w > 0.0);
    position_out[i] = vec4f(x.xyz + sixth * (work[at(SUM_X, i)].xyz + velocity_in[i].xyz), x.w);
    velocity_out[i] = vec4f(drag * v, 0.0);
}
