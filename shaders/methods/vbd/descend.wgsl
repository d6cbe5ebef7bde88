// Vertex block descent (Chen, Liu, Yang, Yuksel 2024) on the objective phi of local_global/sweep.wgsl. Color by color each node goes to
// the minimum of a quadratic model of phi with its neighbors held (eq. 9 and 10 of the paper):
//     x_i <- x_i + H_i^-1 [ G_i (y_i - x_i) + spring, dashpot and bending forces ],
//     H_i = G_i + sum k [(1 - t) n n^T + t I] + sum c/h n_0 n_0^T + Q_ii I,
// t = max(0, 1 - r/l), t = 1 without direction; Q_ii = sum kappa is the exact diagonal of bending.
// Contact between surfaces adds its force and twice its block, both those of the iterate that the iteration begins with: both sides of a
// pair move, and with one block they would open it and fall back in turn.
// All of it is divided by g, the scalar part of G_i, so that H_i / g >= I.
//!import core/launch.wgsl
//!import forces/applied.wgsl
//!import forces/applied_in.wgsl
//!import methods/implicit/anchor.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/vbd/bindings.wgsl
//!import network/{grid|mesh}.wgsl

// Moves the nodes of one color. Neither springs nor bending couple two of them, so no node reads what another one writes.
// Reads iterate of neighbors, start (dashpots), anchor, order, the network; writes iterate. One thread per node
// of the color.
@compute @workgroup_size(WORKGROUP_SIZE)
fn descend(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= color.count) {
        return;
    }
    let i = order[color.first + t];
    let x = iterate[i];
    let y = anchor[i];
    let row = row_of(i);
    var force = vec3f(0.0);
    var stiffness = Symmetric(vec3f(0.0), vec3f(0.0));
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = apart(x.xyz - iterate[link.node].xyz, start[i].xyz, start[link.node].xyz);
        let spring = extent(e, link.rest_length);
        force -= link.stiffness * (spring.length - link.rest_length) * spring.direction;
        let across = link.stiffness * sideways(spring, link.rest_length);
        stiffness = sum(stiffness, along_and_across(spring.direction, link.stiffness, across));
        if (HAS_DASHPOTS) {
            let e_0 = start[i].xyz - start[link.node].xyz;
            let n_0 = extent(e_0, link.rest_length).direction;
            let c = link.dashpot / world.step;
            force -= c * dot(n_0, e - e_0) * n_0;
            stiffness = sum(stiffness, along_and_across(n_0, c, 0.0));
        }
        if (HAS_BENDING) {
            force -= link.bend * e;
            stiffness.diagonal += vec3f(link.bend);
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            let e = apart(x.xyz - iterate[bend.node].xyz, start[i].xyz, start[bend.node].xyz);
            force -= bend.stiffness * e;
            stiffness.diagonal += vec3f(bend.stiffness);
        }
    }
    if (ANCHOR_CONTACT > 0u) {
        force += contact_force(i);
        stiffness = sum(stiffness, scaled(2.0, contact_block(i)));
    }
    var pulled = y.xyz - x.xyz + y.w * force;
    var hessian = Symmetric(vec3f(1.0) + y.w * stiffness.diagonal, y.w * stiffness.off);
    if (HAS_DRAG) {
        let b = anchor_drag(i);
        pulled += multiply(b, y.xyz - x.xyz);
        hessian = sum(hessian, b);
    }
    iterate[i] = vec4f(x.xyz + solve_above_one(hessian, pulled), x.w);
}

// t, the stiffness across a spring over the one along it, projected to what is positive.
fn sideways(spring: Extent, rest_length: f32) -> f32 {
    let t = max(0.0, 1.0 - rest_length / max(spring.length, 1e-30));
    return select(t, 1.0, spring.length <= 1e-6 * rest_length);
}

// Chebyshev acceleration after an iteration (eq. 18): x <- omega (x - x_before) + x_before, but for nodes that touch:
// weights would carry on a motion that a pair has stopped. Reads anchor; reads and writes iterate and before. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn accelerate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = iterate[i];
    let two_ago = before[i].xyz;
    // A plain iteration keeps its bits, and does not read `before`, which may not have been written.
    let next = select(two_ago + omega.x * (x.xyz - two_ago), x.xyz, omega.x == 1.0 || is_touching(i));
    before[i] = vec4f(next, x.w);
    iterate[i] = vec4f(next, x.w);
}
