// Stretch of the springs around each node, and a watch for runs that blow up, one for each copy.
//!import core/launch.wgsl
//!import network/{grid|mesh}.wgsl
//!import state/copies.wgsl
//!import state/world.wgsl

struct Watch {
    largest: atomic<u32>,   // largest stretch of this frame so far, as bits (they sort like the number)
    bad_node: atomic<u32>,  // lowest node whose state is broken in this frame
    last_largest: f32,      // largest stretch |l / r - 1| of the last frame
    failed: u32,            // 1 once a frame was broken; the rest then keeps the first such frame
    step: u32,              // substeps done at that frame's end
    node: u32,
    other: u32,             // other end of its longest spring
    ratio: f32,             // l / r of that spring; NaN where the position is
    frames: u32,            // frames closed
    tension: atomic<u32>,   // largest tension rate of this frame so far, as bits
    last_tension: f32,      // that of the last frame that was not broken [1/s^2]
    peak: f32,              // largest stretch of any frame that was not broken
    peak_frame: u32,        // frames closed when it was reached
}

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read_write> stretch: array<f32>;
@group(2) @binding(2) var<storage, read_write> watch: array<Watch>;

// Whether tension limits the solver's step.
override WATCHES_TENSION: bool = false;

const NO_NODE: u32 = 0xffffffffu;

// l / r of a spring; 1 where it cannot be stretched: rest length zero, or both ends pinned.
fn ratio(x: vec4f, other: vec4f, link: Link) -> f32 {
    if (link.rest_length <= 0.0 || link.stiffness + link.dashpot == 0.0 || (x.w == 0.0 && other.w == 0.0)) {
        return 1.0;
    }
    return length(x.xyz - other.xyz) / link.rest_length;
}

// Reads position_in and the network; writes stretch (largest |l / r - 1| of the node's springs) and watch. The tension
// rate of a node is 2 w sum k |l - r| / l: a bound on the square of the frequency that tension alone gives it. That of
// inextensible springs is not known here.
// One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn measure(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    let row = row_of(i);
    var largest = 0.0;
    var longest = 0.0;
    var tension = 0.0;
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let r = ratio(x, position_in[link.node], link);
        if (WATCHES_TENSION && r > 0.0 && !is_inextensible(link.stiffness)) {
            tension += link.stiffness * abs(1.0 - 1.0 / r);
        }
        largest = max(largest, abs(r - 1.0));
        longest = max(longest, r);
    }
    stretch[i] = largest;
    // The bits tell NaN and infinity apart from numbers whatever the compiler assumes of comparisons.
    let bits = max(max(bitcast<u32>(abs(x.x)), bitcast<u32>(abs(x.y))), bitcast<u32>(abs(x.z)));
    let broken = bits >= 0x7f800000u || longest > world.largest_stretch;
    if (broken) {
        atomicMin(&watch[copy_of(i)].bad_node, i);
    } else {
        atomicMax(&watch[copy_of(i)].largest, bitcast<u32>(largest));
        if (WATCHES_TENSION) {
            atomicMax(&watch[copy_of(i)].tension, bitcast<u32>(2.0 * x.w * tension));
        }
    }
}

// Closes the frame: remembers the first broken one and prepares the next. One thread per copy.
@compute @workgroup_size(WORKGROUP_SIZE)
fn close_frame(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let copy = thread_index(id, groups);
    if (copy >= copies()) {
        return;
    }
    let bad = atomicLoad(&watch[copy].bad_node);
    watch[copy].frames += 1u;
    watch[copy].last_largest = bitcast<f32>(atomicLoad(&watch[copy].largest));
    if (bad != NO_NODE && watch[copy].failed == 0u) {
        let x = position_in[bad];
        let row = row_of(bad);
        var longest = 0.0;
        var other = bad;
        for (var s = 0u; s < link_count(row); s += 1u) {
            let link = link_at(row, s);
            let r = ratio(x, position_in[link.node], link);
            if (!(r <= longest)) {
                longest = r;
                other = link.node;
            }
        }
        watch[copy].failed = 1u;
        watch[copy].step = min(watch[copy].frames, 0xffffffffu / world.substeps) * world.substeps;
        watch[copy].node = bad;
        watch[copy].other = other;
        watch[copy].ratio = longest;
    }
    if (watch[copy].failed == 0u) {
        watch[copy].last_tension = bitcast<f32>(atomicLoad(&watch[copy].tension));
        if (watch[copy].last_largest > watch[copy].peak) {
            watch[copy].peak = watch[copy].last_largest;
            watch[copy].peak_frame = watch[copy].frames;
        }
    }
    atomicStore(&watch[copy].tension, 0u);
    atomicStore(&watch[copy].largest, 0u);
    atomicStore(&watch[copy].bad_node, NO_NODE);
}
