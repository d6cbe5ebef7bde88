// What each node's springs add to the sums of a linear system over springs, which has no sweeps: both ends count a spring,
// so that all sums are twice what they should be, and quotients are right. Same function as linear/terms_nodes.wgsl.
//!import methods/linear/term.wgsl
//!import methods/soft_constraint/bindings.wgsl
//!import state/world.wgsl

fn term(i: u32) -> vec2f {
    let sums = anchor[SUMS * world.node_count + i];
    if (TERM == CURVATURE) {
        return vec2f(sums.x, 0.0);
    }
    return sums.yz;
}
