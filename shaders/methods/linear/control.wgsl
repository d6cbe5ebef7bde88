// Whether the linear system of each independent copy of the scene has been solved.
//!import methods/linear/bindings.wgsl
//!import state/copies.wgsl

// Iterations end once the residual is small enough: |r| <= TOLERANCE |b|. 0: there is no tolerance.
override TOLERANCE: f32 = 0.0;

fn is_solved(i: u32) -> bool {
    if (TOLERANCE == 0.0) {
        return false;
    }
    return linear[copy_of(i)].is_solved == 1u;
}
