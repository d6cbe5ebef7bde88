// The stiffness S of a spring whose direction is held: k I at all positions (Liu et al. 2013, eq. 14).
// Same functions as linear/block_newton.wgsl.

fn block_times(e: vec3f, link: Link, d: vec3f) -> vec3f {
    return link.stiffness * d;
}
