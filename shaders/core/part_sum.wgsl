// Sums over nodes, in two stages: each workgroup sums a part of the nodes, then one workgroup a copy adds up the parts
// (group_sum.wgsl). WGSL has no atomic sum of floats, and this is always in the same order.
//!import core/launch.wgsl

// Parts of each copy.
override PARTS: u32 = 1u;
// Of so many stretches of WORKGROUP_SIZE nodes one is looked at, where a part of the nodes tells for all.
override EVERY: u32 = 1u;

// Threads that add up what the others hold.
const FEW: u32 = 8u;

var<workgroup> part_lanes: array<vec4f, WORKGROUP_SIZE>;

// The sum over a workgroup of WORKGROUP_SIZE threads, which all call this once; only of use to the first thread.
fn part_sum(local: u32, value: vec4f) -> vec4f {
    part_lanes[local] = value;
    workgroupBarrier();
    if (local < FEW) {
        var own = value;
        for (var k = local + FEW; k < WORKGROUP_SIZE; k += FEW) {
            own += part_lanes[k];
        }
        part_lanes[local] = own;
    }
    workgroupBarrier();
    var total = vec4f(0.0);
    if (local == 0u) {
        for (var k = 0u; k < FEW; k += 1u) {
            total += part_lanes[k];
        }
    }
    return total;
}

// The first node of its copy that a thread of a part looks at, and how far apart those that it looks at are. Which of EVERY stretches
// it is changes from part to part, so that on a grid they do not all lie in the same columns.
fn first_of_part(part: u32, local: u32) -> u32 {
    let p = part % PARTS;
    let turn = (p + p / EVERY + p / (EVERY * EVERY)) % EVERY;
    return (p * EVERY + turn) * WORKGROUP_SIZE + local;
}

fn stride_of_parts() -> u32 {
    return PARTS * EVERY * WORKGROUP_SIZE;
}
