// Sum over 64 lanes in the memory of a workgroup, in the same order whatever the number of threads.

const LANES: u32 = 64u;     // little memory: tails have none to spare

var<workgroup> lanes: array<f32, LANES>;

// The sum of all lanes. All threads of a workgroup call this, after a barrier.
fn sum_of_lanes(local: u32, threads: u32) -> f32 {
    for (var stride = LANES / 2u; stride > 0u; stride /= 2u) {
        for (var lane = local; lane < stride; lane += threads) {
            lanes[lane] += lanes[lane + stride];
        }
        workgroupBarrier();
    }
    let total = lanes[0];
    workgroupBarrier(); // before another sum begins
    return total;
}
