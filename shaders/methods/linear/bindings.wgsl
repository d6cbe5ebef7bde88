// The buffers of linear systems A u = b. What A is made of the methods bind themselves: implicit/anchor.wgsl, position_in.

// What is kept between dispatches, one for each independent copy of the scene.
struct LinearControl {
    slope: f32,         // r . z
    along: f32,         // how far to go along p, (r . z) / (p . A p)
    kept: f32,          // how much of the last direction the next one has
    right: f32,         // |b|^2
    is_solved: u32,     // whether this system is within the tolerance
    used: u32,          // iterations of this system
    most: u32,          // of any system
    total: u32,         // of all systems
    systems: u32,
    solved: u32,        // systems that came within the tolerance
}

@group(2) @binding(5) var<storage, read_write> linear: array<LinearControl>;

// Vectors, row after row of node_count entries.
@group(2) @binding(6) var<storage, read_write> work: array<vec4f>;

const RESIDUAL: u32 = 0u;       // r = b - A u; sweeps keep b itself here
const SOLUTION: u32 = 1u;       // u
const DIRECTION: u32 = 2u;      // p; of Jacobi sweeps the second u
const PRODUCT: u32 = 3u;        // A p, then z = P^-1 r
const INVERSE: u32 = 4u;        // P^-1, P the preconditioner: xx, yy, zz; in the next row yz, xz, xy

// Parts of sums.
@group(2) @binding(3) var<storage, read_write> parts: array<vec2f>;

// Nodes, color by color, and where those of a color stand.
@group(2) @binding(3) var<storage, read> order: array<u32>;
struct Color {
    first: u32,
    count: u32,
}
@group(3) @binding(0) var<uniform> color: Color;
