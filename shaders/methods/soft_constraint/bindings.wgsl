// The buffers of soft-constraint. The scalars of its linear system are in linear/bindings.wgsl. Both ends of a spring store
// its values: [slot].

// Rows of node_count entries that begin as those of implicit/rows.wgsl, with y - x_0.
@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;

const MOVED: u32 = 3u;      // G^-1 J^T p, at the end G^-1 J^T lambda
const SUMS: u32 = 4u;       // the node's part of dot products

@group(2) @binding(0) var<storage, read> start: array<vec4f>;               // x_0
@group(2) @binding(1) var<storage, read_write> lambda: array<f32>;          // [slot], -tension [N]
@group(2) @binding(3) var<storage, read_write> residual: array<f32>;        // [slot], r [m]
@group(2) @binding(4) var<storage, read_write> direction: array<f32>;       // [slot], p [N]
@group(2) @binding(6) var<storage, read_write> product: array<f32>;         // [slot], S p [m], then z [N]
@group(2) @binding(7) var<storage, read_write> inverse: array<f32>;         // [slot], preconditioner [N/m]
