// The colliders as they are drawn, and the light that they keep from what lies around them.
//
// Their shadows are computed by casting rays, not by maps, so their resolution has no limit for any size of a solid.
//!import forces/collider.wgsl
//!import render/view.wgsl

const SOURCE: f32 = 0.055;   // width of the key light over its distance
const SOLID_SIDE: u32 = 16u; // points that receive the sky's light, along a side of each of a solid's six faces
const NO_SOLID: u32 = 0xffffffffu;

// A box with rounded edges, which includes spheres and capsules; or a sheet, a piece of a plane.
struct Solid {
    center: vec3f,    // [m]; of a sheet a point of its plane
    radius: f32,      // of the edges [m]
    rotation: vec4f,  // quaternion, from its own axes to those of the scene; a sheet's normal is its own y
    half_size: vec3f, // of the box before it is rounded [m]
    padding: f32,
    // Unit vector of the own axis about which it turns, or zero. For a sheet: the middle of the drawn piece [m].
    spin: vec4f,
}

struct Solids {
    count: u32,             // number of solids; the sheets follow them
    reach: f32,             // farthest point of a solid from the middle of the bodies [m]
    padding: vec2f,
    ground: vec4f,          // origin of the ground's grid, x and z [m], and the direction of its lines
    list: array<Solid, 32>,
}

@group(0) @binding(2) var<uniform> solids: Solids;

fn to_own(s: Solid, v: vec3f) -> vec3f {
    return rotated(vec4f(-s.rotation.xyz, s.rotation.w), v);
}

// Distance of `p`, in own axes, from the surface; negative inside.
fn solid_distance(s: Solid, p: vec3f) -> f32 {
    let q = abs(p) - s.half_size;
    return length(max(q, vec3f(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0) - s.radius;
}

// The point at `place` in [-1, 1]^2 on one of six faces, in own axes: the cube's point, scaled to the box and rounded.
fn solid_point(s: Solid, face: u32, place: vec2f) -> vec3f {
    let q = face_point(face, place) * (s.half_size + s.radius);
    let core = clamp(q, -s.half_size, s.half_size);
    return core + s.radius * (q - core) / max(length(q - core), 1e-20);
}

// Outward normal at a point of the surface, both in own axes.
fn solid_normal(s: Solid, face: u32, p: vec3f) -> vec3f {
    let away = p - clamp(p, -s.half_size, s.half_size);
    if s.radius == 0.0 || dot(away, away) == 0.0 {
        return face_point(face, vec2f(0.0));
    }
    return normalize(away);
}

// A point of the cube [-1, 1]^3; x, y and the outward normal of a face are right-handed.
fn face_point(face: u32, place: vec2f) -> vec3f {
    let side = select(-1.0, 1.0, (face & 1u) == 1u);
    let c = vec3f(side, side * place.x, place.y);
    switch face >> 1u {
        case 0u: { return c; }
        case 1u: { return c.zxy; }
        default: { return c.yzx; }
    }
}

// Angle [rad] by which the ray from `p` along `d` misses a solid; negative if it hits. Exact below `width`.
fn clearance(s: Solid, p: vec3f, d: vec3f, width: f32) -> f32 {
    let to = s.center - p;
    let apart = max(length(to), 1e-20);
    let reach = length(s.half_size) + s.radius;
    let is_ball = all(s.half_size == vec3f(0.0));
    if is_ball || apart > reach {
        let bound = acos(clamp(dot(to, d) / apart, -1.0, 1.0)) - asin(min(reach / apart, 1.0));
        if is_ball || bound >= width {
            return bound;
        }
    }
    // The distance from a convex body over the distance along the ray has one minimum, found by golden section.
    let o = to_own(s, -to);
    let e = to_own(s, d);
    let inside = min(solid_distance(s, o), 0.0);
    var low = 1e-3 * reach;
    var high = apart + reach;
    var t = vec2f(mix(high, low, 0.618034), mix(low, high, 0.618034));
    var f = vec2f(solid_distance(s, o + t.x * e) - inside, solid_distance(s, o + t.y * e) - inside) / t;
    for (var k = 0; k < 12; k++) {
        if f.x < f.y {
            high = t.y;
            t = vec2f(mix(high, low, 0.618034), t.x);
            f = vec2f((solid_distance(s, o + t.x * e) - inside) / t.x, f.x);
        } else {
            low = t.x;
            t = vec2f(t.y, mix(low, high, 0.618034));
            f = vec2f(f.y, (solid_distance(s, o + t.y * e) - inside) / t.y);
        }
    }
    return min(f.x, f.y);
}

// The fraction of a light from `d`, of half angle `width` [rad], that reaches `p` past all solids except `but`.
fn solid_light(p: vec3f, d: vec3f, width: f32, but: u32) -> f32 {
    var light = 1.0;
    for (var k = 0u; k < solids.count; k++) {
        if k != but {
            light *= smoothstep(-width, width, clearance(solids.list[k], p, d, width));
        }
    }
    return light;
}

// The fraction of the sky that the solids leave visible at a point with normal `n`, sampled along the normal.
fn solid_sky(p: vec3f, n: vec3f) -> f32 {
    var open = 1.0;
    for (var k = 0u; k < solids.count; k++) {
        let s = solids.list[k];
        let o = to_own(s, p - s.center);
        let m = to_own(s, n);
        var h = 0.06 * (max(s.half_size.x, max(s.half_size.y, s.half_size.z)) + s.radius);
        var hidden = 0.0;
        for (var j = 0; j < 5; j++) {
            hidden += clamp(1.0 - solid_distance(s, o + m * h) / h, 0.0, 1.0);
            h *= 2.0;
        }
        open *= 1.0 - 0.17 * hidden;
    }
    return open;
}
