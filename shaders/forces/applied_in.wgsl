// What kernels in forces/ have prepared, for kernels that only read it; applied_rows.wgsl has its rows.
@group(2) @binding(4) var<storage, read> applied: array<vec4f>;
