// How fast surfaces come nearer to each other that may meet soon: how many spacings in a frame, the most of all pairs of parts.
// A part is a subtree of the tree, of one body, with a box around where its nodes are, and one around how far they move. Two parts count
// where these boxes, and balls around the parts, come within reach of each other as they move on for AHEAD frames. Parts that are
// neighbors at rest come nearer by what shortens the way between their centers, since rotation of both brings nothing nearer;
// others by all of their motion, and by LEAST at least, as does what meets a collider, or is in a region that is folded. What a pin
// drives, which cannot be held back, counts twice. Where two parts that are no neighbors both come upon colliders, one may stop before the
// other, at any place: then they come nearer by twice the way to the collider, because nothing foretells where they meet. A part alone
// crumples when it hits a collider: its way to it counts HIT times, whatever drives it, and CRUMPLES spacings at most.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import contact/patches.wgsl
//!import core/launch.wgsl
//!import state/moment.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> boxes: array<vec4f>;   // as in patches.wgsl
// Where each of the last frames began: what was found, as bits [1]; behind all of that, the nodes that the guard had held back until then.
@group(2) @binding(1) var<storage, read_write> closings: array<atomic<u32>>;
@group(2) @binding(2) var<storage, read> moment: Moment;
@group(2) @binding(3) var<storage, read_write> guards: array<Guard>;
@group(2) @binding(4) var<storage, read> regions: array<u32>;   // as in flatten.wgsl

struct Slot {
    index: u32,     // where this frame's number goes
}

@group(3) @binding(1) var<uniform> slot: Slot;

// Frames of which there is something.
const FRAMES: u32 = 32u;
// The body of a subtree of several.
const MIXED: f32 = -1.0;
// Leaves of a part, of trees that have as many; fewer where it would have several bodies.
const PART_LEAVES: u32 = 8u;
// How much larger than at rest a part may be.
const WIDER: f32 = 1.2;
// How many times the way to a collider counts where it stops two parts, one perhaps before the other.
const STOPPED: f32 = 2.0;
// How many times it counts for a part alone, and at most how many spacings that comes to: eight substeps. A shirt that hits a floor is then
// stretched little more than without contact; with five substeps, twice as much.
const HIT: f32 = 5.5;
const CRUMPLES: f32 = 7.5;
override COLLIDERS: u32 = 0u;
// What others come nearer at least: layers that touch need more than one substep however slow they are [1].
override LEAST: f32 = 0.0;
// How often counts what comes near a pin with a path; once while none moves.
override DRIVEN: f32 = 1.0;
override FRAME: f32 = 0.0;          // [s]
override AHEAD: f32 = 0.0;          // frames

fn parts_of_copy() -> u32 {
    return max(tree.leaves / PART_LEAVES, 1u);
}

struct Part {
    bounds: Bounds,     // displacements are those of a frame
    rest_low: vec3f,
    rest_high: vec3f,
    body: f32,
    spacing: f32,       // [m]
    counts: f32,        // how many times
}

fn part_at(at: u32) -> Part {
    var bounds = bounds_at(at);
    let of_frame = FRAME / (QUICKER * world.step);
    bounds.least *= of_frame;
    bounds.most *= of_frame;
    let low = boxes[6u * tree.leaves * copies() + 2u * at];
    let high = boxes[6u * tree.leaves * copies() + 2u * at + 1u];
    return Part(bounds, low.xyz, high.xyz, low.w, abs(high.w), select(1.0, DRIVEN, high.w < 0.0));
}

fn is_empty(part: Part) -> bool {
    return part.bounds.low.x > part.bounds.high.x;
}

// The same, as it moves on.
fn ahead(bounds: Bounds) -> Bounds {
    return Bounds(bounds.low, bounds.high, AHEAD * bounds.least, AHEAD * bounds.most);
}

// Whether two parts are of one body, and so near at rest that balls around them nearly touch.
fn are_neighbors(a: Part, b: Part) -> bool {
    let apart = 0.5 * (b.rest_low + b.rest_high - a.rest_low - a.rest_high);
    return a.body == b.body && length(apart) <= largest_radius(a) + largest_radius(b) + 2.0 * tree.largest_reach;
}

// Of a ball around a part that is not stretched much.
fn largest_radius(part: Part) -> f32 {
    return WIDER * 0.5 * length(part.rest_high - part.rest_low);
}

// Of a ball around a part as it is. A box is large where the part is aslant.
fn radius_of(part: Part) -> f32 {
    return min(0.5 * length(part.bounds.high - part.bounds.low), largest_radius(part));
}

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
    return counts * max(max(length(way), STOPPED * stop), LEAST * min(a.spacing, b.spacing));
}

// Whether the surface around a patch may touch itself. What is no piece of a plane at rest has no region, and is not known to be folded.
fn is_folded(index: u32) -> bool {
    return region_of(index).state == UNKNOWN && regions[index] < regions[index + 1u];
}

// How far a part comes nearer to a collider in a frame [m], if it may come within its reach soon; else -1. What hits one may fold at once.
// Colliders are convex: all of the part is at least as far away as from the plane at the point that is nearest to its center.
fn way_to(part: Part, collider: Collider) -> f32 {
    let center = 0.5 * (part.bounds.low + part.bounds.high);
    let surface = nearest_surface(collider, center);
    let of_collider = FRAME * (collider.velocity + cross(collider.spin, center - collider.center));
    let way = 0.5 * (part.bounds.least + part.bounds.most) - of_collider;
    let nearer = max(-dot(surface.xyz, way), 0.0);
    let depth = min(radius_of(part), 0.5 * dot(abs(surface.xyz), part.bounds.high - part.bounds.low));
    return select(-1.0, nearer, surface.w - depth - AHEAD * nearer <= tree.largest_reach);
}

// The most of all colliders; -1 if it meets none.
fn way_to_any(part: Part) -> f32 {
    var most = -1.0;
    for (var k = 0u; k < COLLIDERS; k += 1u) {
        most = max(most, way_to(part, moment.colliders[k]));
    }
    return most;
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
    var most = select(0.0, own.counts * LEAST, is_folded((copy * tree.leaves + leaf) / patch_leaves()));
    let own_stop = way_to_any(own);
    if (own_stop >= 0.0) {
        most = max(own.counts * LEAST, min(HIT * own_stop / own.spacing, CRUMPLES));
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

// Whether a node of the tree is no part yet. Bodies are looked at one by one.
fn is_to_be_parted(node: u32, part: Part) -> bool {
    return node < parts_of_copy() || (part.body == MIXED && node < tree.leaves);
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
