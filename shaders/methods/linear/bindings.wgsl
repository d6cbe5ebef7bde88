// The buffers of linear systems A u = b. Each method binds what A is made of: implicit/anchor.wgsl, position_in.

// The scalars of a system, kept between dispatches. One for each independent copy of the scene.
struct LinearControl {
    rz: f32,            // r . z
    alpha: f32,         // step length along the search direction p, (r . z) / (p . A p)
    beta: f32,          // weight of the last search direction in the next one
    b_squared: f32,     // |b|^2
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

const RESIDUAL: u32 = 0u;       // r = b - A u; Jacobi and Gauss-Seidel sweeps keep the right-hand side b here
const SOLUTION: u32 = 1u;       // u
const DIRECTION: u32 = 2u;      // the search direction p; Jacobi sweeps keep a second u here
const PRODUCT: u32 = 3u;        // q = A p, then z = P^-1 r
const INVERSE: u32 = 4u;        // P^-1, P the preconditioner: xx, yy, zz; in the next row yz, xz, xy

// Partial sums.
@group(2) @binding(3) var<storage, read_write> parts: array<vec2f>;

// Nodes, color by color, and where the nodes of one color stand.
@group(2) @binding(3) var<storage, read> order: array<u32>;
struct Color {
    first: u32,
    count: u32,
}
@group(3) @binding(0) var<uniform> color: Color;
