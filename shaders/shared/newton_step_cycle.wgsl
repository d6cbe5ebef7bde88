// Where an iteration goes from z: one cycle, its last sweep included. Same function as newton_step_cg.wgsl.
//!import shared/newton_product.wgsl

fn stepped(i: u32) -> vec3f {
    let e = product(i, CORRECTION, least_across(i));
    if (position_in[i].w == 0.0) {
        return position_in[i].xyz;
    }
    return position_in[i].xyz - e.own - OMEGA * solve(e.diagonal, work[i].xyz - e.taken);
}
