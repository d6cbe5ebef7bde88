// What each node adds to the dot products of a linear system over nodes. Same function as linear/terms_springs.wgsl.
//!import methods/linear/term.wgsl
//!import methods/linear/vectors.wgsl

fn term(i: u32) -> vec2f {
    let q = vector(PRODUCT, i);
    if (TERM == CURVATURE) {
        return vec2f(dot(vector(DIRECTION, i), q), 0.0);
    }
    if (TERM == SWEEP_RESIDUAL) {
        return vec2f(0.0, dot(q, q));
    }
    let r = vector(RESIDUAL, i);
    return vec2f(dot(r, q), dot(r, r));
}
