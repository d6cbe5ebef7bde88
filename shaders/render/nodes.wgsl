// The nodes, as the vertex shaders pull them. positions is the simulation's own buffer.

@group(1) @binding(0) var<storage, read> positions: array<vec4f>; // xyz [m], w: inverse mass
@group(1) @binding(1) var<storage, read> normals: array<vec4f>;   // xyz: unit or zero, w: curvature
@group(1) @binding(2) var<storage, read> material: array<vec2f>;  // place in the flat fabric [m]
@group(1) @binding(3) var<storage, read> stretch: array<f32>;     // largest |l / r - 1| of its springs
// Light from the sky and from the ground on the front (xy) and on the back (zw), 1 if nothing hides it;
// the nodes first, then GROUND_SIDE * GROUND_SIDE points of the ground.
@group(1) @binding(4) var<storage, read> ambient: array<vec4f>;
