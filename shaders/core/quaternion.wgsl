// Rotations as quaternions.

fn rotated(q: vec4f, v: vec3f) -> vec3f {
    return v + turn(q, v);
}

// What a rotation adds to a vector, exact for the smallest angles.
fn turn(q: vec4f, v: vec3f) -> vec3f {
    return 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
