// Two edges that cross without a common node, (v, w) and (p, q), seen from v. Pure.
//     v + s (w - v), p + t (q - p) where the lines are nearest, n their common normal, d = n . (v - p)
// The distance d then changes with v, w, p, q by n times 1 - s, s, -(1 - t), -t. A row of weights begins with 1 for its node, so all of it is
// divided by 1 - s, the part of v: what the pair does to v is its force times that, and its stiffness times the square.
//!import contact/slots.wgsl
//!import contact/touch.wgsl

// Lines whose angle has a sine below this have no normal to speak of, and no force.
const PARALLEL: f32 = 0.1;
// Where an edge's end has passed the other edge, it still holds; its part stays large enough to divide by.
const OWN_PARTS: vec2f = vec2f(-0.5, 0.75);
const OTHER_PARTS: vec2f = vec2f(-0.5, 1.5);
const NOT_NEAR: f32 = 1e30;

// s and t of lines through the origin along `own`, and through p along `other`, with the square of the sine of their angle; before any
// limit.
fn parts_of_lines(own: vec3f, p: vec3f, other: vec3f) -> vec3f {
    let square = cross(own, other);
    let size = dot(square, square);
    return vec3f(
        dot(cross(p, other), square) / size, dot(cross(p, own), square) / size, size / (dot(own, own) * dot(other, other)));
}

// Distance of the edges from a to b and from p to q.
fn distance_of_edges(a: vec3f, b: vec3f, p: vec3f, q: vec3f) -> f32 {
    let parts = parts_of_lines(b - a, p - a, q - p);
    var least = min(
        min(distance_of_segment(p - a, q - a), distance_of_segment(p - b, q - b)),
        min(distance_of_segment(a - p, b - p), distance_of_segment(a - q, b - q)));
    if (all(parts.xy > vec2f(0.0)) && all(parts.xy < vec2f(1.0))) {
        least = min(least, length(mix(a, b, parts.x) - mix(p, q, parts.y)));
    }
    return least;
}

// Of the origin.
fn distance_of_segment(a: vec3f, b: vec3f) -> f32 {
    return length(mix(a, b, part_of_segment(a, b)));
}

// p, q, w relative to v. `side`: that of v, along (w - v) x (q - p).
fn touch_of_edges(p: vec3f, q: vec3f, w: vec3f, side: f32) -> Touch {
    let parts = parts_of_lines(w, p, q - p);
    if (!(parts.z > PARALLEL * PARALLEL)) {
        return Touch(vec3f(0.0), NOT_NEAR, vec3f(0.5, 0.5, 0.0));
    }
    let n = side * normalize(cross(w, q - p));
    let s = clamp(parts.x, OWN_PARTS.x, OWN_PARTS.y);
    let t = clamp(parts.y, OTHER_PARTS.x, OTHER_PARTS.y);
    return Touch(n, -dot(n, p), vec3f(1.0 - t, t, -s) / (1.0 - s));
}

// 1 - s, from the weights.
fn part_of_node(weights: vec3f) -> f32 {
    return 1.0 / (weights.x + weights.y);
}

// What of the force of a pair its node takes.
fn part_of_slot(slot: Slot, weights: vec3f) -> f32 {
    return select(1.0, part_of_node(weights), is_edges(slot));
}
