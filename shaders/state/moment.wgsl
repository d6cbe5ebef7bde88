// What changes with time alone, at the start of a substep.
//!import forces/collider.wgsl

struct Moment {
    time: f32,                          // [s]
    substep: u32,                       // next substep of this frame
    step: u32,                          // substeps done before this frame
    padding: u32,
    colliders: array<Collider, 32>,
    loads: array<vec4f, 64>,            // force on each node of a selection [N], pressure behind its triangles [Pa]
}
