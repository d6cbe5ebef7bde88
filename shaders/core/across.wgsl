// The part of v that lies across the unit vector n. Pure.
fn across(v: vec3f, n: vec3f) -> vec3f {
    return v - dot(v, n) * n;
}
