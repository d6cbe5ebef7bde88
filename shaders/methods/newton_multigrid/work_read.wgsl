// The rows of `work` (bindings.wgsl) for kernels that only read them.
//!import methods/newton_multigrid/bindings.wgsl

@group(2) @binding(2) var<storage, read> work: array<vec4f>;
