// What solvers of linear systems keep between dispatches, one for each independent copy of the scene.
//!import state/copies.wgsl

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

// Whether iterations end once the residual is small enough: |r| <= TOLERANCE |b|.
override TOLERANCE: f32 = 0.0;

fn is_solved(i: u32) -> bool {
    if (TOLERANCE == 0.0) {
        return false;
    }
    return linear[copy_of(i)].is_solved == 1u;
}
