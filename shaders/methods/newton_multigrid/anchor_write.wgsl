// The same as anchor_read.wgsl for the kernel that goes on with the multipliers.
//!import methods/newton_multigrid/bindings.wgsl

@group(2) @binding(1) var<storage, read_write> anchor: array<vec4f>;
