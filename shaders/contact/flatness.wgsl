// How triangles of a leaf are turned and stretched against a rotation of the plane that they lie in at rest (flatten.wgsl), from `shapes` of
// the importing file (refit.wgsl).

// The mean of F in a leaf, of the two vectors of a plane.
fn deformed(leaf: u32, plane: mat2x3f) -> mat2x3f {
    return mat3x3f(shapes[3u * leaf].xyz, shapes[3u * leaf + 1u].xyz, shapes[3u * leaf + 2u].xyz) * plane;
}

// The same times the number of its triangles.
fn deformed_by_all(leaf: u32, plane: mat2x3f) -> mat2x3f {
    return shapes[3u * leaf + 1u].w * deformed(leaf, plane);
}

// The rotation that is nearest to F, by what it makes of the plane's two vectors.
fn nearest_rotation(f: mat2x3f) -> mat2x3f {
    let u = normalize(f[0]);
    let v = normalize(f[1]);
    let between = normalize(u + v);
    let across = normalize(u - v);
    return mat2x3f(sqrt(0.5) * (between + across), sqrt(0.5) * (between - across));
}

// The largest LEAST of which it is known that it holds in a leaf.
fn least_of(leaf: u32, plane: mat2x3f, turned: mat2x3f) -> f32 {
    let f = deformed(leaf, plane);
    let along = transpose(turned) * f;
    let normal = transpose(turned) * normalize(cross(f[0], f[1]));
    let mean = 0.5 * (along[0][0] + along[1][1]);
    let apart = vec2f(0.5 * (along[0][0] - along[1][1]), 0.5 * (along[0][1] + along[1][0]));
    return mean - length(apart) - shapes[3u * leaf].w - length(normal) * shapes[3u * leaf + 2u].w;
}
