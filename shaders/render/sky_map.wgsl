// Draws the body's nearest and farthest surface along many axes at once, one tile per instance.
//
// Both come from one draw: the blend keeps the larger value of (1 - depth) for the side seen along the axis, and of
// depth for the side seen from behind.
//!import render/body.wgsl
//!import render/nodes.wgsl
//!import render/sky.wgsl

@group(2) @binding(0) var<uniform> first_axis: vec4u;

struct Texel {
    @builtin(position) clip: vec4f,
    @location(0) depth: f32,
}

@vertex
fn sky_vertex(@builtin(vertex_index) node: u32, @builtin(instance_index) tile: u32) -> Texel {
    let q = map_position(positions[node].xyz, sky_axis(first_axis.x + tile));
    let corner = vec2f(f32(tile % TILES), f32(tile / TILES)) * 2.0 + 1.0 - f32(TILES);
    return Texel(vec4f((q.xy + corner) / f32(TILES), 0.5, 1.0), q.z);
}

@fragment
fn sky_fragment(in: Texel) -> @location(0) vec4f {
    return vec4f(1.0 - in.depth, in.depth, 0.0, 1.0);
}
