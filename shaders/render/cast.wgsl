// Depth of the body's triangles seen from the key light.
//!import render/body.wgsl
//!import render/nodes.wgsl

@vertex
fn cast_vertex(@builtin(vertex_index) node: u32) -> @builtin(position) vec4f {
    return vec4f(map_position(positions[node].xyz, view.light.xyz), 1.0);
}
