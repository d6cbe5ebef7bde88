// A node and a triangle, where they touch. Pure.
//     above the face: n the normal of the plane, towards the node; d = n . (x - a); b the weights of the projection, within
//     [-1/2, 3/2] and with sum 1
//     else: b the weights of the triangle's nearest point p, d = |x - p|, n = (x - p) / d
// The distance then changes with the node by n, and with corner k by -b_k n.
//!import contact/segment.wgsl

struct Touch {
    normal: vec3f,
    distance: f32,      // [m]
    weights: vec3f,     // b [1]
}

// Weights of the projection of the origin on the plane of a triangle, before any limit; NaN where it has no area.
fn weights_of_plane(a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let n = cross(b - a, c - a);
    return vec3f(dot(n, cross(b, c)), dot(n, cross(c, a)), dot(n, cross(a, b))) / dot(n, n);
}

fn is_inside(weights: vec3f) -> bool {
    return all(weights >= vec3f(0.0));
}

// Weights of the point of a triangle that is nearest to the origin.
fn weights_of_nearest(a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let plane = weights_of_plane(a, b, c);
    if (is_inside(plane)) {
        return plane;
    }
    let ab = part_of_segment(a, b);
    let bc = part_of_segment(b, c);
    let ca = part_of_segment(c, a);
    let on_ab = mix(a, b, ab);
    let on_bc = mix(b, c, bc);
    let on_ca = mix(c, a, ca);
    var best = vec3f(1.0 - ab, ab, 0.0);
    var least = dot(on_ab, on_ab);
    if (dot(on_bc, on_bc) < least) {
        least = dot(on_bc, on_bc);
        best = vec3f(0.0, 1.0 - bc, bc);
    }
    if (dot(on_ca, on_ca) < least) {
        best = vec3f(ca, 0.0, 1.0 - ca);
    }
    return best;
}

// Corners relative to the node. `side`: 1 or -1 above the face, 0 else.
fn touch(a: vec3f, b: vec3f, c: vec3f, side: f32) -> Touch {
    if (side == 0.0) {
        let weights = weights_of_nearest(a, b, c);
        let away = -(weights.x * a + weights.y * b + weights.z * c);
        let distance = length(away);
        return Touch(select(vec3f(0.0), away / distance, distance > 0.0), distance, weights);
    }
    let n = side * normalize(cross(b - a, c - a));
    let weights = clamp(weights_of_plane(a, b, c), vec3f(-0.5), vec3f(1.5));
    return Touch(n, -dot(n, a), weights / (weights.x + weights.y + weights.z));
}
