// The step of an iteration: one V-cycle, with its post-smoothing. Same function as newton_multigrid/step_cg.wgsl.
//!import methods/newton_multigrid/product.wgsl

// The next x. z is what is stored of the node, a position or a move.
fn stepped(i: u32, z: vec3f) -> vec3f {
    let e = product(i, CORRECTION, least_across(i));
    if (position_in[i].w == 0.0) {
        return z;
    }
    return z - e.own - OMEGA * solve(e.diagonal, work[i].xyz - e.product);
}
