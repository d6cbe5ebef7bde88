// Sums over nodes, in two stages: each workgroup sums a part of the nodes, then one workgroup a copy adds up the parts
// (group_sum.wgsl). WGSL has no atomic sum of floats, and this is always in the same order.
//!import core/launch.wgsl
//!import state/copies.wgsl

// Most parts of a copy: enough to fill a GPU.
const MOST_SUMS: u32 = 2048u;
// Whether a part of the nodes tells for all: of a copy of more than MANY_NODES, one in EVERY stretches of WORKGROUP_SIZE nodes.
override OF_SOME: bool = false;
const MANY_NODES: u32 = 4096u;
const EVERY: u32 = 4u;

// Of so many stretches one is looked at. This and the next are as in method/parts.rs.
fn every() -> u32 {
    return select(1u, EVERY, OF_SOME && copy_nodes() > MANY_NODES);
}

fn sums_of_copy() -> u32 {
    let nodes_of_part = WORKGROUP_SIZE * every();
    return clamp((copy_nodes() + nodes_of_part - 1u) / nodes_of_part, 1u, MOST_SUMS);
}

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

// The first node of its copy that a thread of a part looks at, and how far apart those that it looks at are. Which of some stretches
// it is changes from part to part, so that on a grid they do not all lie in the same columns.
fn first_of_part(part: u32, local: u32) -> u32 {
    let p = part % sums_of_copy();
    let n = every();
    let turn = (p + p / n + p / (n * n)) % n;
    return (p * n + turn) * WORKGROUP_SIZE + local;
}

fn stride_of_parts() -> u32 {
    return sums_of_copy() * every() * WORKGROUP_SIZE;
}
