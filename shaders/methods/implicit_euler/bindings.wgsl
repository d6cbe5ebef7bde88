// The buffers of implicit-euler beside those of its linear system (linear/bindings.wgsl).
//!import methods/implicit/bindings.wgsl

@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;    // implicit/rows.wgsl; y - x_0 for y
@group(2) @binding(3) var<storage, read_write> first: array<vec4f>;     // the first d
