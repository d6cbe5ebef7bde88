// The matrix-vector product with A = G + sum S + Q, the matrix of implicit Euler's linear systems: G the node terms, S of
// each spring (methods/linear/block_{newton|constant}.wgsl) with its dashpot c/h n n^T, Q bending.
//!import methods/implicit/anchor.wgsl
//!import methods/linear/block_{newton|constant}.wgsl
//!import methods/linear/vectors.wgsl
//!import network/{grid|mesh}.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;         // x_0, at the substep's start

// (A u)_i, for u in a row of work. Not for pins.
fn matrix_times(i: u32, row_of_work: u32) -> vec3f {
    let u = vector(row_of_work, i);
    let x = position_in[i].xyz;
    let row = row_of(i);
    var product = u / anchor[i].w;
    if (HAS_DRAG) {
        product += multiply(anchor_drag(i), u) / anchor[i].w;
    }
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = x - position_in[link.node].xyz;
        let d = u - vector(row_of_work, link.node);
        product += block_times(e, link, d);
        if (HAS_DASHPOTS) {
            let n = extent(e, link.rest_length).direction;
            product += link.dashpot / world.step * dot(n, d) * n;
        }
        if (HAS_BENDING) {
            product += link.bend * d;
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            product += bend.stiffness * (u - vector(row_of_work, bend.node));
        }
    }
    if (CONTACT_PRODUCT > 0u) {
        product += vector(CONTACT_PRODUCT, i);
    }
    return product;
}
