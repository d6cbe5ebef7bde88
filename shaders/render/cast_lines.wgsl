// Depth of the springs of cords seen from the key light.
//!import render/body.wgsl
//!import render/nodes.wgsl

struct Style {
    radius: f32,
    pixels: f32,
    cord: u32,
    pad: u32,
}

@group(2) @binding(0) var<uniform> style: Style;
@group(2) @binding(1) var<storage, read> springs: array<vec2u>;

@vertex
fn cast_line_vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
    let spring = springs[k / 6u];
    let ends = vec2u(spring.x & 0x3fffffffu, spring.y);
    let corner = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[k % 6u];
    let p = positions[ends[corner >> 1u]].xyz;
    let along = normalize(positions[ends.y].xyz - positions[ends.x].xyz + vec3f(0.0, 1e-12, 0.0));
    let turned = cross(along, view.light.xyz);
    let s = f32(corner & 1u) * 2.0 - 1.0;
    let end = f32(corner >> 1u) * 2.0 - 1.0;
    // At least one texel wide, so that thin cords cast an unbroken shadow.
    let half = max(style.radius, body_sphere().w / 1024.0);
    let at = p + half * (turned / max(length(turned), 1e-20) * s + along * end * 0.5);
    return vec4f(map_position(at, view.light.xyz), 1.0);
}
