// How sharp an edge is folded. Pure.

// Sine of the angle by which the triangles of a ridge fall away from what it touches, at least.
const BLUNT: f32 = 0.05;
// From here on it keeps its whole thickness.
const SHARP: f32 = 0.15;
// The part of its thickness that a blunt one lacks. Without that a pair would come and go with all of its force: pushed by it, a shallow fold
// becomes flat, is let go, and folds again, for good.
const SOFTENED: f32 = 0.15;

// What of a vector is square to an edge.
fn square_to(edge: vec3f, v: vec3f) -> vec3f {
    return v - dot(v, edge) / dot(edge, edge) * edge;
}

// Sine of the angle by which a triangle falls away from what is behind its edge. `third`: its third corner, from a point of the edge; n: a unit
// vector square to the edge.
fn sharpness(edge: vec3f, third: vec3f, n: vec3f) -> f32 {
    let aside = square_to(edge, third);
    // A triangle without area is not sharp.
    return dot(n, aside) / max(length(aside), 1e-30);
}

// The part of its thickness that a pair of ridges keeps.
fn part_kept(sharpness: f32) -> f32 {
    return 1.0 - SOFTENED * clamp((SHARP - sharpness) / (SHARP - BLUNT), 0.0, 1.0);
}
