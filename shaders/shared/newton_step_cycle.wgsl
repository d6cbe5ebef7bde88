// The step of an iteration: one cycle, its last sweep included. Same function as newton_step_cg.wgsl.
//!import shared/newton_product.wgsl

fn correction_of(i: u32) -> vec3f {
    return smoothed_correction(i);
}
