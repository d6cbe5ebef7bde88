// What each node's springs add to the sums of a linear system over springs: both ends count a spring, so that all sums are
// twice what they should be, and quotients are right. Same functions as linear_terms_nodes.wgsl.
//!import shared/soft_constraint.wgsl

// p . S p
fn curvature_at(i: u32) -> f32 {
    return anchor[SUMS * world.node_count + i].x;
}

// r . z and |r|^2
fn residual_at(i: u32) -> vec2f {
    return anchor[SUMS * world.node_count + i].yz;
}

// There are no sweeps.
fn left_at(i: u32) -> f32 {
    return 0.0;
}
