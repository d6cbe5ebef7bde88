// The triangles around each node: corners corner_start[i] .. corner_start[i + 1] belong to node i, and
// corner (b, c) stands for the triangle (i, b, c), counter-clockwise seen from the front.

@group(1) @binding(4) var<storage, read> corner_start: array<u32>;
@group(1) @binding(5) var<storage, read> corners: array<vec2u>;
