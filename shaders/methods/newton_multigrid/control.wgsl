// Shared by all kernels of newton-multigrid: the smoother's weight, the guard's choice, and whether the substep is converged.
//!import methods/newton_multigrid/bindings.wgsl
//!import state/copies.wgsl

// Weight of a block Jacobi sweep.
const OMEGA: f32 = 0.8;

const UNKNOWN: u32 = 0xffffffffu;

// Whether iterations end by a tolerance (newton_multigrid/error.wgsl).
override USE_TOLERANCE: bool = false;

// Whether an earlier iteration of the substep was converged. Kernels then have nothing to do.
fn is_converged() -> bool {
    if (!USE_TOLERANCE) {
        return false;
    }
    return control[0].last != UNKNOWN;
}

const LEAST_ACROSS: f32 = 0.003;

fn least_across(i: u32) -> f32 {
    return select(control[copy_of(i)].least[this_iteration.index % 2u], LEAST_ACROSS, this_iteration.index == 0u);
}
