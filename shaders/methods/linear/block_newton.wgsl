// The stiffness S of a spring of vector e: the derivative of its force (Baraff and Witkin 1998, section 4),
// k [n n^T + t (I - n n^T)].
// Same functions as linear/block_constant.wgsl.
//!import methods/implicit/stiffness.wgsl

// Smallest t. At 0 a compressed spring has no stiffness across itself, and A is positive definite.
override LEAST_ACROSS: f32 = 0.0;

fn block_times(e: vec3f, link: Link, d: vec3f) -> vec3f {
    return times(stiffness_of(e, link.rest_length, link.stiffness, LEAST_ACROSS), d);
}
