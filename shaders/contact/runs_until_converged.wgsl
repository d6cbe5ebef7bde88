// Kernels that have nothing to do once the substep is converged. Same function as contact/runs_always.wgsl.
//!import methods/newton_multigrid/control.wgsl

fn is_done() -> bool {
    return is_converged();
}
