// The buffers of local-global, whose rows of `anchor` begin as those of implicit/rows.wgsl. Where the global step is a
// linear system (system.wgsl), its buffers are those of linear/bindings.wgsl.

const PULLED: u32 = 3u;     // row of anchor: sum k r n of the last local step, where several sweeps share one

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;         // x (or u) of the last sweep
@group(2) @binding(1) var<storage, read_write> position_out: array<vec4f>;  // in: the sweep before; out: x
@group(2) @binding(3) var<storage, read> start: array<vec4f>;               // x_0, at the substep's start

// Of the watch over Chebyshev weights:
const LEVEL: u32 = 0u;      // 0: the weights asked for; each level quarters 1 / (1 - rho); the last is plain
const CALM: u32 = 1u;       // substeps since the level last changed
const DIVERGED: u32 = 2u;   // 1 once this substep fell back
const FALLS: u32 = 3u;      // substeps that fell back so far
const NOTED: u32 = 4u;      // largest change at each check, as bits (they sort like the number); the first not
                            // below the length that is rounding

struct Sweep {
    omega: array<vec4f, 2>, // Chebyshev weight of this sweep by level
    check: u32,             // the check that this sweep makes, if it makes one
    last: u32,              // 1 + the last check made, or 0
}

// The words above, NOTED + CHECKS for each copy.
@group(2) @binding(5) var<storage, read_write> monitor: array<atomic<u32>>;
@group(3) @binding(0) var<uniform> this_sweep: Sweep;
