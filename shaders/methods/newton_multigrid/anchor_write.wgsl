// The same as newton_multigrid/anchor_read.wgsl for the kernel that goes on with the multipliers.

@group(2) @binding(1) var<storage, read_write> anchor: array<vec4f>;
