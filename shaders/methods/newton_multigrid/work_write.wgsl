// The rows of `work` (bindings.wgsl) for kernels that write them.
//!import methods/newton_multigrid/bindings.wgsl

@group(2) @binding(2) var<storage, read_write> work: array<vec4f>;
