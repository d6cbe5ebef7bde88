// The buffers of rk4: those of the explicit methods, whose position_in and velocity_in are a stage here, and two more.
//!import methods/explicit/bindings.wgsl

// Rows of work: the acceleration of the stage, and the sums of slopes so far, k_1 + 2 k_2 + 2 k_3.
const SLOPE: u32 = 0u;
const SUM_X: u32 = 1u;
const SUM_V: u32 = 2u;

@group(2) @binding(5) var<storage, read_write> work: array<vec4f>;
@group(2) @binding(6) var<storage, read> start_position: array<vec4f>;      // y = (x, v) at the substep's start, and w = 1 / m
@group(2) @binding(7) var<storage, read> start_velocity: array<vec4f>;
