// The body's triangles as fabric, or colored by stretch.
//!import render/body.wgsl
//!import render/light.wgsl
//!import render/nodes.wgsl
//!import render/shade.wgsl
//!import render/weave.wgsl

struct Point {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec4f,
    @location(2) ambient: vec4f,
    @location(3) place: vec2f,
    @location(4) stretch: f32,
}

@vertex
fn cloth_vertex(@builtin(vertex_index) node: u32) -> Point {
    let p = positions[node].xyz;
    return Point(view.clip * vec4f(p, 1.0), p, normals[node], ambient[node], material[node], stretch[node]);
}

// Tilts the normal by the weave's slopes, along the fabric's directions on the screen.
fn tilt(n: vec3f, slope: vec2f, dpx: vec3f, dpy: vec3f, dux: vec2f, duy: vec2f) -> vec3f {
    let area = dux.x * duy.y - dux.y * duy.x;
    let sign = select(-1.0, 1.0, area >= 0.0);
    let along = sign * (dpx * duy.y - dpy * dux.y);
    let across = sign * (dpy * dux.x - dpx * duy.x);
    let t = along / max(length(along), 1e-20);
    let b = across / max(length(across), 1e-20);
    return normalize(n + t * slope.x + b * slope.y);
}

@fragment
fn cloth_fragment(in: Point, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let dpx = dpdx(in.position);
    let dpy = dpdy(in.position);
    let dux = dpdx(in.place);
    let duy = dpdy(in.place);
    let side = select(-1.0, 1.0, is_front);
    var n = side * normalize(in.normal.xyz + vec3f(0.0, 1e-12, 0.0));
    let v = normalize(to_eye(in.position));
    // An interpolated normal may turn away from the eye at the rim.
    n = normalize(n + v * max(0.0, 0.03 - dot(n, v)));
    let hollow = clamp(1.0 - 1.2 * side * in.normal.w, 0.6, 1.15);
    var near = select(in.ambient.zw, in.ambient.xy, is_front) * hollow;
    let far = select(in.ambient.xy, in.ambient.zw, is_front);
    let towards = select(-n, n, dot(n, view.light.xyz) >= 0.0);
    let light = key_light(in.position, towards, in.clip.xy, NO_SOLID);

    if view.mode == 2u {
        // Shading that shows the shape but keeps the colors of the map recognizable.
        let shade = 0.62 + 0.26 * max(0.0, dot(n, view.light.xyz)) * light + 0.16 * (near.x + near.y);
        return encode(ramp(in.stretch / view.stretch_scale) * shade, in.clip.xy);
    }
    let footprint = max(length(dux), length(duy)) / view.thread;
    let threads = weave(in.place, footprint);
    let base = select(view.back.xyz, view.front.xyz, is_front) * threads.tone;
    let bent = tilt(n, threads.slope, dpx, dpy, dux, duy);
    // The sky is brighter above, so threads show in the shade, too.
    near *= 1.0 + 0.6 * (bent.y - n.y);
    return encode(tone(fabric(base, bent, v, light, near, far)), in.clip.xy);
}
