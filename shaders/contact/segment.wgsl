// A segment, seen from the origin. Pure.

// The part of the segment from a to b at which it is nearest to the origin, from 0 to 1.
fn part_of_segment(a: vec3f, b: vec3f) -> f32 {
    let e = b - a;
    let square = dot(e, e);
    if (square <= 0.0) {
        return 0.0;
    }
    return clamp(-dot(a, e) / square, 0.0, 1.0);
}
