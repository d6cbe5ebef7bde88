// Implicit Euler, linearized (Baraff and Witkin 1998): with S the springs' stiffness and D the dashpots at x_0,
//     (G + S + D/h + Q) d = G (y - x_0) + f_springs - Q x_0,   d = h (v + dv) = x+ - x_0,
// which is (M + h^2 K + h D) dv = h (f - h K v) over h, with damping, air and handles in G as in local_global/sweep.wgsl. With
// d = d_0 + u, where the settings choose d_0, the linear system is solved for u.
//!import core/launch.wgsl
//!import forces/applied_in.wgsl
//!import methods/implicit/inertial.wgsl
//!import methods/implicit/set_anchor.wgsl
//!import methods/implicit_euler/bindings.wgsl
//!import methods/linear/block_newton.wgsl
//!import methods/linear/vectors.wgsl
//!import network/{grid|mesh}.wgsl

// Whether P is the diagonal of Jacobi sweeps, in which bending counts with max(kappa, 0), instead of A's own block.
override MAJORANT: bool = false;

// y, G and the first d. Reads position, velocity, applied; writes anchor and first. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position[i];
    let v = velocity[i].xyz;
    let node = inertial(i, x, v);
    set_anchor(i, node.ahead, node);
    first[i] = vec4f(first_move(node, x, v), 0.0);
}

// The right-hand side and the preconditioner. Reads position, anchor, first, the network; writes work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn linearize(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position[i].xyz;
    let ahead = anchor[i];
    let begun = first[i].xyz;
    if (ahead.w == 0.0) {
        begin_pin(i);
        return;
    }
    var held = Symmetric(vec3f(1.0), vec3f(0.0));
    if (HAS_DRAG) {
        let at = ANCHOR_DRAG * world.node_count + i;
        held = sum(held, from_halves(anchor[at], anchor[at + world.node_count]));
    }
    held = scaled(1.0 / ahead.w, held);
    var right = multiply(held, ahead.xyz - begun);
    var block = held;
    let row = row_of(i);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = x - position[link.node].xyz;
        let d = begun - first[link.node].xyz;
        let spring = stiffness_of(e, link.rest_length, link.stiffness, LEAST_ACROSS);
        right -= spring.tension * spring.direction + times(spring, d);
        block = sum(block, along_and_across(spring.direction, spring.along, max(spring.across, 0.0)));
        if (HAS_DASHPOTS) {
            let n = extent(e, link.rest_length).direction;
            let c = link.dashpot / world.step;
            right -= c * dot(n, d) * n;
            block = sum(block, along_and_across(n, c, 0.0));
        }
        if (HAS_BENDING) {
            right -= link.bend * (e + d);
            block.diagonal += vec3f(own_bending(link.bend));
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            let e = x - position[bend.node].xyz;
            right -= bend.stiffness * (e + begun - first[bend.node].xyz);
            block.diagonal += vec3f(own_bending(bend.stiffness));
        }
    }
    if (CONTACT_ROW > 0u) {
        let at = CONTACT_ROW * world.node_count + i;
        right += applied[at].xyz;
        block = sum(block, from_halves(applied[at + world.node_count], applied[at + 2u * world.node_count]));
    }
    begin_system(i, right, block, ahead.w);
}

fn own_bending(kappa: f32) -> f32 {
    return select(kappa, max(kappa, 0.0), MAJORANT);
}

// v+ = d / h exp(-drag h), x+ = x_0 + d. Reads first and work; writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position[i];
    let d = first[i].xyz + vector(SOLUTION, i);
    position[i] = vec4f(x.xyz + d, x.w);
    if (x.w > 0.0) {
        velocity[i] = vec4f(d / world.step * surroundings(i).drag_factor, 0.0);
    }
}
