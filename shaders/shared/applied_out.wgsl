// The rows of applied_in.wgsl for a kernel that adds to them. Stands for that file.
@group(2) @binding(4) var<storage, read_write> applied: array<vec4f>;
