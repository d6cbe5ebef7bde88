// The buffers of newton-multigrid on the network itself, the finest level, and the meaning of their rows, which have
// node_count entries each. The buffers of the coarser levels are in grid/bindings.wgsl and mesh/bindings.wgsl.
//
// position_in, position_out: z, and 1 / g without handles (0: pinned). position, velocity: the state (implicit/bindings.wgsl).
//
// anchor: the rows of implicit/rows.wgsl, with y - x_0 for y where KEEPS_MOVES, then ORIGIN, then the multipliers, four of a
// node side by side (quad_of). One kernel writes the multipliers and imports anchor_write.wgsl; all others import
// anchor_read.wgsl.
//
// work: vectors. Row 0: the right-hand side r of the cycle, which is the gradient at first, and the node's share of phi.
// Kernels that only read `work` import work_read.wgsl, others work_write.wgsl.
//!import methods/implicit/rows.wgsl

// Of anchor:
const ORIGIN: u32 = 3u;         // x_0, where there are dashpots or KEEPS_MOVES
struct MultiplierPlaces {
    quads: u32,     // where the quads of multipliers begin in `anchor`
    words: u32,     // where the words begin there that say which slots of a node have a multiplier, one for each node
    springs: u32,   // where the places of multipliers begin in `springs` of a network's levels
}
@group(2) @binding(24) var<uniform> multiplier_places: MultiplierPlaces;
// Whether there are such words; else the links say so themselves.
override HAS_WORDS: bool = false;

// Of work:
const CORRECTION: u32 = 1u;     // the correction e, and the node's mark
const RESIDUAL: u32 = 2u;       // r - A e times the node's part, and the share of phi; in conjugate gradients z after a
                                // cycle
const BEFORE: u32 = 3u;         // x before momentum, where it differs from z; x - x_0 where KEEPS_MOVES
const SOLUTION: u32 = 4u;       // of conjugate gradients: u, the solution so far
const DIRECTION: u32 = 5u;      // of conjugate gradients: the search direction p
const PRODUCT: u32 = 6u;        // of conjugate gradients: q = A p
override MOVES: u32 = 0u;       // z - x_0, where KEEPS_MOVES
// Of nodes with springs or bending that end at a pin, the ground block as coarser levels see it, in two rows. Others have no entry.
// 0: none have, and it is computed where it is needed.
override HELD: u32 = 0u;
// Of contact between surfaces: force on the node [N] and energy [J] at z, later a product; in the two rows behind it the block.
override WORK_CONTACT: u32 = 0u;

// The mark of a node is the part of a coarse-grid correction that the node takes. It is negative where a spring or bending
// of the node ends at a pin, and 0 for pins.
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

// The scalars of the solver, one set for each independent copy of the scene. First the guard's, which watches the objective.
struct Control {
    least: vec2f,       // least t = across / along of a spring in even and in odd iterations
    phi: f32,           // objective at the start of the last iteration [J]
    rises: u32,         // iterations that began with a higher objective than the one before
    first: f32,         // objective at the start of the substep [J]
    // With a tolerance:
    last: u32,          // iteration that was converged, or UNKNOWN
    used: u32,          // iterations of this substep
    most: u32,          // most iterations of any substep
    total: u32,         // iterations of all substeps
    substeps: u32,
    unfinished: u32,    // substeps that used all iterations and did not reach the tolerance
    rounded: u32,       // substeps that ended above the tolerance, because f32 holds no smaller error
    // What newton_multigrid/error.wgsl estimates:
    error: f32,         // rms error of a node at the end of the last measured substep [m]
    share: f32,         // this error as a part of the motion [1]
    worst: f32,         // largest share of any measured substep [1]
    shares: f32,        // sum of the shares of all measured substeps [1]
    looks: u32,         // number of measured substeps
    over: u32,          // number of measured substeps with a share above TOO_MUCH
    // Of conjugate gradients:
    alpha: f32,         // step length along the search direction p, (p . r) / (p . q)
    beta: f32,          // weight of the last search direction in the next one
    curvature: f32,     // p . q [J]
    has_multipliers: u32,   // whether any spring of the copy has one
    start: f32,         // s; iterations begin at x_0 + s h v
    is_touching: u32,   // whether surfaces of the copy have touched in this substep
}

struct Iteration {
    index: u32,             // from zero in each substep
    is_first_momentum: u32, // whether no momentum was used before
    momentum: f32,          // Nesterov's weight in the next iteration
    count: u32,             // iterations of the substep
}

@group(2) @binding(5) var<storage, read> control: array<Control>;
@group(3) @binding(0) var<uniform> this_iteration: Iteration;
