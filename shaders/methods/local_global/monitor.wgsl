// Chebyshev weights with a safety net. Every few sweeps the largest plain Jacobi change of any node is recorded. If it is
// larger than before the acceleration began, the rest of the substep has plain sweeps, which always converge, and the next
// substeps have smaller weights (a higher level). Each copy of a batch has a safety net of its own: a copy that diverges
// changes nothing for the others.
//!import methods/local_global/bindings.wgsl
//!import state/copies.wgsl
//!import state/world.wgsl

// Checks that are noted in a substep.
override CHECKS: u32 = 1u;

// Growth of the change, against the first check, that counts as divergence. While an iteration converges the
// change falls; a looser bound lets errors that grow threefold in each substep pass unseen.
const MOST_GROWTH: f32 = 1.5;

// Where the words of the copy of node i begin.
fn monitor_of(i: u32) -> u32 {
    return copy_of(i) * (NOTED + CHECKS);
}

fn has_diverged(own: u32) -> bool {
    if (this_sweep.last < 2u) {
        return false;
    }
    let limit = MOST_GROWTH * bitcast<f32>(atomicLoad(&monitor[own + NOTED]));
    // Compared as bits: a NaN is larger than every number.
    return atomicLoad(&monitor[own + DIVERGED]) == 1u
        || atomicLoad(&monitor[own + NOTED + this_sweep.last - 1u]) > bitcast<u32>(limit);
}

// Of the sweep under way, for node i.
fn chebyshev_weight(i: u32) -> f32 {
    let own = monitor_of(i);
    if (this_sweep.last == 0u || has_diverged(own)) {
        return 1.0;
    }
    let level = atomicLoad(&monitor[own + LEVEL]);
    return this_sweep.omega[level / 4u][level % 4u];
}

var<workgroup> changes: array<f32, WORKGROUP_SIZE>;

// Notes the largest change of the workgroup. Called by all of its threads, each with its node i.
fn note(local: u32, i: u32, change: f32) {
    // NaN as a huge number, so that max cannot lose it.
    let noted = select(3e38, change, change < 3e38);
    if (IS_BATCH) {
        // A workgroup may hold nodes of several copies.
        if (i < world.node_count) {
            keep(monitor_of(i), noted);
        }
        return;
    }
    changes[local] = noted;
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if (local < stride) {
            changes[local] = max(changes[local], changes[local + stride]);
        }
    }
    if (local == 0u) {
        keep(0u, changes[0]);
    }
}

fn keep(own: u32, change: f32) {
    atomicMax(&monitor[own + NOTED + this_sweep.check], bitcast<u32>(change));
    if (has_diverged(own)) {
        atomicStore(&monitor[own + DIVERGED], 1u);
    }
}
