// The buffers of xpbd. Kernels declare themselves `iterate`, which some only read: the displacement u = x - x_0 of each
// node since the substep's start, and W. `anchor` has the rows of implicit/rows.wgsl; kernels that only read it
// have that of implicit/anchor.wgsl.

@group(2) @binding(4) var<storage, read> start: array<vec4f>;               // x_0, at the substep's start
// -tension [N]: [slot], at both ends of a spring; spring by spring: [spring].
@group(2) @binding(5) var<storage, read_write> lambda: array<f32>;

// Of all springs at once:
@group(2) @binding(1) var<storage, read_write> next: array<vec4f>;          // the next iterate

// Of springs color by color:
// A spring and its ends.
struct SpringData {
    nodes: vec2u,
    rest_length: f32,   // [m]
    stiffness: f32,     // [N/m]
    dashpot: f32,       // [N s/m]
    padding: u32,
}

// Where a color's springs stand in `order`.
struct Color {
    first: u32,
    count: u32,
}

@group(2) @binding(1) var<storage, read> springs: array<SpringData>;
@group(2) @binding(3) var<storage, read> order: array<u32>;                 // springs, color by color
@group(3) @binding(0) var<uniform> color: Color;
