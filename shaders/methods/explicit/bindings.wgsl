// The buffers of the explicit methods. `applied` is that of forces/applied_in.wgsl.
//!import forces/applied_in.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;         // x, and w = 1 / m (0: pinned)
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;         // v; of verlet u, half a step before
@group(2) @binding(2) var<storage, read_write> position_out: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> velocity_out: array<vec4f>;
