// The guard: where an iteration has raised the objective, the next ones of the substep use a stiffer, more careful
// matrix. From crushed or folded states a Newton step can overshoot; stiffness across the springs shortens it.
//!import shared/multigrid.wgsl

@group(2) @binding(4) var<storage, read_write> control_out: array<Control>;

const LEAST_ACROSS: f32 = 0.003;
const LEAST_ACROSS_CAREFUL: f32 = 0.3;
// A rise by less than this part of the objective that the substep began with is rounding, or momentum.
const MOST_RISE: f32 = 0.01;

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

// Takes note of the objective at the start of this iteration; one thread a copy.
fn watch_objective(copy: u32, phi: f32) {
    let now = this_iteration.index % 2u;
    let is_last = this_iteration.index + 1u == this_iteration.count;
    var next = select(control_out[copy].least[now], LEAST_ACROSS, is_last);
    if (this_iteration.index == 0u) {
        control_out[copy].first = phi;
    } else if (!(phi <= control_out[copy].phi + MOST_RISE * control_out[copy].first)) {
        next = LEAST_ACROSS_CAREFUL;
        control_out[copy].rises += 1u;
    }
    // Not before this iteration has ended: all of it uses one matrix.
    control_out[copy].least[select(1u - now, 0u, is_last)] = next;
    control_out[copy].phi = phi;
}
