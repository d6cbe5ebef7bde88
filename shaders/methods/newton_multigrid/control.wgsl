// What all kernels of newton-multigrid share: the smoother's weight, what the guard decided, and whether the substep is
// converged.
//!import state/copies.wgsl

// Weight of a block Jacobi sweep.
const OMEGA: f32 = 0.8;

// Guard over the objective, one for each independent copy of the scene.
struct Control {
    least: vec2f,       // least t = across / along of a spring in even and in odd iterations
    phi: f32,           // objective at the start of the last iteration [J]
    rises: u32,         // iterations that began higher than the one before
    first: f32,         // objective at the start of the substep [J]
    // With a tolerance:
    last: u32,          // iteration that was converged, or UNKNOWN
    used: u32,          // iterations of this substep
    most: u32,          // of any substep
    total: u32,         // of all substeps
    substeps: u32,
    unfinished: u32,    // substeps that used all iterations and were not within the tolerance
    rounded: u32,       // substeps that ended above the tolerance, where f32 holds no less
    // What newton_multigrid/error.wgsl estimates:
    error: f32,         // rms error of a node at the end of the last substep that was looked at [m]
    share: f32,         // the same as a part of the motion [1]
    worst: f32,         // largest share of any substep that was looked at [1]
    shares: f32,        // sum of all [1]
    looks: u32,         // how many were looked at
    over: u32,          // of these, how many had a share above TOO_MUCH
    // Of conjugate gradients:
    along: f32,         // how far to go along the direction d, (d . r) / (d . q)
    kept: f32,          // how much of the last direction the next one has
    curvature: f32,     // d . q [J]
    has_multipliers: u32,   // whether any spring of the copy has one
    start: f32,         // s; iterations begin at x_0 + s h v
}

const UNKNOWN: u32 = 0xffffffffu;

// Whether iterations end once they change little: see newton_multigrid/error.wgsl.
override USE_TOLERANCE: bool = false;

struct Iteration {
    index: u32,             // from zero in each substep
    is_first_momentum: u32, // whether no momentum was used before
    momentum: f32,          // beta of the next iteration (Nesterov)
    count: u32,             // iterations of the substep
}

@group(2) @binding(5) var<storage, read> control: array<Control>;
@group(3) @binding(0) var<uniform> this_iteration: Iteration;

// Whether an earlier iteration of the substep was converged, so that nothing is left to do.
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
