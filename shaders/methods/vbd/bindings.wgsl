// The buffers of an iteration of vbd; `anchor` is that of implicit/anchor.wgsl.

// Where a color's nodes stand in `order`.
struct Color {
    first: u32,
    count: u32,
}

@group(2) @binding(0) var<storage, read_write> iterate: array<vec4f>;       // x, or u; w = 1 / m
@group(2) @binding(1) var<storage, read> start: array<vec4f>;               // x_0, at the substep's start
@group(2) @binding(3) var<storage, read> order: array<u32>;                 // nodes, color by color
@group(2) @binding(5) var<storage, read_write> before: array<vec4f>;        // one of two, by turns. In: x two iterations ago; out: x
@group(3) @binding(0) var<uniform> color: Color;
@group(3) @binding(1) var<uniform> omega: vec4f;                            // Chebyshev weight in x
