// Sum over a workgroup of 256 threads, always in the same order.

const SUMMING: u32 = 256u;
const LANES: u32 = 64u;     // little memory: tails have none to spare

var<workgroup> lanes: array<f32, LANES>;

// The sum of `value` over all threads, which all call this.
fn group_sum(local: u32, value: f32) -> f32 {
    let lane = local % LANES;
    for (var round = 0u; round < SUMMING / LANES; round += 1u) {
        if (local / LANES == round) {
            lanes[lane] = select(lanes[lane], 0.0, round == 0u) + value;
        }
        workgroupBarrier();
    }
    for (var stride = LANES / 2u; stride > 0u; stride /= 2u) {
        if (local < stride) {
            lanes[local] += lanes[local + stride];
        }
        workgroupBarrier();
    }
    let total = lanes[0];
    workgroupBarrier(); // before another sum begins
    return total;
}

// The same of each component.
fn group_sum4(local: u32, value: vec4f) -> vec4f {
    let x = group_sum(local, value.x);
    let y = group_sum(local, value.y);
    let z = group_sum(local, value.z);
    return vec4f(x, y, z, group_sum(local, value.w));
}
