// Planes that are not the ground: a faint piece around the bodies, with a grid, that fades towards its border.
//!import render/body.wgsl
//!import render/grid.wgsl
//!import render/light.wgsl
//!import render/shade.wgsl

struct Point {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) own: vec2f,   // [m]
    @location(2) place: vec2f, // in half sides
    @location(3) @interpolate(flat) sheet: u32,
}

@vertex
fn sheet_vertex(@builtin(vertex_index) k: u32, @builtin(instance_index) index: u32) -> Point {
    let sheet = solids.count + index;
    let s = solids.list[sheet];
    let which = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[k];
    let corner = vec2f(f32(which >> 1u), f32(which & 1u)) * 2.0 - 1.0;
    let own = s.spin.xyz + vec3f(corner.x, 0.0, corner.y) * s.half_size;
    let p = s.center + rotated(s.rotation, own);
    return Point(view.clip * vec4f(p, 1.0), p, own.xz, corner, sheet);
}

@fragment
fn sheet_fragment(in: Point) -> @location(0) vec4f {
    let grid = grid_lines(in.own / view.grid);
    let n = rotated(solids.list[in.sheet].rotation, vec3f(0.0, 1.0, 0.0));
    let v = normalize(to_eye(in.position));
    let towards = select(-n, n, dot(n, v) >= 0.0);
    let nl = dot(towards, view.light.xyz);
    var light = 0.0;
    if nl > 0.0 {
        light = nl * key_light(in.position, towards, in.clip.xy, NO_SOLID);
    }
    let up = 0.5 + 0.5 * towards.y;
    // A little darker than the ground, to stand out from it.
    let base = mix(0.8 * GROUND_COLOR, GRID_COLOR, 0.75 * grid);
    let color = base * (KEY * light + mix(BOUNCE, SKY, up) * solid_sky(in.position, towards));
    let alpha = mix(0.7, 0.9, grid) * (1.0 - smoothstep(0.6, 1.0, length(in.place)));
    return vec4f(encode(tone(color), in.clip.xy).xyz, alpha);
}
