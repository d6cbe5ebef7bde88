// What each node's springs add to the dot products of a linear system over springs. Both ends count a spring, so all sums
// are doubled, and alpha and beta, which are quotients, are right. There are no sweeps over springs. Same function as
// linear/terms_nodes.wgsl.
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
