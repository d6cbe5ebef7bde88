// Bounds of the nodes and the largest stretch, in two launches: one partial result per workgroup, then
// one workgroup over those. Reads positions and stretch, writes parts and bounds.
//!import core/launch.wgsl
//!import render/view.wgsl

const PARTS: u32 = 256u;

@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read> stretch: array<f32>;
@group(0) @binding(3) var<storage, read_write> parts: array<Bounds>;
@group(0) @binding(4) var<storage, read_write> bounds: Bounds;

var<workgroup> low: array<vec4f, WORKGROUP_SIZE>;
var<workgroup> high: array<vec4f, WORKGROUP_SIZE>;

fn reduce(thread: u32, mine: Bounds) -> Bounds {
    low[thread] = mine.low;
    high[thread] = mine.high;
    for (var step = WORKGROUP_SIZE / 2u; step > 0u; step /= 2u) {
        workgroupBarrier();
        if thread < step {
            low[thread] = min(low[thread], low[thread + step]);
            high[thread] = max(high[thread], high[thread + step]);
        }
    }
    return Bounds(low[0], high[0]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn measure_parts(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
    var mine = Bounds(vec4f(3e38), vec4f(-3e38));
    for (var i = group.x * WORKGROUP_SIZE + thread; i < view.node_count; i += PARTS * WORKGROUP_SIZE) {
        let p = vec4f(positions[i].xyz, stretch[i]);
        mine = Bounds(min(mine.low, p), max(mine.high, p));
    }
    let all = reduce(thread, mine);
    if thread == 0u && group.x < PARTS {
        parts[group.x] = all;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn measure_whole(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
    var mine = parts[thread];
    for (var k = thread + WORKGROUP_SIZE; k < PARTS; k += WORKGROUP_SIZE) {
        mine = Bounds(min(mine.low, parts[k].low), max(mine.high, parts[k].high));
    }
    let all = reduce(thread, mine);
    if thread == 0u && group.x == 0u {
        bounds = all;
    }
}
