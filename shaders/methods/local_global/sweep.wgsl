// Implicit Euler as a minimization, local/global with Jacobi sweeps (Liu, Bargteil, O'Brien, Kavan 2013).
// Each substep minimizes, with every damping coefficient frozen at its start,
//     phi(x) = 1/2 (x - y)^T G (x - y) + sum k/2 (l - r)^2 + sum c/(2h) (n_0 . (e - e_0))^2 + x^T Q x / 2,
// G_i = (m/h^2 + (a m + d)/h + K) I + B/h per node (inertia, viscous damping, handles, air), y the minimizer
// of the first term, Q the matrix of bending. One sweep gathers per node
//     x_i <- x_i + D_i^-1 [ G_i (y_i - x_i) + forces of springs, dashpots and bending ],
//     D_i = G_i + (sum k + sum c/h + sum max(kappa, 0)) I.
// Contact between surfaces adds its force and twice its block, as in vbd/descend.wgsl.
// `predict` prepares y and G, `finish` takes the velocity.
//!import core/launch.wgsl
//!import forces/applied.wgsl
//!import forces/applied_in.wgsl
//!import methods/implicit/anchor.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/local_global/bindings.wgsl
//!import methods/local_global/monitor.wgsl
//!import network/{grid|mesh}.wgsl

override SHARED_LOCAL_STEP: bool = false;

// One Jacobi sweep of the global step, fused with the local step unless SHARED_LOCAL_STEP.
// Reads position_in, start (dashpots), anchor, the network; writes position_out. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn sweep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        _ = advance(i);
    }
}

// The same, and notes the largest change for the watch over the Chebyshev weights. A kernel of its own, so that
// the others need no workgroup memory and no barriers.
@compute @workgroup_size(WORKGROUP_SIZE)
fn sweep_and_note(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(num_workgroups) groups: vec3u,
) {
    let i = thread_index(id, groups);
    var change = 0.0;
    if (i < world.node_count) {
        change = advance(i);
    }
    note(local, i, change);
}

// Moves node i and returns how far a plain Jacobi sweep would.
fn advance(i: u32) -> f32 {
    let x = position_in[i];
    let moved = jacobi(i, x.xyz);
    // Where surfaces begin to touch, sweeps are plain: weights would carry on a motion that a pair has stopped.
    var omega = 1.0;
    if (!is_touching(i) || has_touched(i)) {
        omega = chebyshev_weight(i);
    }
    var next = x.xyz + moved;
    if (omega != 1.0) {
        let before = position_out[i].xyz;
        next = before + omega * (next - before);
    }
    position_out[i] = vec4f(next, x.w);
    return length(moved);
}

// D^-1 times minus the gradient of phi.
fn jacobi(i: u32, x: vec3f) -> vec3f {
    let y = anchor[i];
    let row = row_of(i);
    var force = vec3f(0.0);
    var stiffness = 0.0;
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = apart(x - position_in[link.node].xyz, start[i].xyz, start[link.node].xyz);
        if (SHARED_LOCAL_STEP) {
            force -= link.stiffness * e;
        } else {
            let spring = extent(e, link.rest_length);
            force -= link.stiffness * (spring.length - link.rest_length) * spring.direction;
        }
        stiffness += link.stiffness;
        if (HAS_DASHPOTS) {
            let e_0 = start[i].xyz - start[link.node].xyz;
            let n_0 = extent(e_0, link.rest_length).direction;
            let c = link.dashpot / world.step;
            force -= c * dot(n_0, e - e_0) * n_0;
            stiffness += c;
        }
        if (HAS_BENDING) {
            force -= link.bend * e;
            stiffness += max(link.bend, 0.0);
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            let e = apart(x - position_in[bend.node].xyz, start[i].xyz, start[bend.node].xyz);
            force -= bend.stiffness * e;
            stiffness += max(bend.stiffness, 0.0);
        }
    }
    if (SHARED_LOCAL_STEP) {
        force += anchor[PULLED * world.node_count + i].xyz;
    }
    if (ANCHOR_CONTACT > 0u) {
        force += contact_force(i);
    }
    var pulled = y.xyz - x + y.w * force;
    if (HAS_DRAG || ANCHOR_CONTACT > 0u) {
        var d = Symmetric(vec3f(1.0 + y.w * stiffness), vec3f(0.0));
        if (HAS_DRAG) {
            let b = anchor_drag(i);
            d = sum(d, b);
            pulled += multiply(b, y.xyz - x);
        }
        if (ANCHOR_CONTACT > 0u) {
            d = sum(d, scaled(2.0 * y.w, contact_block(i)));
        }
        return solve_above_one(d, pulled);
    }
    return pulled / (1.0 + y.w * stiffness);
}
