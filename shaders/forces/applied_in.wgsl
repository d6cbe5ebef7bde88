// The forces that kernels in forces/ have prepared, for kernels that only read them; applied_rows.wgsl has the rows.
@group(2) @binding(4) var<storage, read> applied: array<vec4f>;
