// The buffers of newton-multigrid on the network itself, and what their rows hold, node_count entries each. Those of the
// coarser levels are in grid/bindings.wgsl and mesh/bindings.wgsl.
//
// position_in, position_out: z, and 1 / g without handles (0: pinned). position, velocity: the state (implicit/bindings.wgsl).
//
// anchor: the rows of implicit/rows.wgsl, with y - x_0 for y where KEEPS_MOVES, ORIGIN, and behind them multipliers, four of
// a node side by side (quad_of). One kernel writes those, all others only read: anchor_read.wgsl, anchor_write.wgsl.
//
// work: vectors. Row 0: right side r of the cycle, at first the gradient; and the node's share of phi. Kernels that only
// read it declare work_read.wgsl, others work_write.wgsl.
//!import methods/implicit/rows.wgsl

// Of anchor:
const ORIGIN: u32 = 3u;         // x_0, where there are dashpots or KEEPS_MOVES
// Where the quads of multipliers begin, and where a word for each node that says which of its slots have one, if that is
// not in their links.
override MULTIPLIERS: u32 = 0u;
override LOAD_WORDS: u32 = 0u;

// Of work:
const CORRECTION: u32 = 1u;     // e, and the node's mark
const LEFT: u32 = 2u;           // what e leaves of r, by the node's part, and the share of phi; behind a cycle in
                                // conjugate gradients what it came to
const BEFORE: u32 = 3u;         // x before momentum, where it differs from z; x - x_0 where KEEPS_MOVES
const TAKEN: u32 = 4u;          // of conjugate gradients: p, the correction so far
const DIRECTION: u32 = 5u;      // d
const PRODUCT: u32 = 6u;        // A d
override MOVES: u32 = 0u;       // z - x_0, where KEEPS_MOVES

// The mark of a node: the part of a coarse correction that it takes, negative where a spring or bending of it ends at a
// pin; 0 for pins.
fn mark_of(part: f32, ends_at_pin: bool) -> f32 {
    return select(part, -part, ends_at_pin);
}

const MARK_OF_PIN: f32 = 0.0;

fn is_pin(mark: f32) -> bool {
    return mark == MARK_OF_PIN;
}

fn part_of(mark: f32) -> f32 {
    return abs(mark);
}

fn is_apart_from_pins(mark: f32) -> bool {
    return mark > 0.0;
}

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

struct Iteration {
    index: u32,             // from zero in each substep
    is_first_momentum: u32, // whether no momentum was used before
    momentum: f32,          // beta of the next iteration (Nesterov)
    count: u32,             // iterations of the substep
}

@group(2) @binding(5) var<storage, read> control: array<Control>;
@group(3) @binding(0) var<uniform> this_iteration: Iteration;
