// The slots of which a node is a corner, as rows: all sums over slots are then gathers in a fixed order. Counted by search.wgsl;
// here the counts become places, the places are filled in any order, and each row is sorted.
//!import contact/bindings.wgsl
//!import contact/listed.wgsl
//!import core/launch.wgsl

@group(2) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
// Where each node's row begins; one more than nodes.
@group(2) @binding(5) var<storage, read_write> row_starts: array<u32>;
// 4 slot + corner, with corner 1 to 3.
@group(2) @binding(6) var<storage, read_write> row_entries: array<u32>;
// Of each stretch of rows: their entries, then where these begin.
@group(2) @binding(7) var<storage, read_write> stretches: array<u32>;

// Nodes that have rows.
@group(2) @binding(8) var<uniform> row_count: u32;

// Threads that place stretches of WORKGROUP_SIZE rows.
const MOST_THREADS: u32 = 256u;
// Threads that are summed together first.
const FEW: u32 = 8u;
var<workgroup> totals: array<u32, MOST_THREADS>;
var<workgroup> totals_of_few: array<u32, MOST_THREADS / FEW>;

// The sum of `value` over all threads before this one of the first `threads`, which all call this once.
fn sum_before(local: u32, threads: u32, value: u32) -> u32 {
    totals[local] = value;
    workgroupBarrier();
    if (local < threads / FEW) {
        var total = 0u;
        for (var k = FEW * local; k < FEW * (local + 1u); k += 1u) {
            total += totals[k];
        }
        totals_of_few[local] = total;
    }
    workgroupBarrier();
    var before = 0u;
    for (var k = 0u; k < local / FEW; k += 1u) {
        before += totals_of_few[k];
    }
    for (var k = FEW * (local / FEW); k < local; k += 1u) {
        before += totals[k];
    }
    return before;
}

// Sums the counts of a stretch. One workgroup per stretch.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_stretches(
    @builtin(local_invocation_index) local: u32,
    @builtin(global_invocation_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let i = thread_index(id, groups);
    var own = 0u;
    if (i < row_count) {
        own = atomicLoad(&counts[i]);
    }
    let before = sum_before(local, WORKGROUP_SIZE, own);
    if (i < row_count && (local == WORKGROUP_SIZE - 1u || i + 1u == row_count)) {
        stretches[i / WORKGROUP_SIZE] = before + own;
    }
}

// Where each stretch begins. One workgroup: each thread does a run of stretches.
@compute @workgroup_size(MOST_THREADS)
fn place_stretches(@builtin(local_invocation_index) local: u32) {
    let count = (row_count + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let run = (count + MOST_THREADS - 1u) / MOST_THREADS;
    let first = min(local * run, count);
    let end = min(first + run, count);
    var total = 0u;
    for (var t = first; t < end; t += 1u) {
        total += stretches[t];
    }
    var next = sum_before(local, MOST_THREADS, total);
    for (var t = first; t < end; t += 1u) {
        let of_stretch = stretches[t];
        stretches[t] = next;
        next += of_stretch;
    }
}

// Where each row begins; counts become zero again. One workgroup per stretch.
@compute @workgroup_size(WORKGROUP_SIZE)
fn place_rows(
    @builtin(local_invocation_index) local: u32,
    @builtin(global_invocation_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let i = thread_index(id, groups);
    var own = 0u;
    if (i < row_count) {
        own = atomicLoad(&counts[i]);
        atomicStore(&counts[i], 0u);
    }
    let before = sum_before(local, WORKGROUP_SIZE, own);
    if (i < row_count) {
        let first = stretches[i / WORKGROUP_SIZE] + before;
        row_starts[i] = first;
        if (i + 1u == row_count) {
            row_starts[i + 1u] = first + own;
        }
    }
}

// Fills the rows. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fill_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        for (var k = 0u; k < 3u; k += 1u) {
            let i = slots[s].triangle[k];
            row_entries[row_starts[i] + atomicAdd(&counts[i], 1u)] = 4u * s + k + 1u;
        }
    }
}

// Sorts each row, by insertion: rows are short. Counts become zero for the next substep. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= row_count) {
        return;
    }
    atomicStore(&counts[i], 0u);
    let first = row_starts[i];
    for (var k = first + 1u; k < row_starts[i + 1u]; k += 1u) {
        let entry = row_entries[k];
        var at = k;
        while (at > first && row_entries[at - 1u] > entry) {
            row_entries[at] = row_entries[at - 1u];
            at -= 1u;
        }
        row_entries[at] = entry;
    }
}
