// What each node adds to the sums of a linear system over nodes. Same functions as linear_terms_springs.wgsl.
//!import shared/linear.wgsl

// p . A p
fn curvature_at(i: u32) -> f32 {
    return dot(vector(DIRECTION, i), vector(PRODUCT, i));
}

// r . z and |r|^2
fn residual_at(i: u32) -> vec2f {
    let r = vector(RESIDUAL, i);
    return vec2f(dot(r, vector(PRODUCT, i)), dot(r, r));
}

// |b - A u|^2, of sweeps
fn left_at(i: u32) -> f32 {
    let r = vector(PRODUCT, i);
    return dot(r, r);
}
