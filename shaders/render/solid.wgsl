// The solids: matte, with stripes along the meridians where they turn. One instance a solid, no vertex stored.
//!import render/body.wgsl
//!import render/light.wgsl
//!import render/nodes.wgsl
//!import render/shade.wgsl
//!import render/sky.wgsl

const FACE_CELLS: u32 = 64u; // along a side of a face; as in `solids.rs`

struct Point {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) own: vec3f,
    @location(2) place: vec2f,
    @location(3) @interpolate(flat) solid: u32,
    @location(4) @interpolate(flat) face: u32,
}

@vertex
fn solid_vertex(@builtin(vertex_index) k: u32, @builtin(instance_index) index: u32) -> Point {
    let s = solids.list[index];
    let cell = k / 6u;
    let face = cell / (FACE_CELLS * FACE_CELLS);
    let corner = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[k % 6u];
    let at = vec2u(cell % FACE_CELLS, cell / FACE_CELLS % FACE_CELLS) + vec2u(corner & 1u, corner >> 1u);
    let place = 2.0 * vec2f(at) / f32(FACE_CELLS) - 1.0;
    let own = solid_point(s, face, place);
    let p = s.center + rotated(s.rotation, own);
    return Point(view.clip * vec4f(p, 1.0), p, own, place, index, face);
}

// Light from the sky and from the ground, bilinear between the gathered points of a face.
fn face_ambient(solid: u32, face: u32, place: vec2f) -> vec2f {
    let side = f32(SOLID_SIDE - 1u);
    let inside = clamp((0.5 * place + 0.5) * side, vec2f(0.0), vec2f(side - 0.001));
    let cell = vec2u(inside);
    let f = inside - vec2f(cell);
    let first = view.node_count + GROUND_SIDE * GROUND_SIDE
        + ((solid * 6u + face) * SOLID_SIDE + cell.y) * SOLID_SIDE + cell.x;
    let near = mix(ambient[first].xy, ambient[first + 1u].xy, f.x);
    let far = mix(ambient[first + SOLID_SIDE].xy, ambient[first + SOLID_SIDE + 1u].xy, f.x);
    return mix(near, far, f.y);
}

// 1 on every second of eight gores around the axis, 0 on the others, averaged over the pixel.
fn gore(p: vec3f, axis: vec3f, pixel: f32) -> f32 {
    let q = p * basis(axis);
    let from_edge = sin(4.0 * atan2(q.y, q.x)) * 0.25 * length(q);
    return smoothstep(-pixel, pixel, from_edge);
}

@fragment
fn solid_fragment(in: Point) -> @location(0) vec4f {
    let s = solids.list[in.solid];
    let pixel = max(length(fwidth(in.own)), 1e-9);
    let n = rotated(s.rotation, solid_normal(s, in.face, in.own));
    let v = normalize(to_eye(in.position));
    var base = vec3f(0.52, 0.516, 0.508);
    if s.spin.w > 0.0 {
        base *= mix(1.0, 0.72, gore(in.own, s.spin.xyz, pixel));
    }
    let nl = dot(n, view.light.xyz);
    var light = 0.0;
    if nl > 0.0 {
        light = nl * key_light(in.position, vec3f(0.0), in.clip.xy, in.solid);
    }
    var open = face_ambient(in.solid, in.face, in.place);
    // The ground below the solid is in its shade.
    open.y *= solid_sky(vec3f(in.position.x, view.ground, in.position.z), vec3f(0.0, 1.0, 0.0));
    let color = base * (KEY * light + SKY * open.x + BOUNCE * open.y);
    // Among springs, like glass: clear in the middle, not at the rim.
    let faint = 0.30 + 0.5 * pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 3.0);
    return vec4f(encode(tone(color), in.clip.xy).xyz, select(1.0, faint, view.mode == 1u));
}
