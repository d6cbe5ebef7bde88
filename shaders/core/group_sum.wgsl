// Sum over a workgroup of 256 threads, always in the same order.
//!import core/lane_sum.wgsl

const SUMMING: u32 = 256u;

// The sum of `value` over all threads, which all call this.
fn group_sum(local: u32, value: f32) -> f32 {
    let lane = local % LANES;
    for (var round = 0u; round < SUMMING / LANES; round += 1u) {
        if (local / LANES == round) {
            lanes[lane] = select(lanes[lane], 0.0, round == 0u) + value;
        }
        workgroupBarrier();
    }
    return sum_of_lanes(local, SUMMING);
}

// The same of each component.
fn group_sum4(local: u32, value: vec4f) -> vec4f {
    let x = group_sum(local, value.x);
    let y = group_sum(local, value.y);
    let z = group_sum(local, value.z);
    return vec4f(x, y, z, group_sum(local, value.w));
}
