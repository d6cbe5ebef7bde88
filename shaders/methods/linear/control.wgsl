// Whether a linear system has been solved, of each independent copy of the scene.
//!import methods/linear/bindings.wgsl
//!import state/copies.wgsl

// Whether iterations end once the residual is small enough: |r| <= TOLERANCE |b|.
override TOLERANCE: f32 = 0.0;

fn is_solved(i: u32) -> bool {
    if (TOLERANCE == 0.0) {
        return false;
    }
    return linear[copy_of(i)].is_solved == 1u;
}
