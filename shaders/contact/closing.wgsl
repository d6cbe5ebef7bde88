// How fast surfaces come nearer to each other that may meet soon: how many spacings in a frame, the most of all pairs of parts.
// Two parts (parts.wgsl) count where their boxes, and balls around them, come within reach of each other as they move on for AHEAD frames.
// Parts that are neighbors at rest come nearer by what shortens the way between their centers, since rotation of both brings nothing nearer;
// others by all of their motion, and by LEAST at least, as does what meets a collider, or is in a region that is folded. What a pin
// drives, which cannot be held back, counts twice. Where two parts that are no neighbors both come upon colliders (hits.wgsl), one may stop
// before the other, at any place: then they come nearer by twice the way to the collider, because nothing foretells where they meet. A part
// alone crumples when it hits a collider: its way to it counts HIT times, whatever drives it, and CRUMPLES spacings at most.
// With methods whose iterations are too few for friction in few substeps, surfaces that may touch count for as many as that takes.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import contact/hits.wgsl
//!import contact/parts.wgsl
//!import contact/patches.wgsl
//!import core/launch.wgsl
//!import state/moment.wgsl

@group(2) @binding(0) var<storage, read> boxes: array<vec4f>;   // as in patches.wgsl
// Where each of the last frames began: what was found, as bits [1]; behind all of that, the nodes that the guard had held back until then.
@group(2) @binding(1) var<storage, read_write> closings: array<atomic<u32>>;
@group(2) @binding(2) var<storage, read> moment: Moment;
@group(2) @binding(3) var<storage, read_write> guards: array<Guard>;
@group(2) @binding(4) var<storage, read> regions: array<u32>;   // as in flatten.wgsl

struct Slot {
    index: u32,     // where this frame's number goes
    rubbing: f32,   // spacings that count at least for surfaces that may touch, for friction [1]
}

@group(3) @binding(1) var<uniform> slot: Slot;

// Frames of which there is something.
const FRAMES: u32 = 32u;
// How many times the way to a collider counts where it stops two parts, one perhaps before the other.
const STOPPED: f32 = 2.0;
// How many times it counts for a part alone, and at most how many spacings that comes to: eight substeps. A shirt that hits a floor is then
// stretched little more than without contact; with five substeps, twice as much.
const HIT: f32 = 5.5;
const CRUMPLES: f32 = 7.5;
// What others come nearer at least: layers that touch need more than one substep however slow they are [1].
override LEAST: f32 = 0.0;

// In spacings; 0 if they pass each other. `stop`: how far they come nearer to colliders, if both do [m].
fn closing_of(a: Part, b: Part, stop: f32) -> f32 {
    let way = 0.5 * (b.bounds.least + b.bounds.most - a.bounds.least - a.bounds.most);
    let apart = 0.5 * (b.bounds.low + b.bounds.high - a.bounds.low - a.bounds.high);
    let counts = max(a.counts, b.counts) / min(a.spacing, b.spacing);
    if (are_neighbors(a, b)) {
        return -counts * dot(way, apart) / max(length(apart), 1e-30);
    }
    let nearest = clamp(-dot(way, apart) / max(dot(way, way), 1e-30), 0.0, AHEAD);
    let least = min(length(apart + nearest * way), length(apart) - AHEAD * stop);
    if (least > radius_of(a) + radius_of(b) + tree.largest_reach) {
        return 0.0;
    }
    return max(counts * max(max(length(way), STOPPED * stop), LEAST * min(a.spacing, b.spacing)), slot.rubbing);
}

// Whether the surface around a patch may touch itself. What is no piece of a plane at rest has no region, and is not known to be folded.
fn is_folded(index: u32) -> bool {
    return region_of(index).state == UNKNOWN && regions[index] < regions[index + 1u];
}

// With what may stop at any place.
fn or_stopped(bounds: Bounds) -> Bounds {
    return Bounds(bounds.low, bounds.high, min(bounds.least, vec3f(0.0)), max(bounds.most, vec3f(0.0)));
}

fn may_meet_or_stop(a: Bounds, b: Bounds, may_stop: bool) -> bool {
    if (may_stop) {
        return may_meet(or_stopped(a), or_stopped(b), tree.largest_reach);
    }
    return may_meet(a, b, tree.largest_reach);
}

// The most of a part with all behind it, and with colliders. `node`: its own in the tree.
fn most_of(copy: u32, node_of_own: u32) -> f32 {
    let first = first_box(copy);
    let own = part_at(first + node_of_own);
    if (is_empty(own)) {
        return 0.0;
    }
    let leaf = (node_of_own << (countLeadingZeros(node_of_own) - countLeadingZeros(tree.leaves))) - tree.leaves;
    var most = select(0.0, max(own.counts * LEAST, slot.rubbing), is_folded((copy * tree.leaves + leaf) / patch_leaves()));
    let own_stop = way_to_any(own);
    if (own_stop >= 0.0) {
        most = max(max(most, own.counts * LEAST), min(HIT * own_stop / own.spacing, CRUMPLES));
    }
    let may_stop = own_stop > 0.0;
    let soon = ahead(own.bounds);
    var node = next_node(node_of_own);
    while (node > 1u) {
        let other = part_at(first + node);
        if (is_empty(other) || !may_meet_or_stop(soon, ahead(other.bounds), may_stop)) {
            node = next_node(node);
        } else if (is_to_be_parted(node, other)) {
            node = 2u * node;
        } else {
            var stop = 0.0;
            if (may_stop) {
                stop = way_to_any(other);
                stop = select(0.0, max(stop, own_stop), stop > 0.0);
            }
            if (may_meet_or_stop(soon, ahead(other.bounds), stop > 0.0)) {
                most = max(most, closing_of(own, other, stop));
            }
            node = next_node(node);
        }
    }
    return most;
}

// Reads boxes, regions, moment, guards; writes closings. One thread for a subtree of PART_LEAVES.
@compute @workgroup_size(WORKGROUP_SIZE)
fn closing(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = thread_index(id, groups);
    let parts = parts_of_copy();
    if (thread >= parts * copies()) {
        return;
    }
    let copy = thread / parts;
    if (thread % parts == 0u) {
        atomicAdd(&closings[FRAMES + slot.index], atomicLoad(&guards[copy].cut));
    }
    var node = parts + thread % parts;
    let end = next_node(node);
    var most = 0.0;
    loop {
        if (is_to_be_parted(node, part_at(first_box(copy) + node))) {
            node = 2u * node;
            continue;
        }
        most = max(most, most_of(copy, node));
        node = next_node(node);
        if (node == end) {
            break;
        }
    }
    if (most > 0.0) {
        atomicMax(&closings[slot.index], bitcast<u32>(most));
    }
}
