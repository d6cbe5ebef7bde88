// Whether two triangles that move meet, as far as one direction tells. Pure.
//!import contact/bounds.wgsl
//!import contact/witness.wgsl

// The corners of a triangle, and how they move.
struct Triangle {
    at: mat3x3f,
    by: mat3x3f,
}

fn bounds_of(triangle: Triangle) -> Bounds {
    return Bounds(
        min(min(triangle.at[0], triangle.at[1]), triangle.at[2]), max(max(triangle.at[0], triangle.at[1]), triangle.at[2]),
        min(min(triangle.by[0], triangle.by[1]), triangle.by[2]), max(max(triangle.by[0], triangle.by[1]), triangle.by[2]));
}

fn lowest(v: vec3f) -> f32 {
    return min(min(v.x, v.y), v.z);
}

fn highest(v: vec3f) -> f32 {
    return max(max(v.x, v.y), v.z);
}

// Whether one direction separates two triangles by `least` before and after: that between their centers, or the normal of one of
// them. Then none of their features meet.
fn are_apart(a: Triangle, b: Triangle, least: f32) -> bool {
    let origin = a.at[0];
    let a_before = mat3x3f(vec3f(0.0), a.at[1] - origin, a.at[2] - origin);
    let b_before = mat3x3f(b.at[0] - origin, b.at[1] - origin, b.at[2] - origin);
    for (var k = 0u; k < 3u; k += 1u) {
        var n = vec3f(0.0);
        switch k {
            case 0u: { n = b_before * vec3f(1.0) - a_before * vec3f(1.0); }
            case 1u: { n = cross(a_before[1], a_before[2]); }
            default: { n = cross(b_before[1] - b_before[0], b_before[2] - b_before[0]); }
        }
        n = normalized(n);
        let p = n * a_before;
        let q = n * b_before;
        let p_after = p + n * a.by;
        let q_after = q + n * b.by;
        let behind = min(lowest(q) - highest(p), lowest(q_after) - highest(p_after));
        let before = min(lowest(p) - highest(q), lowest(p_after) - highest(q_after));
        if (max(behind, before) >= least) {
            return true;
        }
    }
    return false;
}
