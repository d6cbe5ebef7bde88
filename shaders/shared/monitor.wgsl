// Chebyshev weights with a safety net. Every few sweeps the largest plain Jacobi change of any node is noted;
// once it is larger than it was before the acceleration began, the substep goes on with plain sweeps (they
// always converge) and the next substeps use more careful weights (a higher level).
//!import shared/world.wgsl

struct Monitor {
    level: u32,             // 0: the weights asked for; each level quarters 1 / (1 - rho); the last is plain
    calm: u32,              // substeps since the level last changed
    diverged: atomic<u32>,  // 1 once this substep fell back
    falls: u32,             // substeps that fell back so far
    noted: array<atomic<u32>>,  // largest change at each check, as bits (they sort like the number)
}

struct Sweep {
    omega: array<vec4f, 2>, // Chebyshev weight of this sweep by level
    check: u32,             // the check that this sweep makes, if it makes one
    last: u32,              // 1 + the last check made, or 0
}

@group(2) @binding(5) var<storage, read_write> monitor: Monitor;
@group(3) @binding(0) var<uniform> this_sweep: Sweep;

// Growth of the change, against the first check, that counts as divergence. While an iteration converges the
// change falls; a looser bound lets errors that grow threefold in each substep pass unseen.
const MOST_GROWTH: f32 = 1.5;

fn has_diverged() -> bool {
    if (this_sweep.last < 2u) {
        return false;
    }
    let limit = MOST_GROWTH * max(bitcast<f32>(atomicLoad(&monitor.noted[0])), world.floor);
    // Compared as bits: a NaN is larger than every number.
    return atomicLoad(&monitor.diverged) == 1u
        || atomicLoad(&monitor.noted[this_sweep.last - 1u]) > bitcast<u32>(limit);
}

fn chebyshev_weight() -> f32 {
    if (this_sweep.last == 0u || has_diverged()) {
        return 1.0;
    }
    let level = monitor.level;
    return this_sweep.omega[level / 4u][level % 4u];
}

var<workgroup> changes: array<f32, WORKGROUP_SIZE>;

// Notes the largest change of the workgroup. Called by all of its threads.
fn note(local: u32, change: f32) {
    // NaN as a huge number, so that max cannot lose it.
    changes[local] = select(3e38, change, change < 3e38);
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if (local < stride) {
            changes[local] = max(changes[local], changes[local + stride]);
        }
    }
    if (local == 0u) {
        atomicMax(&monitor.noted[this_sweep.check], bitcast<u32>(changes[0]));
        if (has_diverged()) {
            atomicStore(&monitor.diverged, 1u);
        }
    }
}
