// Where an iteration goes from z: one cycle, its last sweep included. Same function as newton_multigrid/step_cg.wgsl.
//!import methods/newton_multigrid/product.wgsl

// From z, which may be any of what is stored of a node.
fn stepped(i: u32, z: vec3f) -> vec3f {
    let e = product(i, CORRECTION, least_across(i));
    if (position_in[i].w == 0.0) {
        return z;
    }
    return z - e.own - OMEGA * solve(e.diagonal, work[i].xyz - e.taken);
}
