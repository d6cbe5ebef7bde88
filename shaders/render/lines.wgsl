// Springs as ribbons that face the camera, shaded as round cords. Six vertices a spring, none stored.
//!import render/body.wgsl
//!import render/nodes.wgsl
//!import render/shade.wgsl
//!import render/solids.wgsl

struct Style {
    radius: f32, // of a cord [m]
    pixels: f32, // least width on the screen
    cord: u32,   // 1: a cord in the fabric's color, 0: colored by family or stretch
    pad: u32,
}

@group(3) @binding(0) var<uniform> style: Style;
// Two nodes a spring; the first carries the family in its two highest bits.
@group(3) @binding(1) var<storage, read> springs: array<vec2u>;

struct Point {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) side: vec3f,
    @location(2) normal: vec3f,
    @location(3) ambient: vec4f,
    @location(4) across: vec3f, // across and along in half widths, length in half widths
    @location(5) stretch: f32,
    @location(6) place: f32,
    @location(7) @interpolate(flat) family: u32,
}

@vertex
fn line_vertex(@builtin(vertex_index) k: u32) -> Point {
    let spring = springs[k / 6u];
    let family = spring.x >> 30u;
    let ends = vec2u(spring.x & 0x3fffffffu, spring.y);
    let corner = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[k % 6u];
    let node = ends[corner >> 1u];
    let p = positions[node].xyz;
    let edge = positions[ends.y].xyz - positions[ends.x].xyz;
    let span = length(edge);
    let along = edge / max(span, 1e-20);
    let v = to_eye(p);
    let turned = cross(along, v);
    let side = turned / max(length(turned), 1e-20) * (f32(corner & 1u) * 2.0 - 1.0);
    let half = max(style.radius, 0.5 * style.pixels * view.pixel * length(v));
    let end = f32(corner >> 1u) * 2.0 - 1.0;
    let at = p + half * (side + along * end);
    // For springs over the same nodes, structural is in front of shear, and shear in front of flexion.
    let nearer = 2e-4 * (3.0 - f32(family));
    var clip = view.clip * vec4f(at + nearer * v, 1.0);
    if (view.families & (1u << family)) == 0u && style.cord == 0u {
        clip = vec4f(2.0, 2.0, 2.0, 1.0);
    }
    let s = f32(corner & 1u) * 2.0 - 1.0;
    let reach = span / half;
    let run = select(-1.0, reach + 1.0, corner > 1u);
    return Point(clip, at, side * s, normals[node].xyz, ambient[node], vec3f(s, run, reach), stretch[node],
        material[node].x + end * half, family);
}

// Distinct for readers who cannot distinguish red and green (Okabe and Ito 2008).
fn family_color(family: u32) -> vec3f {
    switch family {
        case 0u: { return vec3f(0.0, 0.168, 0.445); }
        case 1u: { return vec3f(0.665, 0.112, 0.0); }
        case 2u: { return vec3f(0.0, 0.342, 0.171); }
        default: { return vec3f(0.035, 0.04, 0.06); }
    }
}

@fragment
fn line_fragment(in: Point) -> @location(0) vec4f {
    // Distance from the spring's axis, round at the ends.
    let beyond = in.across.y - clamp(in.across.y, 0.0, in.across.z);
    let d = length(vec2f(in.across.x, beyond));
    let cover = clamp((1.0 - d) / max(fwidth(in.across.x), 1e-6) + 0.5, 0.0, 1.0);
    let strand = in.place / max(style.radius, 1e-9);
    let fine = 1.0 - smoothstep(0.3, 1.0, fwidth(strand));
    if d > 1.0 && cover <= 0.0 {
        discard;
    }
    let v = normalize(to_eye(in.position));
    let u = clamp(in.across.x, -0.98, 0.98);
    let round = normalize(in.side * u + normalize(v - in.side * dot(v, in.side)) * sqrt(1.0 - u * u));
    if style.cord == 1u {
        // Strands twisted around the cord.
        let twist = cos(1.8 * strand + 1.7 * asin(u));
        let base = view.front.xyz * (1.0 - 0.45 * fine * smoothstep(0.3, 1.0, twist));
        let open = vec2f(0.5 + 0.5 * round.y, 0.5 - 0.5 * round.y);
        let light = solid_light(in.position, view.light.xyz, SOURCE, NO_SOLID);
        let color = fabric(base, round, v, light, open * 0.85, vec2f(0.0));
        return vec4f(encode(tone(color), in.clip.xy).xyz, cover);
    }
    let has_normal = dot(in.normal, in.normal) > 0.0;
    let n = select(round, normalize(in.normal + vec3f(0.0, 1e-12, 0.0)), has_normal);
    let facing = select(-n, n, dot(n, v) >= 0.0);
    let open = select(vec2f(0.5), select(in.ambient.zw, in.ambient.xy, dot(n, v) >= 0.0), has_normal);
    let shade = 0.45 + 0.75 * max(0.0, dot(facing, view.light.xyz)) + 0.45 * (open.x + open.y);
    var base = family_color(in.family);
    if view.mode == 2u {
        base = ramp(in.stretch / view.stretch_scale) * 0.8;
    }
    return vec4f(encode(base * shade, in.clip.xy).xyz, cover);
}
