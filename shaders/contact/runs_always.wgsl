// Kernels that always run. Same function as contact/runs_until_converged.wgsl.

fn is_done() -> bool {
    return false;
}
