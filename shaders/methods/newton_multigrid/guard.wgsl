// The guard. Where an iteration has raised the objective, the later iterations of the substep use a matrix with more
// stiffness across the springs. From crushed or folded states a Newton step can overshoot; that stiffness shortens it.
//!import methods/newton_multigrid/control.wgsl

@group(2) @binding(8) var<storage, read_write> control_out: array<Control>;

// Copies with multipliers have no guard: their objective need not fall.

// The least t of an iteration after a rise.
const LEAST_ACROSS_CAREFUL: f32 = 0.3;
// A rise by less than this part of the substep's first objective, or by less than this energy [J], is due to rounding or
// momentum and does not count.
const MOST_RISE: f32 = 0.5;
const ROUNDING_ENERGY: f32 = 1e-9;

var<workgroup> was_converged: u32;

// `is_converged` for all threads of a workgroup that writes control.
fn is_group_converged(local: u32) -> bool {
    if (!USE_TOLERANCE) {
        return false;
    }
    if (local == 0u) {
        was_converged = select(0u, 1u, control_out[0].last != UNKNOWN);
    }
    return workgroupUniformLoad(&was_converged) == 1u;
}

// Records whether surfaces touch. One thread a copy.
fn watch_contact(copy: u32, is_touching: bool) {
    let before = select(control_out[copy].is_touching, 0u, this_iteration.index == 0u);
    control_out[copy].is_touching = select(before, 1u, is_touching);
}

// Records the objective at the start of this iteration, and chooses the matrix of the next one. One thread a copy.
fn watch_objective(copy: u32, phi: f32) {
    let now = this_iteration.index % 2u;
    var next = select(control_out[copy].least[now], LEAST_ACROSS, this_iteration.index == 0u);
    if (this_iteration.index == 0u) {
        control_out[copy].first = phi;
    } else if (control_out[copy].has_multipliers == 0u && !(phi <= control_out[copy].phi + MOST_RISE * abs(control_out[copy].first) + ROUNDING_ENERGY)) {
        next = LEAST_ACROSS_CAREFUL;
        control_out[copy].rises += 1u;
    }
    // From the next iteration on: all kernels of one iteration use one matrix.
    control_out[copy].least[1u - now] = next;
    control_out[copy].phi = phi;
}
