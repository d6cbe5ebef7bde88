// The sphere around the body, and orthographic maps of it seen along a direction.
//!import render/view.wgsl

@group(0) @binding(1) var<storage, read> bounds: Bounds;

// Center and radius [m], a little larger than the body, so that its rim is inside every map.
fn body_sphere() -> vec4f {
    let half = 0.5 * (bounds.high.xyz - bounds.low.xyz);
    return vec4f(bounds.low.xyz + half, 1.02 * length(half) + 1e-6);
}

// Two unit vectors that complete `d` to an orthonormal basis.
// Duff et al. 2017, "Building an orthonormal basis, revisited", JCGT 6(1).
fn basis(d: vec3f) -> mat2x3f {
    let s = select(-1.0, 1.0, d.z >= 0.0);
    let a = -1.0 / (s + d.z);
    let b = d.x * d.y * a;
    return mat2x3f(vec3f(1.0 + s * d.x * d.x * a, s * b, -s * d.x), vec3f(b, s + d.y * d.y * a, -d.y));
}

// Position in the map of direction `d`: xy in [-1, 1], z from 0 (nearest to the light) to 1.
fn map_position(p: vec3f, d: vec3f) -> vec3f {
    let sphere = body_sphere();
    let q = (p - sphere.xyz) / sphere.w;
    return vec3f(q * basis(d), 0.5 - 0.5 * dot(q, d));
}
