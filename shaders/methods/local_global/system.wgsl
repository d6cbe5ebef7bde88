// Local/global with a global step that is solved instead of swept. With every direction n constant, phi
// (local_global/sweep.wgsl) is quadratic, and its minimum is x + u,
//     (G + sum k + sum c/h n_0 n_0^T + Q) u = -grad phi(x).
// Contact between surfaces adds the forces and the matrix of x.
//!import core/launch.wgsl
//!import methods/implicit/anchor.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/linear/vectors.wgsl
//!import network/{grid|mesh}.wgsl

@group(2) @binding(0) var<storage, read> start: array<vec4f>;               // x_0, at the substep's start
@group(2) @binding(1) var<storage, read_write> iterate: array<vec4f>;       // x, or u

// The local step: right-hand side and preconditioner. Reads iterate, start (dashpots), anchor, the network; writes work. One
// thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn project(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = iterate[i].xyz;
    let y = anchor[i];
    if (y.w == 0.0) {
        begin_pin(i);
        return;
    }
    var right = (y.xyz - x) / y.w;
    var block = Symmetric(vec3f(1.0 / y.w), vec3f(0.0));
    if (HAS_DRAG) {
        let b = anchor_drag(i);
        right += multiply(b, y.xyz - x) / y.w;
        block = sum(block, Symmetric(b.diagonal / y.w, b.off / y.w));
    }
    let row = row_of(i);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = apart(x - iterate[link.node].xyz, start[i].xyz, start[link.node].xyz);
        let spring = extent(e, link.rest_length);
        right -= link.stiffness * (spring.length - link.rest_length) * spring.direction;
        block.diagonal += vec3f(link.stiffness);
        if (HAS_DASHPOTS) {
            let e_0 = start[i].xyz - start[link.node].xyz;
            let n_0 = extent(e_0, link.rest_length).direction;
            let c = link.dashpot / world.step;
            right -= c * dot(n_0, e - e_0) * n_0;
            block = sum(block, along_and_across(n_0, c, 0.0));
        }
        if (HAS_BENDING) {
            right -= link.bend * e;
            block.diagonal += vec3f(link.bend);
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            let e = apart(x - iterate[bend.node].xyz, start[i].xyz, start[bend.node].xyz);
            right -= bend.stiffness * e;
            block.diagonal += vec3f(bend.stiffness);
        }
    }
    if (ANCHOR_CONTACT > 0u) {
        right += contact_force(i);
        block = sum(block, contact_block(i));
    }
    begin_system(i, right, block, y.w);
}

// The global step's end: x + u. Reads work; writes iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn advance(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = iterate[i];
    iterate[i] = vec4f(x.xyz + vector(SOLUTION, i), x.w);
}
