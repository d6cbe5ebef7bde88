// The background: one triangle over the whole picture.
//!import render/shade.wgsl

struct Point {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn backdrop_vertex(@builtin(vertex_index) k: u32) -> Point {
    let xy = vec2f(f32(k & 1u), f32(k >> 1u)) * 4.0 - 1.0;
    let ray = view.unproject * vec4f(xy, 1.0, 1.0);
    return Point(vec4f(xy, 0.0, 1.0), ray.xyz);
}

@fragment
fn backdrop_fragment(in: Point) -> @location(0) vec4f {
    return encode(tone(backdrop(normalize(in.ray))), in.clip.xy);
}
