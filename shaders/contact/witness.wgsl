// A direction that separates two features before and after a motion: a proof that they do not meet in between. Pure.
//
// A feature pair is a node and a triangle, or two edges. All nodes move in straight lines. The extent of a feature along a fixed
// direction n is then the largest of functions that are linear in time, and the gap along n,
//     min n . p - max n . q,  p on one side, q on the other,
// is concave: where it is positive at the start and at the end, it is so all the time.
//
// Features that turn together, as the two sides of a sharp fold, need a direction that turns with them: n_0 + t (n_1 - n_0). The
// gap between two nodes is then quadratic in time, and lies within its Bernstein coefficients
//     n_0 . d_0,    (n_0 . d_1 + n_1 . d_0) / 2,    n_1 . d_1,    d_0 and d_1 the vectors between them at the start and at the end.
//!import contact/segment.wgsl

// The corners of a feature pair: a node (twice) or an edge, and a triangle or an edge (its second node twice).
struct Corners {
    p0: vec3f,
    p1: vec3f,
    q0: vec3f,
    q1: vec3f,
    q2: vec3f,
}

fn gap_along(n: vec3f, at: Corners) -> f32 {
    let p = min(dot(n, at.p0), dot(n, at.p1));
    let q = max(max(dot(n, at.q0), dot(n, at.q1)), dot(n, at.q2));
    return p - q;
}

// Whether one of the axes separates them by `least` before and after.
fn is_apart_along_axes(start: Corners, end: Corners, least: f32) -> bool {
    let before = gaps_along_axes(start);
    let after = gaps_along_axes(end);
    let smaller = min(before.low, after.low);
    let larger = min(before.high, after.high);
    return any(smaller >= vec3f(least)) || any(larger >= vec3f(least));
}

struct AxisGaps {
    low: vec3f,     // with p on the side of larger coordinates
    high: vec3f,
}

fn gaps_along_axes(at: Corners) -> AxisGaps {
    let p_low = min(at.p0, at.p1);
    let p_high = max(at.p0, at.p1);
    let q_low = min(min(at.q0, at.q1), at.q2);
    let q_high = max(max(at.q0, at.q1), at.q2);
    return AxisGaps(p_low - q_high, q_low - p_high);
}

// From the nearest point of the triangle to the node.
fn from_triangle(at: Corners) -> vec3f {
    let a = at.q0 - at.p0;
    let b = at.q1 - at.p0;
    let c = at.q2 - at.p0;
    let n = cross(b - a, c - a);
    let square = dot(n, n);
    if (square > 0.0) {
        let inside = vec3f(dot(n, cross(b, c)), dot(n, cross(c, a)), dot(n, cross(a, b)));
        if (all(inside >= vec3f(0.0))) {
            return -dot(n, a) / square * n;
        }
    }
    let on_ab = mix(a, b, part_of_segment(a, b));
    let on_bc = mix(b, c, part_of_segment(b, c));
    let on_ca = mix(c, a, part_of_segment(c, a));
    var nearest = on_ab;
    if (dot(on_bc, on_bc) < dot(nearest, nearest)) {
        nearest = on_bc;
    }
    if (dot(on_ca, on_ca) < dot(nearest, nearest)) {
        nearest = on_ca;
    }
    return -nearest;
}

// From the nearest point of the segment c d to that of the segment a b.
fn from_segment(a: vec3f, b: vec3f, c: vec3f, d: vec3f) -> vec3f {
    let u = b - a;
    let v = d - c;
    let r = a - c;
    let uu = dot(u, u);
    let vv = dot(v, v);
    let uv = dot(u, v);
    let denominator = uu * vv - uv * uv;
    var s = 0.0;
    // Nearly parallel: the crossing point of the lines says nothing.
    if (denominator > 1e-6 * uu * vv) {
        s = clamp((uv * dot(v, r) - vv * dot(u, r)) / denominator, 0.0, 1.0);
    }
    let t = part_of_segment(c - (a + s * u), d - (a + s * u));
    let on_second = c + t * v;
    s = part_of_segment(a - on_second, b - on_second);
    return a + s * u - on_second;
}

// From the nearest point of q to that of p.
fn offset_of_corners(at: Corners, is_edges: bool) -> vec3f {
    if (is_edges) {
        return from_segment(at.p0, at.p1, at.q0, at.q1);
    }
    return from_triangle(at);
}

fn normal_of_corners(at: Corners, is_edges: bool) -> vec3f {
    if (is_edges) {
        return cross(at.p1 - at.p0, at.q1 - at.q0);
    }
    return cross(at.q1 - at.q0, at.q2 - at.q0);
}

// The largest part of a motion for which a witness was found, 1 for all of it. `held` is the start, but with pins where they
// end, since pins are never held back. It counts where less than all of the motion is taken; for all of it, start and end are the proof. That
// is one for `end` as it is, with pins there, and not for the same part of all nodes. `apart` leads from the nearest point of q
// to that of p at the start. A witness has a gap of `from_gap` at the start and of `least` at the end.
fn proven_part(
    start: Corners, held: Corners, end: Corners, is_edges: bool, apart: vec3f, from_gap: f32, least: f32,
) -> f32 {
    let first = normalized(apart);
    var n = first;
    var last = first;
    var best = 0.0;
    for (var k = 0u; k < 5u; k += 1u) {
        switch k {
            case 1u: {
                last = normalized(offset_of_corners(end, is_edges));
                n = last;
            }
            case 2u: { n = normalized(first + n); }
            case 3u: { n = normalized(normal_of_corners(start, is_edges)); }
            case 4u: { n = normalized(normal_of_corners(end, is_edges)); }
            default: {}
        }
        n = select(n, -n, dot(n, first) < 0.0);
        let before = gap_along(n, start);
        if (!(before >= from_gap)) {
            continue;
        }
        let gap = gap_along(n, end);
        if (gap >= least) {
            return 1.0;
        }
        // The gap is concave: it lies above the chord.
        let rest = min(before, gap_along(n, held));
        if (rest > least) {
            best = max(best, CAUTION * (rest - least) / (rest - gap));
        }
    }
    let turned = select(last, -last, dot(last, first) < 0.0);
    let between = 0.5 * gap_between(first, turned, start, end);
    if (gap_along(first, start) >= from_gap && between >= max(from_gap, least) && gap_along(turned, end) >= least) {
        return 1.0;
    }
    return best;
}

// Twice the least middle coefficient of the gaps along a direction that turns from n_0 to n_1.
fn gap_between(n_0: vec3f, n_1: vec3f, start: Corners, end: Corners) -> f32 {
    let p_0 = dot(n_0, end.p0) + dot(n_1, start.p0);
    let p_1 = dot(n_0, end.p1) + dot(n_1, start.p1);
    let q_0 = dot(n_0, end.q0) + dot(n_1, start.q0);
    let q_1 = dot(n_0, end.q1) + dot(n_1, start.q1);
    let q_2 = dot(n_0, end.q2) + dot(n_1, start.q2);
    return min(p_0, p_1) - max(max(q_0, q_1), q_2);
}

fn is_same(a: Corners, b: Corners) -> bool {
    return all(a.p0 == b.p0) && all(a.p1 == b.p1) && all(a.q0 == b.q0) && all(a.q1 == b.q1) && all(a.q2 == b.q2);
}

// The part of the way to the least gap that is taken.
const CAUTION: f32 = 0.9;

fn normalized(v: vec3f) -> vec3f {
    let size = length(v);
    if (size > 0.0) {
        return v / size;
    }
    return vec3f(0.0);
}
