// What changes with time alone, at the start of a substep.
//!import forces/collider.wgsl

const MOST_COLLIDERS: u32 = 32u;
const MOST_LOADS: u32 = 64u;

struct Moment {
    time: f32,                          // [s]
    substep: u32,                       // next substep of this frame
    step: u32,                          // substeps done before this frame
    padding: u32,
    colliders: array<Collider, MOST_COLLIDERS>,
    loads: array<vec4f, MOST_LOADS>,    // force on each node of a selection [N], pressure behind its triangles [Pa]
}
