// The rows of `anchor` (bindings.wgsl) as most kernels see them. Same declaration as anchor_write.wgsl.
//!import methods/newton_multigrid/bindings.wgsl

@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;
