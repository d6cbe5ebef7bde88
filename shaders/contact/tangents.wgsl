// Two unit vectors across the unit vector n and each other; zero where n is. Pure.
fn tangents(n: vec3f) -> mat2x3f {
    let one = cross(n, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(n.x) > 0.5));
    let unit = one / max(length(one), 1e-30);
    return mat2x3f(unit, cross(n, unit));
}
