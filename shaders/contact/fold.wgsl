// How sharp an edge is folded. Pure.

// Sine of the angle by which the triangles of a ridge fall away from what it touches, at least.
const SHARP: f32 = 0.15;

// What of a vector is square to an edge.
fn square_to(edge: vec3f, v: vec3f) -> vec3f {
    return v - dot(v, edge) / dot(edge, edge) * edge;
}

// Whether a triangle falls away from what is behind its edge. `third`: its third corner, from a point of the edge; n: a unit vector square
// to the edge.
fn falls_away(edge: vec3f, third: vec3f, n: vec3f) -> bool {
    let aside = square_to(edge, third);
    return dot(n, aside) >= SHARP * length(aside);
}
